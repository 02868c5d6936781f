// Asks before many drafts are approved: shows how many there are, and which accounts receive them.
import type { Post } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useRef } from "react";
import { usePostSettings } from "../../api/use-posting.ts";
import { t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { AccountName } from "../../ui/posts/post-fields.tsx";
import { postCountText } from "../../ui/posts/post-text.ts";

type Props = { drafts: readonly Post[]; onApprove: (posts: readonly Post[]) => void; onClose: () => void };

/** Whether a draft may be approved together with others. One that asks a question must be approved on its own. */
export const canApproveWithOthers = ({ asks }: Post) => asks === null;

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
  const leftCount = drafts.length - approvable.length;
  return (
    <Dialog className="panel" labelledBy={title} focusFirst={cancel} onClose={onClose}>
      <h2 id={title}>
        {approvable.length === 0
          ? t("Every draft needs a decision first")
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
