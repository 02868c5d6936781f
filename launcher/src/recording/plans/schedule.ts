// Plans clips from moments: which clip a moment joins, the range of that clip, when it is cut, and when it is closed. Clips of a game
// never overlap, in whatever order moments arrive.

import { randomUUIDv7 } from "node:crypto";
import { type ClipKind, type Message, type RecordingAction, type RecordingRule, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { formatSeconds } from "./notes.ts";
import type { ClipPlan, Moment } from "./plan.ts";

/** The lengths in a rule. `preMs` and `postMs` together are at most `longestMs`. */
type RangeRule = {
  readonly preMs: number;
  readonly postMs: number;
  readonly mergeGapMs: number;
  readonly longestMs: number;
};

/** A clip that moments can still join. */
type ScheduledClip = {
  readonly plan: ClipPlan;
  /** Merge gap of the moment that started the clip. */
  readonly mergeGapMs: number;
  readonly longestMs: number;
  /** Moments in its range can still join a closed clip, but it no longer grows. */
  readonly isClosed: boolean;
};

/** The clip for a moment, and the range that the clip then has. */
type RangeChoice = {
  /** The clip that the moment joins; undefined for a new clip. */
  readonly clip?: ScheduledClip;
  readonly fromMs: number;
  readonly toMs: number;
  /** How the range differs from what the rule asks for. */
  readonly notes: readonly Message[];
};

/** A shorter clip might contain no frame. */
const shortestMs = 1_000;

const restBefore = message("clip.rest_in_previous");
const restAfter = message("clip.rest_in_next");
const maximumReached = message("clip.maximum_length_reached");
const arrivedLate = message("event.arrived_after_clip");

function rangeNotes(
  atMs: number,
  rule: RangeRule,
  range: { fromMs: number; toMs: number },
  whyShort: { before: Message; after: Message },
): Message[] {
  const beforeMs = atMs - range.fromMs;
  const afterMs = range.toMs - atMs;
  return [
    ...(beforeMs < rule.preMs
      ? [
          message("clip.short_before", {
            seconds: formatSeconds(beforeMs),
            wanted: formatSeconds(rule.preMs),
            why: whyShort.before,
          }),
        ]
      : []),
    ...(afterMs < rule.postMs
      ? [
          message("clip.short_after", {
            seconds: formatSeconds(afterMs),
            wanted: formatSeconds(rule.postMs),
            why: whyShort.after,
          }),
        ]
      : []),
  ];
}

/** Extends a clip for a moment, but not into the clips beside it (`afterMs`, `untilMs`), nor beyond its maximum length. */
function extendRange(
  clip: ScheduledClip,
  atMs: number,
  rule: RangeRule,
  afterMs: number,
  untilMs: number,
): RangeChoice {
  const { fromMs, toMs } = clip.plan;
  const longestMs = Math.min(clip.longestMs, rule.longestMs);
  const wantedToMs = Math.min(Math.max(toMs, atMs + rule.postMs), untilMs);
  const newToMs = Math.max(toMs, Math.min(wantedToMs, fromMs + longestMs));
  const wantedFromMs = Math.max(Math.min(fromMs, atMs - rule.preMs), afterMs);
  const newFromMs = Math.min(fromMs, Math.max(wantedFromMs, newToMs - longestMs));
  const range = { fromMs: newFromMs, toMs: newToMs };
  const whyShort = {
    before: newFromMs === afterMs ? restBefore : maximumReached,
    after: newToMs === untilMs ? restAfter : maximumReached,
  };
  return { clip, ...range, notes: rangeNotes(atMs, rule, range, whyShort) };
}

function joinSurroundingClip(
  clip: ScheduledClip,
  atMs: number,
  rule: RangeRule,
  afterMs: number,
  untilMs: number,
): RangeChoice {
  if (!clip.isClosed) return extendRange(clip, atMs, rule, afterMs, untilMs);
  const { fromMs, toMs } = clip.plan;
  const range = { fromMs, toMs };
  return { clip, ...range, notes: rangeNotes(atMs, rule, range, { before: arrivedLate, after: arrivedLate }) };
}

/** Returns true if a moment after the end of a clip is within its merge gap, and would not make it too long. */
function canJoinEarlierClip(clip: ScheduledClip, atMs: number, rule: RangeRule, untilMs: number): boolean {
  if (clip.isClosed || atMs > clip.plan.toMs + rule.mergeGapMs) return false;
  return Math.min(atMs + rule.postMs, untilMs) - clip.plan.fromMs <= Math.min(clip.longestMs, rule.longestMs);
}

/** Returns true if a moment that arrived late can join a clip that starts after it. */
function canJoinLaterClip(clip: ScheduledClip, atMs: number, rule: RangeRule, afterMs: number): boolean {
  const firstMs = clip.plan.moments[0]?.atMs ?? clip.plan.fromMs;
  if (clip.isClosed || firstMs > atMs + rule.postMs + clip.mergeGapMs) return false;
  const fromMs = Math.max(atMs - rule.preMs, afterMs);
  return Math.max(clip.plan.toMs, atMs + rule.postMs) - fromMs <= Math.min(clip.longestMs, rule.longestMs);
}

/** `clips` are those of one game, in the order of their times, without overlaps. The chosen range overlaps no other clip. */
function chooseRange(clips: readonly ScheduledClip[], { atMs }: Pick<Moment, "atMs">, rule: RangeRule): RangeChoice {
  const found = clips.findIndex(({ plan }) => plan.toMs >= atMs);
  const index = found < 0 ? clips.length : found;
  const previous = clips[index - 1];
  /** The clip around the moment, or else the next one. */
  const current = clips[index];
  const next = clips[index + 1];
  const afterMs = previous?.plan.toMs ?? Number.NEGATIVE_INFINITY;
  if (current !== undefined && current.plan.fromMs <= atMs) {
    return joinSurroundingClip(current, atMs, rule, afterMs, next?.plan.fromMs ?? Number.POSITIVE_INFINITY);
  }
  const untilMs = current?.plan.fromMs ?? Number.POSITIVE_INFINITY;
  if (previous !== undefined && canJoinEarlierClip(previous, atMs, rule, untilMs)) {
    return extendRange(previous, atMs, rule, clips[index - 2]?.plan.toMs ?? Number.NEGATIVE_INFINITY, untilMs);
  }
  if (current !== undefined && canJoinLaterClip(current, atMs, rule, afterMs)) {
    return extendRange(current, atMs, rule, afterMs, next?.plan.fromMs ?? Number.POSITIVE_INFINITY);
  }
  const fromMs = Math.max(atMs - rule.preMs, afterMs);
  const range = { fromMs, toMs: Math.min(Math.max(atMs + rule.postMs, fromMs + shortestMs), untilMs) };
  return { ...range, notes: rangeNotes(atMs, rule, range, { before: restBefore, after: restAfter }) };
}

/** A recording rule with its seconds in milliseconds. */
export type MomentRule = RangeRule & {
  readonly action: Exclude<RecordingAction, "nothing">;
  readonly cooldownMs: number;
  readonly priority: number;
  /** Why the action is only a marker, although the recording rule asks for more. */
  readonly reason?: Message;
};

export function toMomentRule(rule: RecordingRule, action: MomentRule["action"]): MomentRule {
  const ms = (name: "pre" | "post" | "mergeGap" | "longest" | "cooldown") => Math.round(rule[`${name}Seconds`] * 1_000);
  const range = { preMs: ms("pre"), postMs: ms("post"), mergeGapMs: ms("mergeGap"), longestMs: ms("longest") };
  return { ...range, cooldownMs: ms("cooldown"), priority: rule.priority, action };
}

/** Where a moment was placed. */
export type MomentPlacement = {
  /**
   * opened: in a new clip or screenshot; joined: in an open clip; late: in a closed clip, which stays as it is; marked: in a
   * marker, which is new or that of the same event id within the cooldown.
   */
  readonly outcome: "opened" | "joined" | "late" | "marked";
  readonly plan: ClipPlan;
  /** Why the moment is only a marker. */
  readonly reason?: Message;
};

type DuePlans = {
  /** Clips whose post-roll is over: cut for the first time, or again because they grew. */
  readonly cut: readonly ClipPlan[];
  /** Clips that no moment can join any more. */
  readonly closed: readonly ClipPlan[];
};

type ScheduleEntry = ScheduledClip & { readonly game: string | null; readonly needsCut: boolean };

/** How long after the merge gap an event may arrive and still join, because its delivery takes time. */
const arrivalMs = 500;
/** Limits the open clips, because a game may make up games or event ids without end. */
const openMax = 40;
const momentsMax = 1_000;
/** How long a closed clip is remembered, so that its range is not recorded again. Longer than any replay buffer. */
const rememberedMs = 600_000;
const knownMax = 5_000;
/**
 * No clip ends further in the future than this. One that seems to was planned before somebody set the clock back, so it counts as
 * over.
 */
const aheadMaxMs = 180_000;

const isOver = (atMs: number, nowMs: number) => atMs <= nowMs || atMs > nowMs + aheadMaxMs;
const byTime = (a: { atMs: number }, b: { atMs: number }) => a.atMs - b.atMs;
/** Returns each note once: several moments of a clip may bring the same one. */
const uniqueNotes = (notes: readonly Message[]) => [...new Map(notes.map((note) => [textOf(note), note])).values()];
const cooldownKey = ({ kind, eventId, label }: Moment, game: string | null) =>
  JSON.stringify([kind, game, eventId ?? label]);

function setBounded<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > knownMax) map.delete(map.keys().next().value ?? key);
}

