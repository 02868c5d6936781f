// A moment, the plan of the clip, screenshot or marker that it becomes, and the footage that a file of the plan contains.

import { randomUUIDv7 } from "node:crypto";
import type { Clip, ClipKind, ClipSubject, EventKind } from "@kit/contract";
import { type Message, MessageError } from "@kit/contract/message";

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
  /** Priority of its recording rule. */
  readonly priority: number;
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
  /** The label of its best moment. */
  readonly title: string;
  /** The title as a message, if Kit made it up. */
  readonly titleMessage?: Message;
  readonly fromMs: number;
  readonly toMs: number;
  /** In the order of their times. Empty for a test recording, and for what a person saved without an event. */
  readonly moments: readonly Moment[];
  /** The priority of its best moment. */
  readonly priority: number;
  readonly isTest?: boolean;
  /** What a person who watches the clip should know, for example why it has no later moments. */
  readonly notes: readonly Message[];
};

/** Returns the title of a clip for another one that is made of it. */
export const titleOfClip = ({ title, titleMessage }: Pick<Clip, "title" | "titleMessage">) =>
  typeof titleMessage === "object" ? { title, titleMessage } : { title };

const kindRanks = { recording: 2, social: 1, monitor: 0 } as const;
const isError = ({ kind }: Moment) => kind === "monitor";
const byTime = (a: Moment, b: Moment) => a.atMs - b.atMs;
const byRank = (a: Moment, b: Moment) =>
  Number(isError(a)) - Number(isError(b)) ||
  b.priority - a.priority ||
  kindRanks[b.kind] - kindRanks[a.kind] ||
  byTime(a, b);

/** Returns the moment that names and illustrates a clip: that of the highest priority. An error is the last choice. */
export const bestMoment = (moments: readonly Moment[]): Moment | undefined => moments.toSorted(byRank)[0];

/** Returns what a clip is of: of errors only if nothing else happened in it. */
export function subjectOf({ moments, isTest = false }: Pick<ClipPlan, "moments" | "isTest">): ClipSubject {
  if (isTest) return "test";
  if (moments.length === 0) return "highlight";
  return moments.every(isError) ? "error" : "highlight";
}

/** Returns the plan with these moments, and with the title and priority of the best of them. */
export function withMoments(plan: ClipPlan, moments: readonly Moment[]): ClipPlan {
  const best = bestMoment(moments);
  const sorted = { ...plan, moments: moments.toSorted(byTime) };
  return best === undefined ? sorted : { ...sorted, title: best.label, priority: best.priority };
}

/**
 * Returns the marker of moments that the file of their clip does not show. The same moments always give the same marker, so that
 * it can be written again.
 */
export function markerOf(plan: ClipPlan, moments: readonly Moment[]): ClipPlan {
  const { event: id = plan.id, atMs = plan.fromMs } = moments[0] ?? {};
  return withMoments({ ...plan, id, kind: "marker", fromMs: atMs, toMs: atMs, notes: [] }, moments);
}

export const isAround = (
  { fromMs, toMs }: Pick<ClipPlan, "fromMs" | "toMs">,
  { atMs }: Pick<Moment, "atMs">,
): boolean => fromMs <= atMs && atMs <= toMs;

export type PlanParts = {
  /** The plan of what the file shows. */
  readonly first: ClipPlan;
  /** The plan of a new clip, which starts where the file ends. */
  readonly rest: ClipPlan;
};

/** Splits a plan at the end of its file. Returns undefined unless it has moments both before and after. */
export function splitPlanAt(
  plan: ClipPlan,
  endMs: number,
  notes?: { first: Message; rest: Message },
  isAfter = ({ atMs }: Moment) => atMs > endMs + coverageToleranceMs,
): PlanParts | undefined {
  const later = plan.moments.filter(isAfter);
  const earlier = plan.moments.filter((moment) => !isAfter(moment));
  if (later.length === 0 || earlier.length === 0) return undefined;
  // Rounds up to a whole millisecond, so that the two clips do not overlap.
  const atMs = Math.ceil(endMs);
  return {
    first: withMoments({ ...plan, toMs: atMs, notes: [...plan.notes, ...(notes ? [notes.first] : [])] }, earlier),
    rest: withMoments({ ...plan, id: randomUUIDv7(), fromMs: atMs, notes: notes ? [notes.rest] : [] }, later),
  };
}

/**
 * Splits a plan at the end of its footage, if later footage of another format shows moments of the plan. The tolerance counts only
 * for moments that neither footage shows.
 */
export function splitByFormat(
  plan: ClipPlan,
  { toMs, otherFormat }: Pick<Footage, "toMs" | "otherFormat">,
): PlanParts | undefined {
  const isInOther = ({ atMs }: Moment, toleranceMs: number) =>
    atMs > toMs + toleranceMs &&
    otherFormat.some((one) => one.fromMs - toleranceMs <= atMs && atMs <= one.toMs + toleranceMs);
  const isShownByOther = (moment: Moment) => isInOther(moment, 0) || isInOther(moment, coverageToleranceMs);
  if (!plan.moments.some(isShownByOther)) return undefined;
  return splitPlanAt(
    plan,
    toMs,
    undefined,
    (moment) => isShownByOther(moment) || moment.atMs > toMs + coverageToleranceMs,
  );
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

/** Returns how far a time is from the footage, in milliseconds; 0 within the tolerances. */
export function distanceToFootageMs(
  { fromMs, toMs, gaps }: Pick<Footage, "fromMs" | "toMs" | "gaps">,
  atMs: number,
): number {
  const depthsInGaps = gaps.map((gap) => Math.min(atMs - gap.fromMs, gap.toMs - atMs));
  const distanceMs = Math.max(fromMs - atMs, atMs - toMs, ...depthsInGaps);
  return distanceMs > coverageToleranceMs ? distanceMs : 0;
}
