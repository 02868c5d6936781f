// One event in full: what was sent, by whom, and what became of it.
import { getReceipt, type KitEvent, type Receipt } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { CommandLine } from "../frame/command-line.tsx";
import { CopyButton } from "../frame/copy-button.tsx";
import { EventIssue } from "../issues/event-issue.tsx";
import { t, told } from "../language/language.ts";
import { EventPost } from "../posts/event-post.tsx";
import { useClient } from "../session/session-context.ts";
import { EventActions } from "./event-actions.tsx";
import { EventClips } from "./event-clips.tsx";
import { mergedStates } from "./feed.ts";
import { GameOfEvent } from "./game-of-event.tsx";
import { KindLabel, StateBadge, Time } from "./labels.tsx";
import { JsonText, LongText } from "./long-text.tsx";
import { ReceiptTimeline } from "./receipt-timeline.tsx";
import type { EventRow } from "./row.ts";
import { Fact, Section } from "./section.tsx";
import { visibleLine, visibleText } from "./visible-text.ts";
import { ignoreWord } from "./words.ts";

export function EventDetails({ row, games }: { row: EventRow; games: readonly string[] }) {
  const { event } = row;
  const client = useClient();
  const receipt = useQuery({
    queryKey: ["receipt", event.id],
    queryFn: () => client.call(getReceipt, { params: { id: event.id } }),
  });
  return (
    <>
      <header className="details-head">
        <p className="details-kind">
          <KindLabel kind={event.kind} />
          <StateBadge state={event.state} />
        </p>
        <h2 className="details-title" data-prose={event.eventId === null}>
          <bdi>{visibleLine(event.eventId ?? event.payload.message ?? "", 500)}</bdi>
        </h2>
        {event.reason && <p className="details-says">{ignoreWord(event.reason)}</p>}
      </header>
      <ReceiptSection receipt={receipt.data} error={receipt.error} row={row} />
      {event.kind !== "social" && <EventClips event={event} />}
      {!event.intact && (
        <p className="details-warning">
          {t("The stored payload no longer matches its checksum: the disk changed it.")}
        </p>
      )}
      {event.notes.length > 0 && <NotesSection notes={event.notes} />}
      <SentSections payload={event.payload} />
      <FactsSection event={event} games={games} />
      <EventActions event={event} />
      <Section title={t("In a terminal")}>
        <CommandLine command={`npx kit show ${event.id}`} />
      </Section>
    </>
  );
}

function SentSections({ payload }: { payload: KitEvent["payload"] }) {
  return (
    <>
      {payload.stackTrace && (
        <Section
          title={t("Stack trace")}
          end={<CopyButton text={payload.stackTrace} label={t("Copy the stack trace")} />}
        >
          <LongText text={payload.stackTrace} label={t("Stack trace")} />
        </Section>
      )}
      <Section
        title={t("Payload")}
        end={
          <CopyButton
            text={JSON.stringify(payload, null, 2)}
            label={t("Copy the payload as JSON")}
            shows={t("Copy JSON")}
          />
        }
      >
        <JsonText value={payload} label={t("Payload")} />
      </Section>
    </>
  );
}

type ReceiptProps = { receipt: Receipt | undefined; error: Error | null; row: EventRow };

function ReceiptSection({ receipt, error, row }: ReceiptProps) {
  const states = mergedStates(receipt?.states ?? [], row.heard);
  return (
    <Section title={t("Receipt")}>
      {error && row.heard.length === 0 ? (
        <p className="details-warning">{error.message}</p>
      ) : (
        <ReceiptTimeline states={states} />
      )}
      {row.event.kind === "monitor" && <EventIssue event={row.event.id} states={states} />}
      {row.event.kind === "social" && <EventPost event={row.event} states={states} />}
    </Section>
  );
}

function NotesSection({ notes }: { notes: readonly string[] }) {
  return (
    <Section title={t("Notes")}>
      <ul className="notes">
        {notes.map((note) => (
          <li key={note}>
            <bdi>{visibleText(told(note))}</bdi>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function FactsSection({ event, games }: { event: KitEvent; games: readonly string[] }) {
  return (
    <Section title={t("Facts")}>
      <dl className="facts">
        <div className="fact">
          <dt>{t("Game")}</dt>
          <dd>
            <GameOfEvent event={event} games={games} />
          </dd>
        </div>
        <Fact name={t("Arrived")}>
          <Time at={event.receivedAt} date />
        </Fact>
        {event.actsOn !== event.receivedAt && (
          <Fact name={t("Happened")}>
            <Time at={event.actsOn} date />
          </Fact>
        )}
        <Fact name={t("Sent by")}>
          {event.client === null ? t("A program that did not name itself") : visibleText(event.client)}
        </Fact>
        <Fact name={t("Web page")}>{event.origin === null ? t("None: a native game") : visibleText(event.origin)}</Fact>
        <div className="fact">
          <dt>{t("Id")}</dt>
          <dd className="fact-id">
            <code>{event.id}</code>
            <CopyButton text={event.id} label={t("Copy the id")} />
          </dd>
        </div>
      </dl>
    </Section>
  );
}
