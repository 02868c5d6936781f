// The details of one event: its receipt, payload, facts and actions.
import {
  changeEventIdRule,
  getReceipt,
  issueIdInReceipt,
  type KitEvent,
  type Receipt,
  type ReceiptEntry,
  type ReceiptState,
  runClient,
} from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { EventRow } from "../../api/event-row.ts";
import { mergeReceiptEntries } from "../../api/feed.ts";
import { useClient } from "../../api/session.ts";
import { useClipsOfEvent } from "../../api/use-clips.ts";
import { useGames, useRefetchGames } from "../../api/use-games.ts";
import { t, translateMessage } from "../../language/language.ts";
import { eventPostAddress, issuesAddress, postRulesAddress } from "../../ui/address.ts";
import { isMarker } from "../../ui/clips/clip-text.ts";
import { ClipTile } from "../../ui/clips/clip-tile.tsx";
import { CommandLine, CopyButton } from "../../ui/copy-button.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { ignoreReasonText, receiptStateLabel } from "../../ui/event-text.ts";
import { KindLabel, StateBadge, Time } from "../../ui/labels.tsx";
import { JsonText, LongText } from "../../ui/long-text.tsx";
import { eventName } from "../../ui/names.ts";
import { Fact, IdFact, NotesSection, Section } from "../../ui/section.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { GameOfEvent } from "./game-of-event.tsx";

/** Returns how much time has passed since the first state. */
function elapsedText(first: string, at: string): string {
  const ms = Date.parse(at) - Date.parse(first);
  if (!(ms > 0)) return "";
  if (ms < 1_000) return t("+{{ms}} ms", { ms });
  return ms < 120_000
    ? t("+{{seconds}} s", { seconds: (ms / 1_000).toFixed(1) })
    : t("+{{minutes}} min", { minutes: Math.round(ms / 60_000) });
}

