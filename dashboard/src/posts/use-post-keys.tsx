// The keys of the page, each on the post that has the focus; and the dialog that explains them.
import type { Post } from "@kit/contract";
import { useState } from "react";
import { HelpDialog } from "../live/help-dialog.tsx";
import { useShortcutSwitch, useShortcuts } from "../live/shortcuts.ts";
import { focusedPost, movePostFocus } from "./moving.ts";
import type { PostActionsGiven } from "./post-actions.tsx";
import { postKeys } from "./post-keys.ts";

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
