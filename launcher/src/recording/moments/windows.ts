// Moments and rules become plans: which clip a moment is in, when that clip is to be cut, and when it is closed.
import { randomUUIDv7 } from "node:crypto";
import type { ClipKind, RecordingAction } from "@kit/contract";
import type { Moment, Plan } from "../plan.ts";
import { type Fit, fitInto, type Held, type Span } from "./fit.ts";

/** What an event makes of the screen, in milliseconds. */
export type MomentRule = Span & {
  readonly action: Exclude<RecordingAction, "nothing">;
  readonly cooldownMs: number;
  readonly priority: number;
  /** Why it is only a marker, where its rule asks for more. */
  readonly reason?: string;
};

export type Placed = {
  /**
   * opened: a clip or a screenshot of its own; joined: an open clip, longer or not; late: a closed clip, as it is;
   * marked: a marker, its own or one of the same id within the cooldown.
   */
  readonly as: "opened" | "joined" | "late" | "marked";
  readonly plan: Plan;
  /** Of a marker: why it is no more than that. */
  readonly reason?: string;
};

type Due = {
  /** Their last second is over: to be cut, or, when they grew after a cut, to be cut anew. */
  readonly cut: readonly Plan[];
  /** Nothing joins them any more. */
  readonly closed: readonly Plan[];
};

/** Deterministic: what it says depends on what it was told, and on the times it was told, alone. */
export type Windows = {
  /** Idempotent by the moment's event: a second time it says the same, with the plan as it is now. */
  place(moment: Moment, game: string | null, rule: MomentRule, nowMs: number): Placed;
  /** Whether that event was placed already. */
  knows(event: string): boolean;
  due(nowMs: number): Due;
  /** When `due` has something to say next; undefined while nothing is open. */
  nextDueMs(nowMs: number): number | undefined;
  /** Those that are not closed. */
  open(): readonly Plan[];
  /** Forgets a clip that will not be: what comes next begins another, and no cooldown counts from it. */
  forget(plan: Plan): void;
  /** A clip is two from now on: nothing joins the first any more, and the rest goes on as the clip did. */
  split(first: Plan, rest: Plan): void;
};

type Entry = Held & { readonly game: string | null; readonly wantsCut: boolean };

/** An event travels: one from within the gap may come this much later, and joins all the same. */
const arrivalMs = 500;
/** A game that makes up games or ids without end must not make clips without end. */
const openMax = 40;
const momentsMax = 1_000;
/** How long a closed clip keeps what lies in it from being recorded again; longer than any replay buffer. */
const rememberedMs = 600_000;
const knownMax = 5_000;
/** No rule asks for more after now. What lies further ahead was planned before the clock was set back: it is over. */
const aheadMaxMs = 180_000;

const seconds = (ms: number) => String(Math.round(ms / 100) / 10);
const isOver = (atMs: number, nowMs: number) => atMs <= nowMs || atMs > nowMs + aheadMaxMs;
const byTime = (a: { atMs: number }, b: { atMs: number }) => a.atMs - b.atMs;
const keyOf = ({ kind, eventId, label }: Moment, game: string | null) => JSON.stringify([kind, game, eventId ?? label]);

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > knownMax) map.delete(map.keys().next().value ?? key);
}

function planOf(kind: ClipKind, moment: Moment, game: string | null, rule: MomentRule, window?: Fit): Plan {
  const { fromMs, toMs, notes } = window ?? { fromMs: moment.atMs, toMs: moment.atMs, notes: [] };
  const { label: title } = moment;
  return { id: randomUUIDv7(), kind, game, title, fromMs, toMs, moments: [moment], priority: rule.priority, notes };
}

const withMoment = (plan: Plan, moment: Moment, priority = plan.priority): Plan => ({
  ...plan,
  moments: [...plan.moments, moment].toSorted(byTime),
  priority: Math.max(plan.priority, priority),
});

