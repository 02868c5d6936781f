// Decides whether footage shows a moment: only then its receipt says `saved`.
import type { Footage } from "../capture/backend.ts";

/** A few frames. */
export const coverageToleranceMs = 250;
/** A capture started by a moment delivers within about a second. Such a clip counts as showing the moment. */
export const lateStartToleranceMs = 1_500;

/** Distance of a time from the footage in milliseconds, or 0 within the tolerances. */
export function distanceToFootageMs(
  { fromMs, toMs, gaps }: Pick<Footage, "fromMs" | "toMs" | "gaps">,
  atMs: number,
): number {
  if (fromMs - atMs > lateStartToleranceMs) return fromMs - atMs;
  const depthsInGaps = gaps.map((gap) => Math.min(atMs - gap.fromMs, gap.toMs - atMs));
  const distanceMs = Math.max(atMs - toMs, ...depthsInGaps);
  return distanceMs > coverageToleranceMs ? distanceMs : 0;
}
