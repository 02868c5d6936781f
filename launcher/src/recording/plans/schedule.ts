// Plans clips from moments: which clip a moment joins, when that clip is cut, and when it is closed. Highlights of a game never overlap,
// and neither do its clips of errors. An error in the range of a highlight is a chapter of it, and changes nothing else of it.

import { randomUUIDv7 } from "node:crypto";
import type { ClipKind, Message, RecordingAction, RecordingRule } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { formatSeconds } from "./notes.ts";
import { type ClipPlan, isAround, type Moment, subjectOf, withMoments } from "./plan.ts";
import { chooseRange, type RangeChoice, type RangeRule, type ScheduledClip } from "./range.ts";

/** A recording rule with its seconds in milliseconds. */
export type MomentRule = RangeRule & {
  readonly action: Exclude<RecordingAction, "nothing">;
  readonly cooldownMs: number;
  readonly priority: number;
  /** How long the clip of an error waits before it is cut. A highlight that covers the error until then takes it over. Default: 0. */
  readonly waitMs?: number;
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
  /** How the range of the clip differs from what the rule asks for. */
  readonly notes?: readonly Message[];
  /** The clips of errors that this clip took errors from, with what is left of them: perhaps no moment. */
  readonly tookFrom?: readonly ClipPlan[];
};

type DuePlans = {
  /** Clips whose post-roll is over: cut for the first time, or again because they grew. */
  readonly cut: readonly ClipPlan[];
  /** Clips that no moment can join any more. */
  readonly closed: readonly ClipPlan[];
};

type ScheduleEntry = ScheduledClip & {
  readonly game: string | null;
  readonly needsCut: boolean;
  /** From its first cut on, a clip may have a file, so it keeps its moments. */
  readonly wasCut: boolean;
  readonly waitMs: number;
};

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
const isOfErrors = ({ plan }: ScheduledClip) => subjectOf(plan) === "error";
const cutMs = ({ plan, waitMs }: ScheduleEntry) =>
  Math.max(plan.toMs, (plan.moments.at(-1)?.atMs ?? plan.toMs) + waitMs);
