// Footage: what a file contains, and whether it shows a moment. The receipt of a moment says `saved` only if it does.
import { MessageError } from "@kit/contract";

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
