// A moment, the plan of the clip, screenshot or marker that it becomes, and the footage that a file of the plan contains.

import { randomUUIDv7 } from "node:crypto";
import { type ClipKind, type EventKind, type Message, MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";

/** An event on the timeline of the footage. */
export type Moment = {
  /** Id of the event, a UUID. */
  readonly event: string;
  /** Position of the event in the journal, to which its receipts refer. */
  readonly seq: number;
  readonly kind: EventKind;
  /** Event id given by the game; null for an error report. */
  readonly eventId: string | null;
  /** Label of the event, used as a chapter name. */
  readonly label: string;
  readonly atMs: number;
  /** Where the file shows it, in milliseconds. Only in a reel, whose file has no single timeline. */
  readonly offsetMs?: number;
};

/** Returns where a file that starts at `fromMs` shows the moment, in milliseconds. */
export const offsetInFile = ({ atMs, offsetMs }: Moment, fromMs: number): number => offsetMs ?? atMs - fromMs;

/** What a clip, screenshot or marker shall contain. Times are epoch milliseconds; those of a screenshot or marker are equal. */
export type ClipPlan = {
  /** UUID v7. */
  readonly id: string;
  readonly kind: ClipKind;
  readonly game: string | null;
  readonly title: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** In the order of their times. Empty only for a test recording. */
  readonly moments: readonly Moment[];
  readonly priority: number;
  /** How the plan differs from the rule, for example because earlier seconds are in the clip before. */
  readonly notes: readonly Message[];
};

export type PlanParts = {
  /** The plan of what the file shows. */
  readonly first: ClipPlan;
  /** The plan of a new clip, which starts where the file ends. */
  readonly rest: ClipPlan;
};

/** Splits a plan at the end of its file. Returns undefined unless it has moments both before and after. */
export function splitPlanAt(plan: ClipPlan, endMs: number, why: Message): PlanParts | undefined {
  const isAfter = ({ atMs }: Moment) => atMs > endMs + coverageToleranceMs;
  const later = plan.moments.filter(isAfter);
  const earlier = plan.moments.filter((moment) => !isAfter(moment));
  const [title] = later.map(({ label }) => label);
  if (title === undefined || earlier.length === 0) return undefined;
  // Rounds up to a whole millisecond, so that the two clips do not overlap.
  const atMs = Math.ceil(endMs);
  return {
    first: {
      ...plan,
      toMs: atMs,
      moments: earlier,
      notes: [...plan.notes, message("clip.later_moments_separate", { why })],
    },
    rest: {
      ...plan,
      id: randomUUIDv7(),
      title,
      fromMs: atMs,
      moments: later,
      notes: [message("clip.earlier_moments_separate", { why })],
    },
  };
}

/** Splits a plan at the end of its footage, if moments of the plan are in later footage of another format. */
export function splitByFormat(
  plan: ClipPlan,
  { toMs, otherFormat }: Pick<Footage, "toMs" | "otherFormat">,
): PlanParts | undefined {
  const isInOtherFormat = ({ atMs }: Moment) =>
    atMs > toMs + coverageToleranceMs &&
    otherFormat.some((one) => one.fromMs - coverageToleranceMs <= atMs && atMs <= one.toMs + coverageToleranceMs);
  if (!plan.moments.some(isInOtherFormat)) return undefined;
  return splitPlanAt(plan, toMs, message("clip.picture_format_changed"));
}

/** What a file contains. Times are epoch milliseconds. */
export type Footage = {
  readonly fromMs: number;
  readonly toMs: number;
  /** How many frames a player shows. Those that are hidden before the start do not count. */
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** Ranges in the file without footage, in which the picture before stays on the screen. */
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Ranges whose footage is not in the file, because it has another format. */
  readonly otherFormat: readonly { readonly fromMs: number; readonly toMs: number }[];
};

/** There is no footage of a range. The message tells a person why. */
export class NoFootage extends MessageError {
  override name = "NoFootage";
}

/** How far from the footage a moment may be and still counts as shown: a few frames. */
export const coverageToleranceMs = 250;
/**
 * How far before the start of the footage a moment may be and still counts as shown: a capture that the moment itself started
 * needs about a second.
 */
export const lateStartToleranceMs = 1_500;

/** Returns how far a time is from the footage, in milliseconds; 0 within the tolerances. */
export function distanceToFootageMs(
  { fromMs, toMs, gaps }: Pick<Footage, "fromMs" | "toMs" | "gaps">,
  atMs: number,
): number {
  if (fromMs - atMs > lateStartToleranceMs) return fromMs - atMs;
  const depthsInGaps = gaps.map((gap) => Math.min(atMs - gap.fromMs, gap.toMs - atMs));
  const distanceMs = Math.max(atMs - toMs, ...depthsInGaps);
  return distanceMs > coverageToleranceMs ? distanceMs : 0;
}
