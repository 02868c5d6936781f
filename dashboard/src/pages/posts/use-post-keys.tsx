// The keys of the page, each on the post that has the focus; and the dialog that explains them.
import type { Post } from "@kit/contract";
import { useState } from "react";
import { t } from "../../language/language.ts";
import { HelpDialog } from "../../ui/help-dialog.tsx";
import { useShortcutSwitch, useShortcuts } from "../../ui/shortcuts.ts";
import type { PostActionsGiven } from "./post-actions.tsx";
import { focusedPost, movePostFocus } from "./selection-moves.ts";

/** The keys of the posts' page, as the help lists them. */
const postKeys = [
  { keys: ["j", "k"], says: t("Move through the posts; the arrow keys as well") },
  { keys: ["a"], says: t("Approve the draft, and go to the next") },
  { keys: ["e"], says: t("Edit the draft") },
  { keys: ["s"], says: t("Skip the draft, and go to the next") },
  { keys: ["u"], says: t("Undo for the post, or the last step") },
  { keys: ["A"], says: t("Approve all drafts shown, after a question") },
  { keys: ["Esc"], says: t("Leave the editor, where nothing was typed") },
  { keys: ["?"], says: t("This help") },
] as const;

type Needs = PostActionsGiven & {
  posts: readonly Post[];
  onApproveAll: () => void;
  onUndoLast: () => void;
};

const canUndo = ({ state }: Post) => state === "approved" || state === "skipped" || state === "expired";

export function usePostKeys({ posts, onApprove, onEdit, onSkip, onUndo, onApproveAll, onUndoLast }: Needs) {
  const [isOpen, setOpen] = useState(false);
  const [shortcuts, setShortcuts] = useShortcutSwitch();
  const focused = () => {
    const id = focusedPost();
    return posts.find((post) => post.id === id);
  };
  const onDraft = (does: (post: Post) => void) => () => {
    const post = focused();
    if (post?.state === "draft") does(post);
  };
  const fromNowhere = () => document.activeElement === document.body && movePostFocus(0);
  useShortcuts(shortcuts, {
    j: () => movePostFocus(1),
    k: () => movePostFocus(-1),
    ArrowDown: fromNowhere,
    ArrowUp: fromNowhere,
    a: onDraft(onApprove),
    e: onDraft(onEdit),
    s: onDraft(onSkip),
    u: () => {
      const post = focused();
      if (post !== undefined && canUndo(post)) onUndo(post);
      else onUndoLast();
    },
    A: onApproveAll,
    "?": () => setOpen(true),
  });
  const dialog = (
    <HelpDialog
      open={isOpen}
      onClose={() => setOpen(false)}
      shortcuts={shortcuts}
      onShortcuts={setShortcuts}
      help={postKeys}
    />
  );
  return { open: () => setOpen(true), dialog };
}
