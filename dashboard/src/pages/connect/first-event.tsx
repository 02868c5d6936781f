// Shows whether the first event has arrived: not yet, yes, or refused with the reason.
import { fieldName, type KitEvent, type Refusal } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { createEventRow, createRefusalRow } from "../../api/event-row.ts";
import type { FeedConnection } from "../../api/follow-feed.ts";
import { t, translateFieldError, translateMessage } from "../../language/language.ts";
import { rowAddress } from "../../ui/address.ts";
import { SendFromTerminal, waitingForFirstEvent } from "../../ui/empty.tsx";
import { ignoreReasonText } from "../../ui/event-text.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { KindLabel, StateBadge, Time } from "../../ui/labels.tsx";
import { Fact } from "../../ui/section.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import type { Arrivals } from "./arrivals.ts";

type Shown = {
  tone: "waiting" | "good" | "bad" | "warn";
  icon: IconName;
  says: string;
  /** Detail for screen readers only: everybody else sees it below. */
  spokenDetail?: string;
};

const eventName = (event: KitEvent, charsMax?: number) =>
  visibleLine(event.eventId ?? event.payload.message ?? "", charsMax);

/** Returns the reason in one line: the errors of the invalid fields, or if there are none, the launcher's sentence. */
const refusalReason = ({ errors, detail }: Refusal) =>
  visibleText(
    errors.map((error) => `${fieldName(error.path)}: ${translateFieldError(error)}`).join("; ") ||
      translateMessage(detail),
  );

function statusOf({ event, refusal, earlier }: Arrivals, connection: FeedConnection): Shown {
  if (event) {
    const says = earlier ? t("Your event arrived") : t("Your first event arrived");
    return { tone: "good", icon: "check", says, spokenDetail: eventName(event) };
  }
  if (refusal) {
    return {
      tone: "bad",
      icon: "refused",
      says: t("A request arrived but was refused"),
      spokenDetail: refusalReason(refusal),
    };
  }
  if (connection.state === "connecting") return { tone: "waiting", icon: "record", says: t("Connecting") };
  if (connection.state !== "live") {
    return {
      tone: "warn",
      icon: "warning",
      says: t("Kit is not responding. Events cannot arrive until it is running again."),
    };
  }
  return {
    tone: "waiting",
    icon: "record",
    says: earlier ? t("Waiting for your next event") : waitingForFirstEvent(),
  };
}

type Props = { arrivals: Arrivals; connection: FeedConnection; again: () => void };

export function FirstEvent({ arrivals, connection, again }: Props) {
  const { tone, icon, says, spokenDetail } = statusOf(arrivals, connection);
  const { event, refusal, earlier } = arrivals;
  return (
    <section className="card" data-tone={tone} aria-labelledby="first-event-title">
      <h2 id="first-event-title" className="unseen">
        {t("First event")}
      </h2>
      <p className="with-icon first-event-says" role="status">
        <Icon name={icon} size={18} />
        <span>
          {says}
          {spokenDetail && <span className="unseen">: {spokenDetail}</span>}
        </span>
      </p>
      {event && <Arrived event={event} onAgain={again} />}
      {refusal && <Refused refusal={refusal} />}
      {!event && !refusal && <Waiting earlier={earlier} />}
    </section>
  );
}

function Waiting({ earlier }: { earlier: KitEvent | undefined }) {
  return (
    <>
      <p>{t("Run the game until that line is executed. This page updates as soon as Kit has stored the event.")}</p>
      <p>
        {t(
          "While this page waits, Kit keeps the last seconds of the game or the screen, so that the event gets a clip.",
        )}
      </p>
      {earlier && (
        <p>
          {t("Previous event:")}{" "}
          <a href={rowAddress(earlier.id)}>
            <bdi>{eventName(earlier, 100)}</bdi>
          </a>
          , <Time at={earlier.receivedAt} date />
        </p>
      )}
      <SendFromTerminal />
    </>
  );
}

function Arrived({ event, onAgain }: { event: KitEvent; onAgain: () => void }) {
  const row = createEventRow(event, true);
  return (
    <>
      <p className="cluster">
        <KindLabel kind={event.kind} />
        <StateBadge state={event.state} />
      </p>
      {event.reason && <p>{t("The event was stored but ignored: {{why}}", { why: ignoreReasonText(event.reason) })}</p>}
      <dl className="facts">
        <Fact name={event.eventId === null ? t("Message") : t("Event ID")}>{eventName(event)}</Fact>
        <Fact name={t("Arrived")}>
          <Time at={event.receivedAt} date />
        </Fact>
        <Fact name={t("Sent by")}>
          {event.client === null ? t("A program that did not identify itself") : visibleText(event.client)}
        </Fact>
      </dl>
      <div className="cluster tight">
        <Button asChild variant="solid">
          <a href={rowAddress(row.key)}>{t("Show it in Live")}</a>
        </Button>
        <Button variant="soft" color="gray" onClick={onAgain}>
          {t("Wait for another event")}
        </Button>
      </div>
    </>
  );
}

function Refused({ refusal }: { refusal: Refusal }) {
  return (
    <>
      {refusal.errors.length === 0 ? (
        <p>
          <bdi>{visibleText(translateMessage(refusal.detail))}</bdi>
        </p>
      ) : (
        <ul className="stack tight">
          {refusal.errors.map((error) => (
            <li key={`${error.path} ${error.message}`}>
              <code className="member">{visibleText(fieldName(error.path))}</code>{" "}
              <bdi>{visibleText(translateFieldError(error))}</bdi>
            </li>
          ))}
        </ul>
      )}
      <dl className="facts">
        <Fact name={t("Request")}>
          {visibleText(refusal.method)} {visibleText(refusal.path)}
        </Fact>
        <Fact name={t("Arrived")}>
          <Time at={refusal.at} date />
        </Fact>
      </dl>
      <p>
        {t("Nothing was stored. This page keeps waiting for an event.")}{" "}
        <a href={rowAddress(createRefusalRow(refusal).key)}>{t("Show it in Live")}</a>
      </p>
    </>
  );
}
