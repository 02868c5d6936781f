// Asks before many drafts are approved: shows how many there are, and which accounts receive them.
import { type Post, repeatedDeliveries } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useRef } from "react";
import { usePostSettings } from "../../api/use-posting.ts";
import { t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { AccountName } from "../../ui/posts/post-fields.tsx";
import { postCountText } from "../../ui/posts/post-text.ts";

type Props = { drafts: readonly Post[]; onApprove: (posts: readonly Post[]) => void; onClose: () => void };

/**
 * Whether a draft may be approved together with others. One that asks a question, or whose moment was posted already, must
 * be approved on its own.
 */
export const canApproveWithOthers = (post: Post) => post.asks === null && repeatedDeliveries(post).length === 0;

const repeatedText = (count: number) =>
  t("{{count, number}} drafts of moments that were posted already stay drafts.", {
    count,
    defaultValue_one: "1 draft of a moment that was posted already stays a draft.",
  });

const leftText = (count: number) =>
  t("{{count, number}} drafts that need a decision stay drafts.", {
    count,
    defaultValue_one: "1 draft that needs a decision stays a draft.",
  });

const sentText = (count: number, seconds: number | undefined) =>
  seconds !== undefined && seconds > 0
    ? t("All {{count, number}} will be sent in {{seconds}} seconds, unless you undo it, to:", {
        count,
        seconds,
        defaultValue_one: "It will be sent in {{seconds}} seconds, unless you undo it, to:",
      })
    : t("All {{count, number}} will be sent to:", { count, defaultValue_one: "It will be sent to:" });

export function ApproveAllDialog({ drafts, onApprove, onClose }: Props) {
  const title = useId();
  const cancel = useRef<HTMLButtonElement>(null);
  const seconds = usePostSettings().data?.undoSeconds;
  const approvable = drafts.filter(canApproveWithOthers);
  const accounts = new Map(approvable.flatMap(({ deliveries }) => deliveries.map((each) => [each.account, each])));
  const leftCount = drafts.filter(({ asks }) => asks !== null).length;
  const repeatedCount = drafts.length - approvable.length - leftCount;
  return (
    <Dialog className="panel" labelledBy={title} focusFirst={cancel} onClose={onClose}>
      <h2 id={title}>
        {approvable.length === 0
          ? t("Each draft needs a decision of its own")
          : t("Approve {{posts}}?", { posts: postCountText(approvable.length) })}
      </h2>
      {approvable.length > 0 && (
        <>
          <p>{sentText(approvable.length, seconds)}</p>
          <ul className="cluster tight recipients">
            {[...accounts.values()].map((delivery) => (
              <li key={delivery.account}>
                <AccountName of={delivery} />
              </li>
            ))}
          </ul>
        </>
      )}
      {leftCount > 0 && <p>{leftText(leftCount)}</p>}
      {repeatedCount > 0 && <p>{repeatedText(repeatedCount)}</p>}
      <div className="panel-end">
        <Button ref={cancel} variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
        {approvable.length > 0 && (
          <Button
            onClick={() => {
              onApprove(approvable);
              onClose();
            }}
          >
            {t("Approve {{posts}}", { posts: postCountText(approvable.length) })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
