// The keyboard shortcuts of the Posts page, which act on the focused post, and the dialog that lists them.
import type { Post } from "@kit/contract";
import { t } from "../../language/language.ts";
import { usePageKeys } from "../../ui/help-dialog.tsx";
import type { PostActionHandlers } from "./post-actions.tsx";
import { focusedPostId, movePostFocus } from "./post-focus.ts";

const postKeys = [
  { keys: ["j", "k"], says: t("Move through the posts (the arrow keys work too)") },
  { keys: ["a"], says: t("Approve the draft and go to the next one") },
  { keys: ["e"], says: t("Edit the draft") },
  { keys: ["s"], says: t("Skip the draft and go to the next one") },
  { keys: ["u"], says: t("Undo the post's last step, or your last action") },
  { keys: ["A"], says: t("Approve all listed drafts, after a confirmation") },
  { keys: ["Esc"], says: t("Close the editor if nothing was changed") },
  { keys: ["?"], says: t("Show this help") },
] as const;

type PostKeysDeps = PostActionHandlers & {
  posts: readonly Post[];
  onApproveAll: () => void;
  onUndoLast: () => void;
};

const canUndo = ({ state }: Post) => state === "approved" || state === "skipped" || state === "expired";

export function usePostKeys({ posts, onApprove, onEdit, onSkip, onUndo, onApproveAll, onUndoLast }: PostKeysDeps) {
  const focused = () => {
    const id = focusedPostId();
    return posts.find((post) => post.id === id);
  };
  const onDraft = (command: (post: Post) => void) => () => {
    const post = focused();
    if (post?.state === "draft") command(post);
  };
  const focusFirst = () => document.activeElement === document.body && movePostFocus(0);
  const handlers = {
    j: () => movePostFocus(1),
    k: () => movePostFocus(-1),
    ArrowDown: focusFirst,
    ArrowUp: focusFirst,
    a: onDraft(onApprove),
    e: onDraft(onEdit),
    s: onDraft(onSkip),
    u: () => {
      const post = focused();
      if (post !== undefined && canUndo(post)) onUndo(post);
      else onUndoLast();
    },
    A: onApproveAll,
  };
  return usePageKeys(handlers, postKeys);
}