function createPlan(
  kind: ClipKind,
  moment: Moment,
  game: string | null,
  rule: MomentRule,
  range?: RangeChoice,
): ClipPlan {
  const { fromMs, toMs, notes } = range ?? { fromMs: moment.atMs, toMs: moment.atMs, notes: [] };
  const { label: title } = moment;
  return { id: randomUUIDv7(), kind, game, title, fromMs, toMs, moments: [moment], priority: rule.priority, notes };
}

const withMoment = (plan: ClipPlan, moment: Moment, priority = plan.priority): ClipPlan => ({
  ...plan,
  moments: [...plan.moments, moment].toSorted(byTime),
  priority: Math.max(plan.priority, priority),
});

/** What it returns depends only on the calls and the times in them, so it can be run again over past events. */
export class ClipSchedule {
  /** Open and recently closed clips, in the order of their times. */
  #entries: readonly ScheduleEntry[] = [];
  readonly #placements = new Map<string, MomentPlacement>();
  /** When an event id last started or extended a clip. */
  readonly #lastAtMs = new Map<string, number>();
  readonly #markers = new Map<string, ClipPlan>();

  /** Places a moment. If its event was placed before, returns that placement with the current plan. */
  place(moment: Moment, game: string | null, rule: MomentRule, nowMs: number): MomentPlacement {
    this.#entries = this.#entries.filter(
      ({ plan, isClosed }) => !isClosed || (plan.toMs > nowMs - rememberedMs && plan.toMs <= nowMs + aheadMaxMs),
    );
    const known = this.#placements.get(moment.event);
    if (known !== undefined) return { ...known, plan: this.#currentPlan(known.plan) };
    const placement = this.#placeNew(moment, this.#gameToJoin(moment, game, rule), rule);
    // Keeps only this moment of the plan. Otherwise thousands of events would each keep a copy of their clip.
    setBounded(this.#placements, moment.event, { ...placement, plan: { ...placement.plan, moments: [moment] } });
    return placement;
  }

  /** Returns true if the event was placed before. */
  hasEvent(event: string): boolean {
    return this.#placements.has(event);
  }

  /** Returns each due plan once. */
  takeDue(nowMs: number): DuePlans {
    const over = this.#entries.filter(({ plan, isClosed }) => !isClosed && isOver(plan.toMs, nowMs));
    const closed = over.filter(({ plan, mergeGapMs }) => isOver(plan.toMs + mergeGapMs + arrivalMs, nowMs));
    const cut = over.filter(({ needsCut }) => needsCut);
    this.#entries = this.#entries.map((entry) =>
      over.includes(entry) ? { ...entry, needsCut: false, isClosed: closed.includes(entry) } : entry,
    );
    return { cut: cut.map(({ plan }) => plan), closed: closed.map(({ plan }) => plan) };
  }