const closeMs = (entry: ScheduleEntry) => Math.max(cutMs(entry), entry.plan.toMs + entry.mergeGapMs + arrivalMs);
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
  range?: Pick<RangeChoice, "fromMs" | "toMs">,
): ClipPlan {
  const { fromMs, toMs } = range ?? { fromMs: moment.atMs, toMs: moment.atMs };
  const { label: title, priority } = moment;
  return { id: randomUUIDv7(), kind, game, title, fromMs, toMs, moments: [moment], priority, notes: [] };
}

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
    const over = this.#entries.filter((entry) => !entry.isClosed && isOver(cutMs(entry), nowMs));
    const closed = over.filter((entry) => isOver(closeMs(entry), nowMs));
    const cut = over.filter(({ needsCut }) => needsCut);
    this.#entries = this.#entries.map((entry) =>
      over.includes(entry) ? { ...entry, needsCut: false, wasCut: true, isClosed: closed.includes(entry) } : entry,
    );
    return { cut: cut.map(({ plan }) => plan), closed: closed.map(({ plan }) => plan) };
  }

  /** Returns when `takeDue` will next return a plan; undefined while no clip is open. */
  nextDueMs(nowMs: number): number | undefined {
    const times = this.#entries
      .filter(({ isClosed }) => !isClosed)
      .map((entry) => (entry.needsCut ? cutMs(entry) : closeMs(entry)));
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

  /** Replaces the plan of a clip by one with fewer moments. */
  replacePlan(plan: ClipPlan): void {
    this.#entries = this.#entries.map((entry) => (entry.plan.id === plan.id ? { ...entry, plan } : entry));
  }

  #currentPlan(plan: ClipPlan): ClipPlan {
    const scheduled = this.#entries.find((entry) => entry.plan.id === plan.id)?.plan ?? plan;
    return [...this.#markers.values()].find(({ id }) => id === plan.id) ?? scheduled;
  }

  #clipsOfGame(game: string | null): readonly ScheduleEntry[] {
    return this.#entries.filter((entry) => entry.game === game);
  }

  /** Returns the clips that a moment can join: highlights, or for an error clips of errors. */
  #joinable(moment: Moment, game: string | null): readonly ScheduleEntry[] {
    return this.#clipsOfGame(game).filter((entry) => isOfErrors(entry) === (moment.kind === "monitor"));
  }

  #highlightAround(moment: Moment, game: string | null): ScheduleEntry | undefined {
    return this.#clipsOfGame(game).find((entry) => !isOfErrors(entry) && isAround(entry.plan, moment));
  }

  #putEntry(entry: ScheduleEntry, replaced?: ScheduledClip): void {
    const others = this.#entries.filter((other) => other !== replaced);
    this.#entries = [...others, entry].toSorted((a, b) => a.plan.fromMs - b.plan.fromMs);
  }

  /** An error report without a game joins an open clip of any game. */
  #gameToJoin(moment: Moment, game: string | null, rule: MomentRule): string | null {
    if (moment.kind !== "monitor" || game !== null) return game;
    const canJoin = (candidate: ScheduleEntry) =>
      this.#highlightAround(moment, candidate.game) === candidate ||
      chooseRange(this.#joinable(moment, candidate.game), moment, rule).clip === candidate;
    const entry = this.#entries.find((candidate) => !candidate.isClosed && canJoin(candidate));
    return entry?.game ?? null;
  }

  #placeNew(moment: Moment, game: string | null, rule: MomentRule): MomentPlacement {
    if (rule.action === "marker") return this.#placeMarker(moment, game, rule, rule.reason);
    const repeated = this.#placeWithinCooldown(moment, game, rule);
    if (repeated !== undefined) return repeated;
    const placement: MomentPlacement =
      rule.action === "clip"
        ? this.#placeInClip(moment, game, rule)
        : { outcome: "opened", plan: createPlan("screenshot", moment, game) };
    if (placement.outcome !== "marked") setBounded(this.#lastAtMs, cooldownKey(moment, game), moment.atMs);
    return placement;
  }

  #placeInClip(moment: Moment, game: string | null, rule: MomentRule): MomentPlacement {
    const isError = moment.kind === "monitor";
    const highlight = isError ? this.#highlightAround(moment, game) : undefined;
    const range: RangeChoice =
      highlight === undefined
        ? chooseRange(this.#joinable(moment, game), moment, rule)
        : { ...highlight.plan, clip: highlight, notes: [] };
    const entry = this.#entries.find((candidate) => candidate === range.clip);
    if (entry !== undefined) {
      if (entry.plan.moments.length < momentsMax) return this.#joinClip(entry, moment, range);
      return this.#placeMarker(moment, game, rule, message("clip.too_many_moments", { limit: momentsMax }));
    }
    const openCount = this.#entries.filter(({ isClosed }) => !isClosed).length;
    if (openCount >= openMax) {
      return this.#placeMarker(moment, game, rule, message("clip.too_many_in_progress", { limit: openMax }));
    }
    const { mergeGapMs, longestMs } = rule;
    const waitMs = isError ? (rule.waitMs ?? 0) : 0;
    const plan = createPlan("clip", moment, game, range);
    const opened = { plan, game, mergeGapMs, longestMs, waitMs, isClosed: false, needsCut: true, wasCut: false };
    this.#putEntry(opened);
    return { outcome: "opened", notes: range.notes, ...this.#takeErrors(opened) };
  }

  #joinClip(entry: ScheduleEntry, moment: Moment, { fromMs, toMs, notes }: RangeChoice): MomentPlacement {
    const plan = withMoments({ ...entry.plan, fromMs, toMs }, [...entry.plan.moments, moment]);
    const joined = { ...entry, plan, needsCut: !entry.isClosed };
    this.#putEntry(joined, entry);
    if (entry.isClosed) return { outcome: "late", notes, plan };
    return { outcome: "joined", notes, ...this.#takeErrors(joined) };
  }

  /** Takes the errors that a highlight covers out of clips that were not cut yet. They become chapters of the highlight. */
  #takeErrors(highlight: ScheduleEntry): Pick<MomentPlacement, "plan" | "tookFrom"> {
    const isCovered = (moment: Moment) => isAround(highlight.plan, moment);
    const isOpen = ({ game, isClosed, wasCut }: ScheduleEntry) =>
      !isClosed && !wasCut && (game === highlight.game || game === null);
    const sources = isOfErrors(highlight)
      ? []
      : this.#entries.filter((entry) => isOpen(entry) && isOfErrors(entry) && entry.plan.moments.some(isCovered));
    if (sources.length === 0) return { plan: highlight.plan };
    const taken = sources.flatMap(({ plan }) => plan.moments.filter(isCovered));
    const tookFrom = sources.map(({ plan }) =>
      withMoments(
        plan,
        plan.moments.filter((moment) => !isCovered(moment)),
      ),
    );
    const plan = withMoments(highlight.plan, [...highlight.plan.moments, ...taken]);
    for (const left of tookFrom) this.replacePlan(left);
    this.#entries = this.#entries.filter((entry) => entry.plan.moments.length > 0);
    this.replacePlan(plan);
    return { plan, tookFrom };
  }

  /** Within the cooldown of its event id, a moment becomes a chapter of the clip around it, which does not grow, or a marker. */
  #placeWithinCooldown(moment: Moment, game: string | null, rule: MomentRule): MomentPlacement | undefined {
    const { atMs } = moment;
    const lastMs = this.#lastAtMs.get(cooldownKey(moment, game));
    if (lastMs === undefined || Math.abs(atMs - lastMs) >= rule.cooldownMs) return undefined;
    const entry = rule.action === "clip" ? this.#highlightAround(moment, game) : undefined;
    if (entry !== undefined && entry.plan.moments.length < momentsMax) {
      return this.#joinClip(entry, { ...moment, priority: 0 }, { ...entry.plan, notes: [] });
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
      isNear && last.moments.length < momentsMax
        ? withMoments(last, [...last.moments, moment])
        : createPlan("marker", moment, game);
    setBounded(this.#markers, key, plan);
    return { outcome: "marked", plan, ...(reason === undefined ? {} : { reason }) };
  }
}
