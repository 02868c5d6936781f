// One sitting as a track: its events with what became of each, its clips, and the stretches in which nothing happened.
import {
  oneLine,
  sessionsComparedMax,
  type Timeline,
  type TimelineClip,
  type TimelineEntry,
  timelineEntriesMax,
  timelineGapMsMin,
} from "@kit/contract";
import { type OpenSession, showSession } from "./open-session.ts";
import type { SessionEvent, Stretch, TimelineStore } from "./timeline-store.ts";

/** Events read for one answer; of a flood more are read than are shown. */
const readMax = 20_000;
const pageMax = 1_000;
/** Of equal reports in a minute so many are shown one by one. */
const alikeMax = 3;
const aMinuteMs = 60_000;
const noWords = "An error without words";

type WordsOf = (eventId: string, game: string | null) => string;
type InClip = { readonly clip: string; readonly second: number };

export type TimelineNeeds = {
  readonly store: TimelineStore;
  /** An event in words. */
  readonly wordsOf: WordsOf;
  readonly now: () => number;
  /** Of a game and a time, or with one of these events. */
  readonly clipsBetween: (
    game: string | null,
    fromMs: number,
    toMs: number,
    events: readonly string[],
  ) => Promise<readonly TimelineClip[]>;
  /** Where in which clip each of these events is. */
  readonly clipsOf: (events: readonly string[]) => Promise<ReadonlyMap<string, InClip>>;
  /** Which issue each of these reports counts to. */
  readonly issuesOf: (events: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Of each of these stretches of the journal the issues of the reports in it. */
  readonly issuesWithin: (stretches: readonly Stretch[]) => Promise<readonly ReadonlySet<string>[]>;
  /** Which post was made of each of these events. */
  readonly postsOf?: (events: readonly string[]) => Promise<ReadonlyMap<string, string>>;
};

type Shown = { readonly event: SessionEvent; readonly label: string; count: number };
type Read = { readonly shown: readonly Shown[]; readonly until: number | null };

const isoOf = (ms: number) => new Date(ms).toISOString();

function labelOf({ kind, eventId, message }: SessionEvent, game: string | null, wordsOf: WordsOf): string {
  if (kind !== "monitor" && eventId !== null) return wordsOf(eventId, game);
  return oneLine((message ?? "").split("\n", 1)[0] ?? "") || noWords;
}

/** Thins floods of equal reports, minute by minute; false where there is no room for another entry. */
function createThinner(game: string | null, wordsOf: WordsOf) {
  const shown: Shown[] = [];
  const alike = new Map<string, Shown[]>();
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

async function read({ store, wordsOf }: TimelineNeeds, { id, game }: OpenSession, afterSeq: number): Promise<Read> {
  const { shown, add } = createThinner(game, wordsOf);
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

/** Between two times the stretches that nothing touches. */
export function gapsIn(
  fromMs: number,
  toMs: number,
  filled: readonly { readonly fromMs: number; readonly toMs: number }[],
): Timeline["gaps"] {
  const gaps: Timeline["gaps"] = [];
  let reached = fromMs;
  const add = (untilMs: number) => {
    if (untilMs - reached >= timelineGapMsMin) gaps.push({ from: isoOf(reached), to: isoOf(untilMs) });
  };
  for (const span of [...filled].sort((one, other) => one.fromMs - other.fromMs)) {
    add(Math.min(span.fromMs, toMs));
    reached = Math.max(reached, span.toMs);
  }
  add(toMs);
  return gaps;
}

type Spread = Pick<Timeline, "compared" | "issues">;

/** In how many of the sessions before it the issues of a session occurred, too. */
async function spreadOf({ store, issuesWithin }: TimelineNeeds, { id, game, errors }: OpenSession): Promise<Spread> {
  if (game === null || errors === 0) return { compared: 0, issues: [] };
  const sessions = await store.upTo(id, sessionsComparedMax);
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

/** `afterSeq` is where the part before ended; 0 for the first. */
export function createTimeline(needs: TimelineNeeds) {
  const { store, now, clipsBetween, clipsOf, issuesOf, postsOf = async () => new Map<string, string>() } = needs;

  return async function timeline(sitting: OpenSession, afterSeq: number): Promise<Timeline> {
    const [{ shown, until }, kept, spread] = await Promise.all([
      read(needs, sitting, afterSeq),
      store.kept(sitting.id),
      afterSeq === 0 ? spreadOf(needs, sitting) : { compared: 0, issues: [] },
    ]);
    const times = shown.map(({ event }) => event.atMs);
    const endMs = Math.max(sitting.endedMs ?? now(), sitting.lastMs ?? sitting.startedMs);
    const firstMs = afterSeq === 0 ? sitting.startedMs : times.reduce((one, other) => Math.min(one, other), endMs);
    const lastMs = until === null ? endMs : times.reduce((one, other) => Math.max(one, other), firstMs);
    const ids = shown.map(({ event }) => event.id);
    const idsOf = (kind: string) => shown.filter(({ event }) => event.kind === kind).map(({ event }) => event.id);
    const [clips, inClips, issues, posts] = await Promise.all([
      clipsBetween(sitting.game, firstMs, lastMs, ids),
      clipsOf(ids),
      issuesOf(idsOf("monitor")),
      postsOf(idsOf("social")),
    ]);
    const entries = shown.map(({ event, label, count }): TimelineEntry => {
      const { id, kind, eventId, state } = event;
      const { clip = null, second = null } = inClips.get(id) ?? {};
      const became = { clip, second, issue: issues.get(id) ?? null, post: posts.get(id) ?? null };
      return { at: isoOf(event.atMs), kind, id, eventId, label, state, count, ...became };
    });
    const filled = [
      ...times.map((atMs) => ({ fromMs: atMs, toMs: atMs })),
      ...clips.map(({ from, to }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })),
    ];
    return {
      session: showSession(sitting),
      entries: entries.sort((one, other) => Date.parse(one.at) - Date.parse(other.at)),
      clips: [...clips],
      gaps: gapsIn(firstMs, lastMs, filled),
      until: until === null ? null : String(until),
      forgotten: Math.max(0, sitting.events - kept),
      ...spread,
    };
  };
}