  /** Returns when `takeDue` will next return a plan; undefined while no clip is open. */
  nextDueMs(nowMs: number): number | undefined {
    const times = this.#entries
      .filter(({ isClosed }) => !isClosed)
      .map(({ plan, needsCut, mergeGapMs }) => (needsCut ? plan.toMs : plan.toMs + mergeGapMs + arrivalMs));
    return times.length === 0
      ? undefined
      : Math.min(...times.map((atMs) => (isOver(atMs, nowMs) ? Math.min(atMs, nowMs) : atMs)));
  }

  openPlans(): readonly ClipPlan[] {
    return this.#entries.filter(({ isClosed }) => !isClosed).map(({ plan }) => plan);
  }

  /** Drops a clip that will not be made. The next moment starts a new one, and no cooldown of the dropped one counts. */
  forget({ id, game, moments }: ClipPlan): void {
    this.#entries = this.#entries.filter(({ plan }) => plan.id !== id);
    for (const moment of moments) {
      const key = cooldownKey(moment, game);
      if (this.#lastAtMs.get(key) === moment.atMs) this.#lastAtMs.delete(key);
    }
  }

  /** Replaces a clip by two: `first` is closed, and `rest` goes on as the clip did. */
  split(first: ClipPlan, rest: ClipPlan): void {
    this.#entries = this.#entries.flatMap((entry) =>
      entry.plan.id === first.id
        ? [
            { ...entry, plan: first, isClosed: true },
            { ...entry, plan: rest },
          ]
        : [entry],
    );
  }

  #currentPlan(plan: ClipPlan): ClipPlan {
    const scheduled = this.#entries.find((entry) => entry.plan.id === plan.id)?.plan ?? plan;
    return [...this.#markers.values()].find(({ id }) => id === plan.id) ?? scheduled;
  }

