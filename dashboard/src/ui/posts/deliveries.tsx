// The deliveries of a post: state, link, and decisions for unclear ones.
import type { Delivery, Post } from "@kit/contract";
import { Badge, Button } from "@radix-ui/themes";
import { t, translateMessage } from "../../language/language.ts";
import { PathIcon } from "../icon.tsx";
import { toneColours } from "../labels.tsx";
import { visibleLine, visibleText } from "../visible-text.ts";
import { deliveryStateLabel, networkLabel, resendWarning, settleOptions, toWebLink } from "./post-text.ts";
import type { PostCommands } from "./use-post-commands.ts";

/** The accounts that a draft would be sent to. */
export function Recipients({ deliveries }: { deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) return <p className="post-nobody">{t("No account is selected.")}</p>;
  return (
    <ul className="recipients" aria-label={t("Recipients")}>
      {deliveries.map((delivery) => (
        <li key={delivery.account}>
          <AccountName of={delivery} />
        </li>
      ))}
    </ul>
  );
}

export function AccountName({ of: { network, name } }: { of: Pick<Delivery, "network" | "name"> }) {
  const { says, icon } = networkLabel(network);
  return (
    <span className="account-name">
      <PathIcon path={icon} size={14} />
      <span>{says}</span>
      <bdi>{visibleLine(name, 60)}</bdi>
    </span>
  );
}

type Props = { post: Post; commands: PostCommands; nowMs: number };

export function Deliveries({ post, commands, nowMs }: Props) {
  if (post.deliveries.length === 0) return <p className="post-nobody">{t("No account is selected.")}</p>;
  return (
    <ul className="deliveries" aria-label={t("Accounts")}>
      {post.deliveries.map((delivery) => (
        <li key={delivery.account} className="delivery" data-state={delivery.state}>
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
      <p className="delivery-head">
        <AccountName of={delivery} />
        <Badge
          className="state"
          color={toneColours[word.tone]}
          variant={word.tone === "quiet" ? "outline" : "soft"}
          data-tone={word.tone}
        >
          {word.says}
        </Badge>
        {page !== undefined && (
          <a className="post-link" href={page.href} target="_blank" rel="noopener noreferrer">
            {t("Open on {{host}}", { host: visibleLine(page.host, 60) })}
          </a>
        )}
      </p>
      {delivery.state === "preparing" && (
        <progress
          className="delivery-progress"
          aria-label={t("Converting the footage for {{name}}", { name: visibleLine(delivery.name, 60) })}
          max={1}
          {...(progress === null ? {} : { value: progress })}
        />
      )}
      {says !== null && delivery.state !== "sent" && (
        <p className="delivery-says" data-bad={delivery.state === "failed"}>
          <bdi>{visibleText(translateMessage(says))}</bdi>
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="delivery-note">
          <bdi>{visibleText(translateMessage(note))}</bdi>
        </p>
      ))}
    </>
  );
}

type SettleProps = { post: Post; delivery: Delivery; commands: PostCommands };

/** Buttons to decide about an unconfirmed or failed delivery. */
function Settle({ post, delivery, commands }: SettleProps) {
  const unsure = delivery.state === "maybe";
  const answers = unsure ? (["sent", "again", "dropped"] as const) : (["again", "dropped"] as const);
  const name = visibleLine(delivery.name, 60);
  return (
    <ul className="settle">
      {answers.map((as) => (
        <li key={as}>
          <Button
            size="1"
            variant="soft"
            color={as === "dropped" ? "gray" : "iris"}
            aria-label={`${settleOptions[as].says}: ${name}`}
            onClick={() => commands.settle(post, delivery, as)}
          >
            {settleOptions[as].says}
          </Button>
          <span>{unsure && as === "again" ? resendWarning : settleOptions[as].about}</span>
        </li>
      ))}
    </ul>
  );
}
