// Where a moment belongs among the clips of its game. Pure: no second lies in two of them, whatever the order of arrival.
import type { Moment, Plan } from "../plan.ts";

/** A rule in the units of the plans. Its `preMs` and `postMs` together never exceed `longestMs`. */
export type Span = {
  readonly preMs: number;
  readonly postMs: number;
  readonly mergeGapMs: number;
  readonly longestMs: number;
};

/** A clip that moments may still lie in or join. */
export type Held = {
  readonly plan: Plan;
  /** Of the moment it began with. */
  readonly mergeGapMs: number;
  readonly longestMs: number;
  /** What is closed takes moments that lie in it, but no longer grows. */
  readonly isClosed: boolean;
};

export type Fit = {
  /** The clip it joins; a new one when left out. */
  readonly into?: Held;
  readonly fromMs: number;
  readonly toMs: number;
  /** What is not as the rule asks. */
  readonly notes: readonly string[];
};

/** Shorter than that there may be no frame in it. */
const shortestMs = 1_000;

const seconds = (ms: number) => String(Math.round(ms / 100) / 10);

function notesOf(
  atMs: number,
  span: Span,
  fit: { fromMs: number; toMs: number },
  whyShort: [string, string],
): string[] {
  const beforeMs = atMs - fit.fromMs;
  const afterMs = fit.toMs - atMs;
  return [
    ...(beforeMs < span.preMs ? [`${seconds(beforeMs)} of ${seconds(span.preMs)} s before: ${whyShort[0]}`] : []),
    ...(afterMs < span.postMs ? [`${seconds(afterMs)} of ${seconds(span.postMs)} s after: ${whyShort[1]}`] : []),
  ];
}

const restBefore = "the rest is in the clip before";
const restAfter = "the rest is in the clip after";
const atLongest = "the clip is as long as it may be";

/** The window of `held` with the moment in it, as far as its neighbours and its greatest length let it grow. */
function grown(held: Held, atMs: number, span: Span, afterMs: number, untilMs: number): Fit {
  const { fromMs, toMs } = held.plan;
  const longestMs = Math.min(held.longestMs, span.longestMs);
  const wantedToMs = Math.min(Math.max(toMs, atMs + span.postMs), untilMs);
  const newToMs = Math.max(toMs, Math.min(wantedToMs, fromMs + longestMs));
  const wantedFromMs = Math.max(Math.min(fromMs, atMs - span.preMs), afterMs);
  const newFromMs = Math.min(fromMs, Math.max(wantedFromMs, newToMs - longestMs));
  const window = { fromMs: newFromMs, toMs: newToMs };
  const why: [string, string] = [
    newFromMs === afterMs ? restBefore : atLongest,
    newToMs === untilMs ? restAfter : atLongest,
  ];
  return { into: held, ...window, notes: notesOf(atMs, span, window, why) };
}

function inside(held: Held, atMs: number, span: Span, afterMs: number, untilMs: number): Fit {
  const { fromMs, toMs } = held.plan;
  if (!held.isClosed) return grown(held, atMs, span, afterMs, untilMs);
  const window = { fromMs, toMs };
  const tooLate = "the event came when the clip was finished";
  return { into: held, ...window, notes: notesOf(atMs, span, window, [tooLate, tooLate]) };
}

/** Whether the moment, after its end, is still soon enough and leaves the clip short enough. */
function joinsBefore(held: Held, atMs: number, span: Span, untilMs: number): boolean {
  if (held.isClosed || atMs > held.plan.toMs + span.mergeGapMs) return false;
  return Math.min(atMs + span.postMs, untilMs) - held.plan.fromMs <= Math.min(held.longestMs, span.longestMs);
}

/** The same for a moment that arrives late and lies before a clip that already began. */
function joinsAfter(held: Held, atMs: number, span: Span, afterMs: number): boolean {
  const first = held.plan.moments[0]?.atMs ?? held.plan.fromMs;
  if (held.isClosed || first > atMs + span.postMs + held.mergeGapMs) return false;
  const fromMs = Math.max(atMs - span.preMs, afterMs);
  return Math.max(held.plan.toMs, atMs + span.postMs) - fromMs <= Math.min(held.longestMs, span.longestMs);
}

/** `line` holds the clips of one game in the order of their times; they do not overlap, and neither will the result. */
export function fitInto(line: readonly Held[], { atMs }: Pick<Moment, "atMs">, span: Span): Fit {
  const place = line.findIndex(({ plan }) => plan.toMs >= atMs);
  const at = place < 0 ? line.length : place;
  const before = line[at - 1];
  const here = line[at];
  const next = line[at + 1];
  const afterMs = before?.plan.toMs ?? Number.NEGATIVE_INFINITY;
  if (here !== undefined && here.plan.fromMs <= atMs) {
    return inside(here, atMs, span, afterMs, next?.plan.fromMs ?? Number.POSITIVE_INFINITY);
  }
  const untilMs = here?.plan.fromMs ?? Number.POSITIVE_INFINITY;
  if (before !== undefined && joinsBefore(before, atMs, span, untilMs)) {
    return grown(before, atMs, span, line[at - 2]?.plan.toMs ?? Number.NEGATIVE_INFINITY, untilMs);
  }
  if (here !== undefined && joinsAfter(here, atMs, span, afterMs)) {
    return grown(here, atMs, span, afterMs, next?.plan.fromMs ?? Number.POSITIVE_INFINITY);
  }
  const fromMs = Math.max(atMs - span.preMs, afterMs);
  const window = { fromMs, toMs: Math.min(Math.max(atMs + span.postMs, fromMs + shortestMs), untilMs) };
  return { ...window, notes: notesOf(atMs, span, window, [restBefore, restAfter]) };
}
