// Footage: what a written file contains, and whether it shows a moment. Only then the receipt of the moment says `saved`.
import { MessageError } from "@kit/contract";

/** What a written file contains. Times are epoch milliseconds. */
export type Footage = {
  readonly fromMs: number;
  readonly toMs: number;
  /** Frames that a player shows, without those hidden before the start. */
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** Ranges inside the file without footage: the last picture before them stays visible. */
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Ranges whose footage has another format and therefore cannot be in the same file. */
  readonly otherFormat: readonly { readonly fromMs: number; readonly toMs: number }[];
};

/** The requested range has no footage. The message explains why, for a person. */
export class NoFootage extends MessageError {
  override name = "NoFootage";
}

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
