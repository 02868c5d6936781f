// The deliveries of a post: state and link of each, and what a person can decide about one that is unconfirmed or
// failed.
import { type Delivery, type Post, textOf } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { t, translateMessage } from "../../language/language.ts";
import { ToneBadge } from "../../ui/labels.tsx";
import { AccountName } from "../../ui/posts/account-name.tsx";
import { deliveryStateLabel, resendWarning, settleChoices, toWebLink } from "../../ui/posts/post-text.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import type { PostCommands } from "./use-post-commands.ts";

/** The accounts to which a draft will be sent. */
export function Recipients({ deliveries }: { deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) return <p className="small quiet">{t("No account is selected.")}</p>;
  return (
    <ul className="cluster tight recipients" aria-label={t("Recipients")}>
      {deliveries.map((delivery) => (
        <li key={delivery.account}>
          <AccountName of={delivery} />
        </li>
      ))}
    </ul>
  );
}

type Props = { post: Post; commands: PostCommands; nowMs: number };

export function Deliveries({ post, commands, nowMs }: Props) {
  if (post.deliveries.length === 0) return <p className="small quiet">{t("No account is selected.")}</p>;
  return (
    <ul className="stack tight deliveries" aria-label={t("Accounts")}>
      {post.deliveries.map((delivery) => (
        <li key={delivery.account} className="stack tight small delivery" data-state={delivery.state}>
          <DeliveryLine delivery={delivery} nowMs={nowMs} />
          {(delivery.state === "maybe" || delivery.state === "failed") && (
            <Settle post={post} delivery={delivery} commands={commands} />
          )}
        </li>
      ))}
    </ul>
  );
}

function DeliveryLine({ delivery, nowMs }: { delivery: Delivery; nowMs: number }) {
  const { progress, says, notes, link } = delivery;
  const word = deliveryStateLabel(delivery, nowMs);
  const page = link === null ? undefined : toWebLink(link);
  return (
    <>
      <p className="cluster">
        <AccountName of={delivery} />
        <ToneBadge {...word} />
        {page !== undefined && (
          <a href={page.href} target="_blank" rel="noopener noreferrer">
            {t("Open on {{host}}", { host: visibleLine(page.host, 60) })}
          </a>
        )}
      </p>
      {delivery.state === "preparing" && (
        <progress
          aria-label={t("Converting the footage for {{name}}", { name: visibleLine(delivery.name, 60) })}
          max={1}
          {...(progress === null ? {} : { value: progress })}
        />
      )}
      {says !== null && delivery.state !== "sent" && (
        <p className={delivery.state === "failed" ? "error" : "quiet"}>
          <bdi>{visibleText(translateMessage(says))}</bdi>
        </p>
      )}
      {notes.map((note) => (
        <p key={textOf(note)} className="quiet">
          <bdi>{visibleText(translateMessage(note))}</bdi>
        </p>
      ))}
    </>
  );
}

type SettleProps = { post: Post; delivery: Delivery; commands: PostCommands };

/** The buttons to decide about an unconfirmed or failed delivery. */
function Settle({ post, delivery, commands }: SettleProps) {
  const unsure = delivery.state === "maybe";
  const answers = unsure ? (["sent", "again", "dropped"] as const) : (["again", "dropped"] as const);
  const name = visibleLine(delivery.name, 60);
  return (
    <ul className="stack tight settle">
      {answers.map((as) => (
        <li key={as}>
          <Button
            size="1"
            variant="soft"
            color={as === "dropped" ? "gray" : "iris"}
            aria-label={`${settleChoices[as].says}: ${name}`}
            onClick={() => commands.settle(post, delivery, as)}
          >
            {settleChoices[as].says}
          </Button>
          <span>{unsure && as === "again" ? resendWarning : settleChoices[as].about}</span>
        </li>
      ))}
    </ul>
  );
}
