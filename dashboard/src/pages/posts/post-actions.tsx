// The actions on a post: buttons, each labelled with its key; keyboard shortcuts; and moves of the focus.
import type { Post } from "@kit/contract";
import { Button, Kbd } from "@radix-ui/themes";
import type { MouseEvent } from "react";
import { t } from "../../language/language.ts";
import { Icon } from "../../ui/icon.tsx";
import { createListFocus } from "../../ui/list-focus.ts";
import { formatDueTime } from "../../ui/posts/post-text.ts";
import { usePageKeys } from "../../ui/shortcuts.tsx";
import { useCountdown } from "../../ui/use-now.ts";

export type PostActionHandlers = {
  readonly onApprove: (post: Post) => void;
  readonly onEdit: (post: Post) => void;
  readonly onSkip: (post: Post) => void;
  readonly onUndo: (post: Post) => void;
};

export const postFocus = createListFocus({
  name: "post",
  targetOf: (card) => card,
  focusEntry: (card) => {
    // Scrolls only for keyboard users: for others, nothing may move under the pointer.
    const scrolls = document.activeElement === document.body || document.activeElement?.matches(":focus-visible");
    card.focus({ preventScroll: true });
    if (scrolls) card.scrollIntoView({ block: "nearest" });
  },
});

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

/** The keyboard shortcuts of the Posts page, which act on the focused post, and the dialog that lists them. */
export function usePostKeys({ posts, onApprove, onEdit, onSkip, onUndo, onApproveAll, onUndoLast }: PostKeysDeps) {
  const focused = () => {
    const id = postFocus.focusedId();
    return posts.find((post) => post.id === id);
  };
  const onDraft = (command: (post: Post) => void) => () => {
    const post = focused();
    if (post?.state === "draft" || post?.state === "held") command(post);
  };
  const focusFirst = () => document.activeElement === document.body && postFocus.move(0);
  const handlers = {
    j: () => postFocus.move(1),
    k: () => postFocus.move(-1),
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

type Props = PostActionHandlers & { post: Post; nowMs: number; name: string };

/**
 * Ignores the second click of a double click: the first one moves the post away, so that the second would decide on the post
 * behind it.
 */
const onSingleClick = (act: () => void) => (event: MouseEvent) => {
  if (event.detail <= 1) act();
};

export function PostActions({ post, nowMs, name, onApprove, onEdit, onSkip, onUndo }: Props) {
  const isHeld = post.state === "held";
  if (post.state === "draft" || isHeld)
    return (
      <div className="cluster post-actions">
        <Button
          variant={isHeld ? "soft" : "solid"}
          aria-label={isHeld ? t("Post anyway: {{name}}", { name }) : t("Approve: {{name}}", { name })}
          aria-keyshortcuts="a"
          onClick={onSingleClick(() => onApprove(post))}
        >
          <Icon name="check" size={14} />
          {isHeld ? t("Post anyway") : t("Approve")} <KeyHint of="A" />
        </Button>
        <Button
          variant="soft"
          color="gray"
          aria-label={t("Edit: {{name}}", { name })}
          aria-keyshortcuts="e"
          onClick={() => onEdit(post)}
        >
          <Icon name="pencil" size={14} />
          {t("Edit")} <KeyHint of="E" />
        </Button>
        <Button
          variant="soft"
          color="gray"
          aria-label={t("Skip: {{name}}", { name })}
          aria-keyshortcuts="s"
          onClick={onSingleClick(() => onSkip(post))}
        >
          <Icon name="skip" size={14} />
          {t("Skip")} <KeyHint of="S" />
        </Button>
        {post.expiresAt !== null && (
          <span className="small quiet">
            {t("waits until {{time}}", { time: formatDueTime(post.expiresAt, nowMs) })}
          </span>
        )}
      </div>
    );
  if (post.state === "approved") return <PendingSend post={post} nowMs={nowMs} name={name} onUndo={onUndo} />;
  if (post.state === "skipped" || post.state === "expired")
    return (
      <div className="cluster post-actions">
        <UndoButton name={name} onUndo={() => onUndo(post)} />
        <span className="small quiet">
          {post.state === "skipped" ? t("Not sent.") : t("Expired without a decision.")}
        </span>
      </div>
    );
  return null;
}

function KeyHint({ of }: { of: string }) {
  return (
    <Kbd size="1" aria-hidden="true">
      {of}
    </Kbd>
  );
}

function UndoButton({ name, onUndo, after }: { name: string; onUndo: () => void; after?: number }) {
  return (
    <Button variant="soft" aria-label={t("Undo: {{name}}", { name })} aria-keyshortcuts="u" onClick={onUndo}>
      <Icon name="undo" size={14} />
      {t("Undo")} {after !== undefined && after > 0 && <span className="numbers">{after} s</span>} <KeyHint of="U" />
    </Button>
  );
}

type PendingSendProps = { post: Post; nowMs: number; name: string; onUndo: (post: Post) => void };

/**
 * Offers undo until the post is sent, which can be later than the countdown: for its footage, or behind other posts.
 */
function PendingSend({ post, nowMs, name, onUndo }: PendingSendProps) {
  const seconds = useCountdown(post.sendsAt);
  const waits = post.footage.state === "pending" ? t("Approved. Waiting for the footage.") : t("Approved.");
  return (
    <div className="cluster post-actions">
      <UndoButton name={name} after={seconds} onUndo={() => onUndo(post)} />
      <span className="small quiet">
        {seconds > 0 && post.sendsAt !== null
          ? t("Will be sent at {{time}}.", { time: formatDueTime(post.sendsAt, nowMs) })
          : waits}
      </span>
    </div>
  );
}
