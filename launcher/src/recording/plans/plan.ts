// A moment, and the plan of the clip, screenshot or marker that it becomes.

import { randomUUIDv7 } from "node:crypto";
import type { ClipKind, EventKind, Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { coverageToleranceMs, type Footage } from "./footage.ts";

/** An event on the timeline of the footage. */
export type Moment = {
  /** Id of the event, a UUID. */
  readonly event: string;
  /** Position of the event in the journal. Receipts refer to it. */
  readonly seq: number;
  readonly kind: EventKind;
  /** Event id given by the game; null for an error report. */
  readonly eventId: string | null;
  /** Label of the event, used as a chapter name. */
  readonly label: string;
  readonly atMs: number;
};

/** Times are epoch milliseconds. The range of a screenshot or marker has no length. */
export type ClipPlan = {
  /** UUID v7. */
  readonly id: string;
  readonly kind: ClipKind;
  readonly game: string | null;
  readonly title: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** In chronological order. Empty only for a test recording. */
  readonly moments: readonly Moment[];
  readonly priority: number;
  /** Known differences from the rule, for example that earlier seconds are in the previous clip. */
  readonly notes: readonly Message[];
};

export type SplitPlan = {
  /** The plan that the file shows. */
  readonly first: ClipPlan;
  /** A new clip that starts at the end of the file. */
  readonly rest: ClipPlan;
};

/** Returns undefined unless there are moments on both sides of `endMs`. */
export function splitAt(plan: ClipPlan, endMs: number, why: Message): SplitPlan | undefined {
  const isAfter = ({ atMs }: Moment) => atMs > endMs + coverageToleranceMs;
  const later = plan.moments.filter(isAfter);
  const earlier = plan.moments.filter((moment) => !isAfter(moment));
  const [title] = later.map(({ label }) => label);
  if (title === undefined || earlier.length === 0) return undefined;
  // Whole milliseconds, so that the two clips share none.
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

/** Splits at the end of the footage if later footage has another format and shows moments of the plan. */
export function splitByFormat(
  plan: ClipPlan,
  { toMs, otherFormat }: Pick<Footage, "toMs" | "otherFormat">,
): SplitPlan | undefined {
  const isInOtherFormat = ({ atMs }: Moment) =>
    atMs > toMs + coverageToleranceMs &&
    otherFormat.some((one) => one.fromMs - coverageToleranceMs <= atMs && atMs <= one.toMs + coverageToleranceMs);
  if (!plan.moments.some(isInOtherFormat)) return undefined;
  return splitAt(plan, toMs, message("clip.picture_format_changed"));
}
