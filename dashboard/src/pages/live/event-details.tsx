// One event in full: what was sent, by whom, and what became of it.
import { changeRule, getReceipt, type KitEvent, type Receipt, type ReceiptEntry } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { EventRow } from "../../api/event-row.ts";
import { mergedStates } from "../../api/feed.ts";
import { useClient } from "../../api/session-context.ts";
import { useClipsOfEvent } from "../../api/use-clips.ts";
import { useGames } from "../../api/use-games.ts";
import { t, translateMessage } from "../../language/language.ts";
import { ClipTile } from "../../ui/clips/clip-tile.tsx";
import { isMarker } from "../../ui/clips/clip-words.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ignoreWord, stateWord } from "../../ui/event-words.ts";
import { KindLabel, StateBadge, Time } from "../../ui/labels.tsx";
import { JsonText, LongText } from "../../ui/long-text.tsx";
import { Fact, Section } from "../../ui/section.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { EventIssue } from "./event-issue.tsx";
import { EventPost } from "./event-post.tsx";
import { GameOfEvent } from "./game-of-event.tsx";

/** The time since the first state, as one would say it. */
function sinceOf(first: string, at: string): string {
  const ms = Date.parse(at) - Date.parse(first);
  if (!(ms > 0)) return "";
  if (ms < 1_000) return t("+{{ms}} ms", { ms });
  return ms < 120_000
    ? t("+{{seconds}} s", { seconds: (ms / 1_000).toFixed(1) })
    : t("+{{minutes}} min", { minutes: Math.round(ms / 60_000) });
}

/** The states an event went through, as they happened, with the time between them. */
function ReceiptTimeline({ states }: { states: readonly ReceiptEntry[] }) {
  const first = states[0]?.at ?? "";
  return (
    <ol className="timeline" aria-label={t("States, oldest first")}>
      {states.map((entry) => {
        const { says, tone } = stateWord(entry.state);
        return (
          <li key={`${entry.state} ${entry.at} ${entry.by}`} data-tone={tone}>
            <span className="timeline-state">{says}</span>
            <span className="timeline-by">{t("by {{part}}", { part: visibleText(entry.by) })}</span>
            <span className="timeline-at">
              <Time at={entry.at} /> <span className="timeline-since">{sinceOf(first, entry.at)}</span>
            </span>
            {entry.reason && (
              <p className="timeline-reason">
                <bdi>{visibleText(translateMessage(entry.reason))}</bdi>
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** What recording made of an event, beside its receipt. */
function EventClips({ event }: { event: KitEvent }) {
  const clips = useClipsOfEvent(event.id, event.state).data?.clips ?? [];
  if (clips.length === 0) return null;
  const title = clips.length === 1 ? t("Clip") : t("Clips");
  return (
    <Section title={clips.every(isMarker) ? t("Marker") : title}>
      <ul className="clip-tiles">
        {clips.map((clip) => (
          <li key={clip.id}>
            <ClipTile clip={clip} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What a person can say about an event id: ignore it from now on, or take it again. */
function EventActions({ event: { kind, eventId } }: { event: KitEvent }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const rule = useGames().data?.rules.find((known) => known.kind === kind && known.eventId === eventId);
  const change = useMutation({
    mutationFn: (enabled: boolean) => client.call(changeRule, { body: { kind, eventId: eventId ?? "", enabled } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["games"] }),
  });
  if (eventId === null || rule === undefined) return null;
  return (
    <Section title={t("From now on")}>
      <div className="event-actions">
        <p>
          {rule.enabled
            ? t("Kit takes this event whenever the game sends it.")
            : t("Kit ignores this event. It is still listed, so that you can see it was sent.")}
        </p>
        <Button
          variant="soft"
          color={rule.enabled ? "gray" : "iris"}
          disabled={change.isPending}
          onClick={() => change.mutate(!rule.enabled)}
        >
          {rule.enabled ? t("Ignore this event") : t("Take it again")}
        </Button>
      </div>
      {change.error && (
        <p className="details-warning" role="alert">
          {change.error.message}
        </p>
      )}
    </Section>
  );
}

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
            <bdi>{visibleText(translateMessage(note))}</bdi>
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