  #clipsOfGame(game: string | null): readonly ScheduleEntry[] {
    return this.#entries.filter((entry) => entry.game === game);
  }

  #putEntry(entry: ScheduleEntry, replaced?: ScheduledClip): void {
    const others = this.#entries.filter((other) => other !== replaced);
    this.#entries = [...others, entry].toSorted((a, b) => a.plan.fromMs - b.plan.fromMs);
  }

  /** An error report without a game joins an open clip of any game. */
  #gameToJoin(moment: Moment, game: string | null, rule: MomentRule): string | null {
    if (moment.kind !== "monitor" || game !== null) return game;
    const entry = this.#entries.find(
      (candidate) =>
        !candidate.isClosed && chooseRange(this.#clipsOfGame(candidate.game), moment, rule).clip === candidate,
    );
    return entry?.game ?? null;
  }

  #placeNew(moment: Moment, game: string | null, rule: MomentRule): MomentPlacement {
    if (rule.action === "marker") return this.#placeMarker(moment, game, rule, rule.reason);
    const repeated = this.#placeWithinCooldown(moment, game, rule);
    if (repeated !== undefined) return repeated;
    const placement: MomentPlacement =
      rule.action === "clip"
        ? this.#placeInClip(moment, game, rule)
        : { outcome: "opened", plan: createPlan("screenshot", moment, game, rule) };
    if (placement.outcome !== "marked") setBounded(this.#lastAtMs, cooldownKey(moment, game), moment.atMs);
    return placement;
  }

  #placeInClip(moment: Moment, game: string | null, rule: MomentRule): MomentPlacement {
    const range = chooseRange(this.#clipsOfGame(game), moment, rule);
    const entry = this.#entries.find((candidate) => candidate === range.clip);
    if (entry !== undefined) {
      if (entry.plan.moments.length < momentsMax) return this.#joinClip(entry, moment, rule, range);
      return this.#placeMarker(moment, game, rule, message("clip.too_many_moments", { limit: momentsMax }));
    }
    const openCount = this.#entries.filter(({ isClosed }) => !isClosed).length;
    if (openCount >= openMax) {
      return this.#placeMarker(moment, game, rule, message("clip.too_many_in_progress", { limit: openMax }));
    }
    const { mergeGapMs, longestMs } = rule;
    const plan = createPlan("clip", moment, game, rule, range);
    this.#putEntry({ plan, game, mergeGapMs, longestMs, isClosed: false, needsCut: true });
    return { outcome: "opened", plan };
  }

  #joinClip(entry: ScheduleEntry, moment: Moment, rule: MomentRule, range: RangeChoice): MomentPlacement {
    const notes = uniqueNotes([...entry.plan.notes, ...range.notes]);
    const { fromMs, toMs } = range;
    const plan = { ...withMoment(entry.plan, moment, rule.priority), fromMs, toMs, notes };
    this.#putEntry({ ...entry, plan, needsCut: !entry.isClosed }, entry);
    return { outcome: entry.isClosed ? "late" : "joined", plan };
  }

  /** Within the cooldown of its event id, a moment becomes a chapter of the clip around it, which does not grow, or a marker. */
  #placeWithinCooldown(moment: Moment, game: string | null, rule: MomentRule): MomentPlacement | undefined {
    const { atMs } = moment;
    const lastMs = this.#lastAtMs.get(cooldownKey(moment, game));
    if (lastMs === undefined || Math.abs(atMs - lastMs) >= rule.cooldownMs) return undefined;
    const isAround = ({ plan }: ScheduleEntry) => plan.kind === "clip" && plan.fromMs <= atMs && atMs <= plan.toMs;
    const entry = rule.action === "clip" ? this.#clipsOfGame(game).find(isAround) : undefined;
    if (entry !== undefined && entry.plan.moments.length < momentsMax) {
      return this.#joinClip(entry, moment, { ...rule, priority: 0 }, { ...entry.plan, notes: [] });
    }
    const apart = formatSeconds(Math.abs(atMs - lastMs));
    const cooldown = formatSeconds(rule.cooldownMs);
    return this.#placeMarker(moment, game, rule, message("moment.within_cooldown", { apart, cooldown }));
  }

  /** Adds the moment to the last marker of its event id, within the cooldown: a game that repeats itself must not fill the library. */
  #placeMarker(moment: Moment, game: string | null, rule: MomentRule, reason: Message | undefined): MomentPlacement {
    const key = cooldownKey(moment, game);
    const last = this.#markers.get(key);
    const isNear = last !== undefined && Math.abs(moment.atMs - last.fromMs) < rule.cooldownMs;
    const plan =
      isNear && last.moments.length < momentsMax ? withMoment(last, moment) : createPlan("marker", moment, game, rule);
    setBounded(this.#markers, key, plan);
    return { outcome: "marked", plan, ...(reason === undefined ? {} : { reason }) };
  }
}
