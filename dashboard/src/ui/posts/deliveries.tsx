// A post's way to each account: how far it is, where it can be seen, and what a person decides where that is not clear.
import type { Delivery, Post } from "@kit/contract";
import { Badge, Button } from "@radix-ui/themes";
import { t, translateMessage } from "../../language/language.ts";
import { Icon } from "../icon.tsx";
import { toneColours } from "../labels.tsx";
import { visibleLine, visibleText } from "../visible-text.ts";
import { againIsRisky, deliveryWord, networkWord, pageOf, settleWords } from "./post-words.ts";
import type { PostCommands } from "./use-post-commands.ts";

/** Where a draft would go: nothing has happened there yet. */
export function Recipients({ deliveries }: { deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) return <p className="post-nobody">{t("It goes to no account.")}</p>;
  return (
    <ul className="recipients" aria-label={t("Goes to")}>
      {deliveries.map((delivery) => (
        <li key={delivery.account}>
          <AccountName of={delivery} />
        </li>
      ))}
    </ul>
  );
}

export function AccountName({ of: { network, name } }: { of: Pick<Delivery, "network" | "name"> }) {
  const { says, icon } = networkWord(network);
  return (
    <span className="account-name">
      <Icon name={icon} size={14} />
      <span>{says}</span>
      <bdi>{visibleLine(name, 60)}</bdi>
    </span>
  );
}

type Props = { post: Post; doing: PostCommands; nowMs: number };

export function Deliveries({ post, doing, nowMs }: Props) {
  if (post.deliveries.length === 0) return <p className="post-nobody">{t("It goes to no account.")}</p>;
  return (
    <ul className="deliveries" aria-label={t("Accounts")}>
      {post.deliveries.map((delivery) => (
        <li key={delivery.account} className="delivery" data-state={delivery.state}>
          <DeliveryLine delivery={delivery} nowMs={nowMs} />
          {(delivery.state === "maybe" || delivery.state === "failed") && (
            <Settle post={post} delivery={delivery} doing={doing} />
          )}
        </li>
      ))}
    </ul>
  );
}

function DeliveryLine({ delivery, nowMs }: { delivery: Delivery; nowMs: number }) {
  const { progress, says, notes, link } = delivery;
  const word = deliveryWord(delivery, nowMs);
  const page = link === null ? undefined : pageOf(link);
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
          aria-label={t("Making the footage fit: {{name}}", { name: visibleLine(delivery.name, 60) })}
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

type SettleProps = { post: Post; delivery: Delivery; doing: PostCommands };

/** What went wrong is decided by a person; each answer says what it does. */
function Settle({ post, delivery, doing }: SettleProps) {
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
            aria-label={`${settleWords[as].says}: ${name}`}
            onClick={() => doing.settle(post, delivery, as)}
          >
            {settleWords[as].says}
          </Button>
          <span>{unsure && as === "again" ? againIsRisky : settleWords[as].about}</span>
        </li>
      ))}
    </ul>
  );
}
