// Builds the timeline of a session: its events with their clips, issues and posts, its clips, and the gaps in between.
import {
  sessionsComparedMax,
  type Timeline,
  type TimelineClip,
  type TimelineEntry,
  timelineEntriesMax,
  timelineGapMsMin,
  toShortLine,
} from "@kit/contract";
import { isoTime } from "../../storage/sql.ts";
import type { JournalStretch, SessionEvent, TimelineStore } from "./session-store.ts";
import { type StoredGameSession, toGameSession } from "./stored-session.ts";

/** How many events are read for one response: more than the response shows, because equal reports are combined. */
const readMax = 20_000;
const pageMax = 1_000;
/** How many equal reports within a minute are shown one by one. Further ones are only counted. */
const alikeMax = 3;
const aMinuteMs = 60_000;
const emptyMessageLabel = "Error without a message";

type WordsOf = (eventId: string, game: string | null) => string;
type InClip = { readonly clip: string; readonly second: number };

export type TimelineDeps = {
  readonly store: TimelineStore;
  /** Returns an event id in words: its label, or words made from the id. */
  readonly wordsOf: WordsOf;
  readonly now: () => number;
  /** Returns the clips of a game between two times, and all clips that contain one of these events. */
  readonly clipsBetween: (
    game: string | null,
    fromMs: number,
    toMs: number,
    events: readonly string[],
  ) => Promise<readonly TimelineClip[]>;
  /** Returns the clip of each event, and the second of the clip at which the event happened. */
  readonly clipsOf: (events: readonly string[]) => Promise<ReadonlyMap<string, InClip>>;
  /** Returns the issue of each report. */
  readonly issuesOf: (events: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Returns the issues of the reports in each stretch of the journal. */
  readonly issuesWithin: (stretches: readonly JournalStretch[]) => Promise<readonly ReadonlySet<string>[]>;
  /** Returns the post that was made from each event. */
  readonly postsOf?: (events: readonly string[]) => Promise<ReadonlyMap<string, string>>;
};

type TimelineRow = { readonly event: SessionEvent; readonly label: string; count: number };
/** `until` is where the next part begins; null if this is the last part. */
type TimelineRows = { readonly shown: readonly TimelineRow[]; readonly until: number | null };

function labelOf({ kind, eventId, message }: SessionEvent, game: string | null, wordsOf: WordsOf): string {
  if (kind !== "monitor" && eventId !== null) return wordsOf(eventId, game);
  return toShortLine((message ?? "").split("\n", 1)[0] ?? "") || emptyMessageLabel;
}

/** Collects rows, and combines equal reports within a minute. `add` returns false if no further row fits. */
function createRowCollector(game: string | null, wordsOf: WordsOf) {
  const shown: TimelineRow[] = [];
  const alike = new Map<string, TimelineRow[]>();
  return {
    shown,
    add(event: SessionEvent): boolean {
      const label = labelOf(event, game, wordsOf);
      const same = event.kind === "monitor" ? `${Math.floor(event.atMs / aMinuteMs)} ${label}` : event.id;
      const before = alike.get(same) ?? [];
      const last = before.at(-1);
      if (before.length >= alikeMax && last !== undefined) {
        last.count += 1;
        return true;
      }
      if (shown.length >= timelineEntriesMax) return false;
      const one = { event, label, count: 1 };
      shown.push(one);
      alike.set(same, [...before, one]);
      return true;
    },
  };
}

async function readTimelineRows(
  { store, wordsOf }: TimelineDeps,
  { id, game }: StoredGameSession,
  afterSeq: number,
): Promise<TimelineRows> {
  const { shown, add } = createRowCollector(game, wordsOf);
  let until = afterSeq;
  for (let count = 0; count < readMax; count += pageMax) {
    const events = await store.events(id, until, pageMax);
    for (const event of events) {
      if (!add(event)) return { shown, until };
      until = event.seq;
    }
    if (events.length < pageMax) return { shown, until: null };
  }
  return { shown, until };
}

/** Returns the gaps between two times that none of the spans in `filled` covers, if they last `timelineGapMsMin` or longer. */
export function findGaps(
  fromMs: number,
  toMs: number,
  filled: readonly { readonly fromMs: number; readonly toMs: number }[],
): Timeline["gaps"] {
  const gaps: Timeline["gaps"] = [];
  let reached = fromMs;
  const add = (untilMs: number) => {
    if (untilMs - reached >= timelineGapMsMin) gaps.push({ from: isoTime(reached), to: isoTime(untilMs) });
  };
  for (const span of [...filled].sort((one, other) => one.fromMs - other.fromMs)) {
    add(Math.min(span.fromMs, toMs));
    reached = Math.max(reached, span.toMs);
  }
  add(toMs);
  return gaps;
}

type IssueComparison = Pick<Timeline, "compared" | "issues">;

/** Counts, for each issue of this session, in how many of the last sessions of the game it occurred. */
async function countIssueSessions(
  { store, issuesWithin }: TimelineDeps,
  { id, game, errors }: StoredGameSession,
): Promise<IssueComparison> {
  if (game === null || errors === 0) return { compared: 0, issues: [] };
  const sessions = await store.stretchesUpTo(id, sessionsComparedMax);
  const found = await issuesWithin(sessions.flat());
  let from = 0;
  const ofSessions = sessions.map((stretches) => {
    const own = found.slice(from, from + stretches.length);
    from += stretches.length;
    return new Set(own.flatMap((issues) => [...issues]));
  });
  const issues = [...(ofSessions[0] ?? [])].map((issue) => ({
    issue,
    sessions: ofSessions.filter((those) => those.has(issue)).length,
  }));
  return { compared: sessions.length, issues };
}

/** The returned function builds one part of a timeline. `afterSeq` is where the part before ended; 0 for the first part. */
export function createTimeline(needs: TimelineDeps) {
  const { store, now, clipsBetween, clipsOf, issuesOf, postsOf = async () => new Map<string, string>() } = needs;

  return async function timeline(session: StoredGameSession, afterSeq: number): Promise<Timeline> {
    const [{ shown, until }, storedCount, comparison] = await Promise.all([
      readTimelineRows(needs, session, afterSeq),
      store.countStored(session.id),
      afterSeq === 0 ? countIssueSessions(needs, session) : { compared: 0, issues: [] },
    ]);
    const times = shown.map(({ event }) => event.atMs);
    const endMs = Math.max(session.endedMs ?? now(), session.lastMs ?? session.startedMs);
    const firstMs = afterSeq === 0 ? session.startedMs : times.reduce((one, other) => Math.min(one, other), endMs);
    const lastMs = until === null ? endMs : times.reduce((one, other) => Math.max(one, other), firstMs);
    const ids = shown.map(({ event }) => event.id);
    const idsOf = (kind: string) => shown.filter(({ event }) => event.kind === kind).map(({ event }) => event.id);
    const [clips, inClips, issues, posts] = await Promise.all([
      clipsBetween(session.game, firstMs, lastMs, ids),
      clipsOf(ids),
      issuesOf(idsOf("monitor")),
      postsOf(idsOf("social")),
    ]);
    const entries = shown.map(({ event, label, count }): TimelineEntry => {
      const { id, kind, eventId, state } = event;
      const { clip = null, second = null } = inClips.get(id) ?? {};
      const became = { clip, second, issue: issues.get(id) ?? null, post: posts.get(id) ?? null };
      return { at: isoTime(event.atMs), kind, id, eventId, label, state, count, ...became };
    });
    const filled = [
      ...times.map((atMs) => ({ fromMs: atMs, toMs: atMs })),
      ...clips.map(({ from, to }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })),
    ];
    return {
      session: toGameSession(session),
      entries: entries.sort((one, other) => Date.parse(one.at) - Date.parse(other.at)),
      clips: [...clips],
      gaps: findGaps(firstMs, lastMs, filled),
      until: until === null ? null : String(until),
      forgotten: Math.max(0, session.events - storedCount),
      ...comparison,
    };
  };
}
