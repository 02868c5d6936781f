// The keys of the posts' page, as the help lists them.
import { t } from "../language/language.ts";

export const postKeys = [
  { keys: ["j", "k"], says: t("Move through the posts; the arrow keys as well") },
  { keys: ["a"], says: t("Approve the draft, and go to the next") },
  { keys: ["e"], says: t("Edit the draft") },
  { keys: ["s"], says: t("Skip the draft, and go to the next") },
  { keys: ["u"], says: t("Undo for the post, or the last step") },
  { keys: ["A"], says: t("Approve all drafts shown, after a question") },
  { keys: ["Esc"], says: t("Leave the editor, where nothing was typed") },
  { keys: ["?"], says: t("This help") },
] as const;