/** Shows the states that an event reached, and how long after the first one. */
function ReceiptTimeline({ states }: { states: readonly ReceiptEntry[] }) {
  const first = states[0]?.at ?? "";
  return (
    <ol className="timeline" aria-label={t("States, oldest first")}>
      {states.map((entry) => {
        const { says, tone } = receiptStateLabel(entry.state);
        return (
          <li key={`${entry.state} ${entry.at} ${entry.by}`} data-tone={tone}>
            <span className="timeline-state">{says}</span>
            <span className="timeline-by small quiet">
              {t("by {{component}}", { component: visibleText(entry.by) })}
            </span>
            <span className="timeline-at small quiet numbers">
              <Time at={entry.at} /> <span>{elapsedText(first, entry.at)}</span>
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

/** The clips and markers of an event. */
function EventClips({ event }: { event: KitEvent }) {
  const clips = useClipsOfEvent(event.id, event.state).data?.clips ?? [];
  if (clips.length === 0) return null;
  const title = clips.length === 1 ? t("Clip") : t("Clips");
  return (
    <Section title={clips.every(isMarker) ? t("Marker") : title}>
      <ul className="stack tight">
        {clips.map((clip) => (
          <li key={clip.id}>
            <ClipTile clip={clip} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The button that switches an event id on or off. */
function EventActions({ event: { kind, eventId } }: { event: KitEvent }) {
  const client = useClient();
  const refetchGames = useRefetchGames();
  const rule = useGames().data?.rules.find((known) => known.kind === kind && known.eventId === eventId);
  const change = useMutation({
    mutationFn: (enabled: boolean) =>
      client.call(changeEventIdRule, { body: { kind, eventId: eventId ?? "", enabled } }),
    onSettled: refetchGames,
  });
  if (eventId === null || rule === undefined) return null;
  return (
    <Section title={t("From now on")}>
      <div className="spread quiet">
        <p>
          {rule.enabled
            ? t("Kit accepts this event.")
            : t("Kit ignores this event, but still lists it so that you can see that the game sent it.")}
        </p>
        <Button
          variant="soft"
          color={rule.enabled ? "gray" : "iris"}
          disabled={change.isPending}
          onClick={() => change.mutate(!rule.enabled)}
        >
          {rule.enabled ? t("Ignore this event") : t("Accept this event")}
        </Button>
      </div>
      <ErrorText error={change.error} />
    </Section>
  );
}

/** The link from an error report to its issue. */
function EventIssue({ event, states }: { event: string; states: Receipt["states"] }) {
  const issue = issueIdInReceipt(states);
  if (issue === undefined) return null;
  return (
    <p>
      <a href={issuesAddress(issue, `event=${event}`)}>{t("Open the issue")}</a>
    </p>
  );
}

const postStates: readonly ReceiptState[] = ["drafted", "approved", "sent", "failed"];

/** The link from a social event to its post, or to the form for a rule if there is none. */
function EventPost({ event, states }: { event: KitEvent; states: Receipt["states"] }) {
  if (states.some(({ state }) => postStates.includes(state)))
    return (
      <p>
        <a href={eventPostAddress(event.id)}>{t("Open the post")}</a>
      </p>
    );
  const last = states.at(-1);
  // The event is switched off, so a rule would not create a post.
  if (event.eventId === null || event.reason || last?.state !== "ignored") return null;
  const { reason } = last;
  const hasRule = typeof reason !== "object" || reason.code !== "post_rule.none";
  return (
    <p>
      {hasRule ? (
        <a href={postRulesAddress()}>{t("Open the post rules")}</a>
      ) : (
        <a href={postRulesAddress(event.eventId)}>{t("Create a post rule for this event")}</a>
      )}
    </p>
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
      <header className="stack tight">
        <p className="cluster">
          <KindLabel kind={event.kind} />
          <StateBadge state={event.state} />
        </p>
        <h2 className="details-title">
          <bdi className={event.eventId === null ? undefined : "code"}>
            {visibleLine(event.eventId ?? event.payload.message ?? "", 500)}
          </bdi>
        </h2>
        {event.eventId !== null && <bdi className="small quiet">{eventName(event.eventId, event.game)}</bdi>}
        {event.reason && <p className="quiet">{ignoreReasonText(event.reason)}</p>}
      </header>
      <ReceiptSection receipt={receipt.data} error={receipt.error} row={row} />
      {event.kind !== "social" && <EventClips event={event} />}
      {!event.intact && (
        <p className="error">{t("The stored payload does not match its checksum, so it was damaged on the disk.")}</p>
      )}
      <NotesSection notes={event.notes} />
      <SentSections event={event} />
      <FactsSection event={event} games={games} />
      <EventActions event={event} />
      <Section title={t("In a terminal")}>
        <CommandLine command={`kit show ${event.id}`} />
      </Section>
    </>
  );
}

function SentSections({ event: { payload, client } }: { event: KitEvent }) {
  const isOutput = client === runClient;
  const title = isOutput ? t("Last output") : t("Stack trace");
  return (
    <>
      {payload.stackTrace && (
        <Section
          title={title}
          end={
            <CopyButton
              text={payload.stackTrace}
              label={isOutput ? t("Copy the last output") : t("Copy the stack trace")}
            />
          }
        >
          <LongText text={payload.stackTrace} label={title} />
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
  const states = mergeReceiptEntries(receipt?.states ?? [], row.liveEntries);
  return (
    <Section title={t("Receipt")}>
      {error && row.liveEntries.length === 0 ? (
        <p className="error">{error.message}</p>
      ) : (
        <ReceiptTimeline states={states} />
      )}
      {row.event.kind === "monitor" && <EventIssue event={row.event.id} states={states} />}
      {row.event.kind === "social" && <EventPost event={row.event} states={states} />}
    </Section>
  );
}

function FactsSection({ event, games }: { event: KitEvent; games: readonly string[] }) {
  return (
    <Section title={t("Facts")}>
      <dl className="facts">
        <Fact name={t("Game")}>
          <GameOfEvent event={event} games={games} />
        </Fact>
        <Fact name={t("Arrived")}>
          <Time at={event.receivedAt} date />
        </Fact>
        {event.actsOn !== event.receivedAt && (
          <Fact name={t("Happened")}>
            <Time at={event.actsOn} date />
          </Fact>
        )}
        <Fact name={t("Sent by")}>
          {event.client === null ? t("A program that did not identify itself") : visibleText(event.client)}
        </Fact>
        <Fact name={t("Web page")}>{event.origin === null ? t("None (native game)") : visibleText(event.origin)}</Fact>
        <IdFact id={event.id} />
      </dl>
    </Section>
  );
}
