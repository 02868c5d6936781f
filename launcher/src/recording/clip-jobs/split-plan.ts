// Splits a clip plan in two if one file cannot show all of its moments.
import { randomUUIDv7 } from "node:crypto";
import type { Footage } from "../capture/backend.ts";
import type { ClipPlan, Moment } from "../clip-plan.ts";
import { coverageToleranceMs } from "./footage-coverage.ts";

export type SplitPlan = {
  /** The plan that the file shows. */
  readonly first: ClipPlan;
  /** A new clip that starts at the end of the file. */
  readonly rest: ClipPlan;
};

/** Returns undefined unless there are moments on both sides of `endMs`. */
export function splitAt(plan: ClipPlan, endMs: number, why: string): SplitPlan | undefined {
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
      notes: [...plan.notes, `later moments are in a separate clip: ${why}`],
    },
    rest: {
      ...plan,
      id: randomUUIDv7(),
      title,
      fromMs: atMs,
      moments: later,
      notes: [`earlier moments are in a separate clip: ${why}`],
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
  return splitAt(plan, toMs, "the picture format changed in between");
}