export function createWindows(): Windows {
  /** All that is remembered, in the order of their times. */
  let entries: readonly Entry[] = [];
  const known = new Map<string, Placed>();
  /** When an id last made or lengthened a clip. */
  const lastAtMs = new Map<string, number>();
  const markers = new Map<string, Plan>();

  const newest = (plan: Plan): Plan => {
    const held = entries.find((entry) => entry.plan.id === plan.id)?.plan ?? plan;
    return [...markers.values()].find(({ id }) => id === plan.id) ?? held;
  };
  const lineOf = (game: string | null) => entries.filter((entry) => entry.game === game);
  const keep = (entry: Entry, instead?: Held) => {
    const others = entries.filter((other) => other !== instead);
    entries = [...others, entry].toSorted((a, b) => a.plan.fromMs - b.plan.fromMs);
  };

  /** A marker of the same id within the cooldown takes it in: a game that repeats itself fills no library. */
  const mark = (moment: Moment, game: string | null, rule: MomentRule, reason: string | undefined): Placed => {
    const key = keyOf(moment, game);
    const last = markers.get(key);
    const near = last !== undefined && Math.abs(moment.atMs - last.fromMs) < rule.cooldownMs;
    const plan =
      near && last.moments.length < momentsMax ? withMoment(last, moment) : planOf("marker", moment, game, rule);
    remember(markers, key, plan);
    return { as: "marked", plan, ...(reason === undefined ? {} : { reason }) };
  };
  const join = (entry: Entry, moment: Moment, rule: MomentRule, fit: Fit): Placed => {
    const notes = [...new Set([...entry.plan.notes, ...fit.notes])];
    const longer = { ...withMoment(entry.plan, moment, rule.priority), fromMs: fit.fromMs, toMs: fit.toMs, notes };
    keep({ ...entry, plan: longer, wantsCut: !entry.isClosed }, entry);
    return { as: entry.isClosed ? "late" : "joined", plan: longer };
  };
  const open = (moment: Moment, game: string | null, rule: MomentRule, fit: Fit): Placed => {
    const { mergeGapMs, longestMs } = rule;
    const plan = planOf("clip", moment, game, rule, fit);
    keep({ plan, game, mergeGapMs, longestMs, isClosed: false, wantsCut: true });
    return { as: "opened", plan };
  };

  /** The clip whose window the moment lies in, as it is: nothing grows. */
  const around = (game: string | null, { atMs }: Moment) =>
    lineOf(game).find(({ plan }) => plan.kind === "clip" && plan.fromMs <= atMs && atMs <= plan.toMs);
  const cooled = (moment: Moment, game: string | null, rule: MomentRule): Placed | undefined => {
    const last = lastAtMs.get(keyOf(moment, game));
    if (last === undefined || Math.abs(moment.atMs - last) >= rule.cooldownMs) return undefined;
    const entry = rule.action === "clip" ? around(game, moment) : undefined;
    if (entry !== undefined && entry.plan.moments.length < momentsMax) {
      return join(entry, moment, { ...rule, priority: 0 }, { ...entry.plan, notes: [] });
    }
    const apart = seconds(Math.abs(moment.atMs - last));
    return mark(
      moment,
      game,
      rule,
      `the same trigger came ${apart} s apart, within its cooldown of ${seconds(rule.cooldownMs)} s`,
    );
  };
  /** An error report names no game: it joins what is being recorded, whichever game that is. */
  const gameFor = (moment: Moment, game: string | null, rule: MomentRule): string | null => {
    if (moment.kind !== "monitor" || game !== null) return game;
    const joined = entries.find((entry) => !entry.isClosed && fitInto(lineOf(entry.game), moment, rule).into === entry);
    return joined?.game ?? null;
  };
  const clip = (moment: Moment, game: string | null, rule: MomentRule): Placed => {
    const fit = fitInto(lineOf(game), moment, rule);
    const entry = entries.find((held) => held === fit.into);
    if (entry !== undefined) {
      if (entry.plan.moments.length < momentsMax) return join(entry, moment, rule, fit);
      return mark(moment, game, rule, `its clip holds ${momentsMax} moments already`);
    }
    const openNow = entries.filter(({ isClosed }) => !isClosed).length;
    if (openNow >= openMax) return mark(moment, game, rule, `${openMax} clips are being made already`);
    return open(moment, game, rule, fit);
  };
  const placeNew = (moment: Moment, game: string | null, rule: MomentRule): Placed => {
    if (rule.action === "marker") return mark(moment, game, rule, rule.reason);
    const within = cooled(moment, game, rule);
    if (within !== undefined) return within;
    const placed: Placed =
      rule.action === "clip"
        ? clip(moment, game, rule)
        : { as: "opened", plan: planOf("screenshot", moment, game, rule) };
    if (placed.as !== "marked") remember(lastAtMs, keyOf(moment, game), moment.atMs);
    return placed;
  };

  return {
    place(moment, game, rule, nowMs) {
      entries = entries.filter(
        ({ plan, isClosed }) => !isClosed || (plan.toMs > nowMs - rememberedMs && plan.toMs <= nowMs + aheadMaxMs),
      );
      const before = known.get(moment.event);
      if (before !== undefined) return { ...before, plan: newest(before.plan) };
      const placed = placeNew(moment, gameFor(moment, game, rule), rule);
      // Nobody else's moments: with thousands of events each would keep the clip of its time.
      remember(known, moment.event, { ...placed, plan: { ...placed.plan, moments: [moment] } });
      return placed;
    },
    knows: (event) => known.has(event),
    due(nowMs) {
      const over = entries.filter(({ plan, isClosed }) => !isClosed && isOver(plan.toMs, nowMs));
      const ends = over.filter(({ plan, mergeGapMs }) => isOver(plan.toMs + mergeGapMs + arrivalMs, nowMs));
      const cut = over.filter(({ wantsCut }) => wantsCut);
      entries = entries.map((entry) =>
        over.includes(entry) ? { ...entry, wantsCut: false, isClosed: ends.includes(entry) } : entry,
      );
      return { cut: cut.map(({ plan }) => plan), closed: ends.map(({ plan }) => plan) };
    },
    nextDueMs(nowMs) {
      const times = entries
        .filter(({ isClosed }) => !isClosed)
        .map(({ plan, wantsCut, mergeGapMs }) => (wantsCut ? plan.toMs : plan.toMs + mergeGapMs + arrivalMs));
      return times.length === 0
        ? undefined
        : Math.min(...times.map((atMs) => (isOver(atMs, nowMs) ? Math.min(atMs, nowMs) : atMs)));
    },
    open: () => entries.filter(({ isClosed }) => !isClosed).map(({ plan }) => plan),
    forget({ id, game, moments }) {
      entries = entries.filter(({ plan }) => plan.id !== id);
      for (const moment of moments) {
        const key = keyOf(moment, game);
        if (lastAtMs.get(key) === moment.atMs) lastAtMs.delete(key);
      }
    },
    split(first, rest) {
      entries = entries.flatMap((entry) =>
        entry.plan.id === first.id
          ? [
              { ...entry, plan: first, isClosed: true },
              { ...entry, plan: rest },
            ]
          : [entry],
      );
    },
  };
}
