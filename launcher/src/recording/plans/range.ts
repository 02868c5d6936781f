// Chooses which clip a moment joins, and the range of that clip. The clips that it chooses among never overlap, in whatever order
// moments arrive. Pure.

import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { formatSeconds } from "./notes.ts";
import type { ClipPlan, Moment } from "./plan.ts";

/** The lengths in a rule. `preMs` and `postMs` together are at most `longestMs`. */
export type RangeRule = {
  readonly preMs: number;
  readonly postMs: number;
  readonly mergeGapMs: number;
  readonly longestMs: number;
};

/** A clip that moments can still join. */
export type ScheduledClip = {
  readonly plan: ClipPlan;
  /** Merge gap of the moment that started the clip. */
  readonly mergeGapMs: number;
  readonly longestMs: number;
  /** Moments in its range can still join a closed clip, but it no longer grows. */
  readonly isClosed: boolean;
};

/** The clip for a moment, and the range that the clip then has. */
export type RangeChoice = {
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
export function chooseRange(
  clips: readonly ScheduledClip[],
  { atMs }: Pick<Moment, "atMs">,
  rule: RangeRule,
): RangeChoice {
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
