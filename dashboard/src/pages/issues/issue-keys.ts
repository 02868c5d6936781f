// The keys of the issues' pages, as the help lists them.
import { t } from "../../language/language.ts";

export const listKeys = [
  { keys: ["j", "k"], says: t("Move through the issues") },
  { keys: ["Enter"], says: t("Open the issue") },
  { keys: ["x"], says: t("Select the issue") },
  { keys: ["r"], says: t("Resolve what is selected, or the issue") },
  { keys: ["m"], says: t("Mute what is selected, or the issue") },
  { keys: ["/"], says: t("Go to the search") },
  { keys: ["Esc"], says: t("Clear the selection") },
  { keys: ["?"], says: t(t("This help")) },
] as const;

export const issueKeys = [
  { keys: ["r"], says: t("Resolve the issue") },
  { keys: ["m"], says: t("Mute the issue") },
  { keys: ["Esc"], says: t("Back to the list") },
  { keys: ["?"], says: t("This help") },
] as const;
