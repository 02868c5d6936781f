// Asks before many posts are approved at once, and says how many and where they go.
import type { Post } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useRef } from "react";
import { usePostSettings } from "../../api/use-post-rules.ts";
import { t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { AccountName } from "../../ui/posts/deliveries.tsx";
import { postsWord } from "../../ui/posts/post-words.ts";

type Props = { drafts: readonly Post[]; onApprove: (posts: readonly Post[]) => void; onClose: () => void };

/** What a draft asks is answered for each by itself. */
export const isPlain = ({ asks }: Post) => asks === null;

const leftWord = (count: number) =>
  t("{{count, number}} drafts with something to decide stay as they are.", {
    count,
    defaultValue_one: "1 draft with something to decide stays as it is.",
  });

const sentWord = (count: number, seconds: number | undefined) =>
  seconds !== undefined && seconds > 0
    ? t("All {{count, number}} are sent in {{seconds}} seconds unless you undo it, to:", {
        count,
        seconds,
        defaultValue_one: "It is sent in {{seconds}} seconds unless you undo it, to:",
      })
    : t("All {{count, number}} are sent, to:", { count, defaultValue_one: "It is sent, to:" });

export function ApproveAllDialog({ drafts, onApprove, onClose }: Props) {
  const title = useId();
  const cancel = useRef<HTMLButtonElement>(null);
  const seconds = usePostSettings().data?.undoSeconds;
  const meant = drafts.filter(isPlain);
  const accounts = new Map(meant.flatMap(({ deliveries }) => deliveries.map((each) => [each.account, each])));
  const left = drafts.length - meant.length;
  return (
    <Dialog className="panel" labelledBy={title} focusFirst={cancel} onClose={onClose}>
      <h2 id={title}>
        {meant.length === 0
          ? t("Nothing to approve at once")
          : t("Approve {{posts}}?", { posts: postsWord(meant.length) })}
      </h2>
      {meant.length > 0 && (
        <>
          <p>{sentWord(meant.length, seconds)}</p>
          <ul className="recipients">
            {[...accounts.values()].map((delivery) => (
              <li key={delivery.account}>
                <AccountName of={delivery} />
              </li>
            ))}
          </ul>
        </>
      )}
      {left > 0 && <p>{leftWord(left)}</p>}
      <div className="panel-end">
        <Button ref={cancel} variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
        {meant.length > 0 && (
          <Button
            onClick={() => {
              onApprove(meant);
              onClose();
            }}
          >
            {t("Approve {{posts}}", { posts: postsWord(meant.length) })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
