// The buttons for a post in its current state, each labelled with its key.
import type { Post } from "@kit/contract";
import { Button, Kbd } from "@radix-ui/themes";
import { t } from "../../language/language.ts";
import { Icon } from "../../ui/icon.tsx";
import { formatDueTime } from "../../ui/posts/post-text.ts";
import { useCountdown } from "../../ui/use-countdown.ts";

export type PostActionHandlers = {
  readonly onApprove: (post: Post) => void;
  readonly onEdit: (post: Post) => void;
  readonly onSkip: (post: Post) => void;
  readonly onUndo: (post: Post) => void;
};

type Props = PostActionHandlers & { post: Post; nowMs: number; name: string };

export function PostActions({ post, nowMs, name, onApprove, onEdit, onSkip, onUndo }: Props) {
  if (post.state === "draft")
    return (
      <div className="cluster post-actions">
        <Button aria-label={t("Approve: {{name}}", { name })} aria-keyshortcuts="a" onClick={() => onApprove(post)}>
          <Icon name="check" size={14} />
          {t("Approve")} <KeyHint of="A" />
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
          onClick={() => onSkip(post)}
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
