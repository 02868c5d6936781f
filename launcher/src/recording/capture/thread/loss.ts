// How much time has no footage: between one run of the capture and the next.
import type { Delivered } from "./live-run.ts";

export type Loss = {
  /** Pictures were kept, at that time of the clock that nobody sets. */
  kept(footage: Pick<Delivered, "startMs" | "endMs">, monoMs: number): void;
  /** Whether there is footage up to that epoch time. */
  reaches(ms: number): boolean;
  /** The capture is over: what follows is no loss. */
  over(): void;
  seconds(isRecording: boolean): number;
};

export function createLoss(now: () => number): Loss {
  let lostMs = 0;
  /** Where the footage ends, on both clocks. */
  let last: { readonly endMs: number; readonly monoMs: number } | undefined;
  return {
    kept({ startMs, endMs }, monoMs) {
      // The clock may have been set in between: no more was lost than time went by.
      if (last !== undefined) lostMs += Math.max(0, Math.min(startMs - last.endMs, monoMs - last.monoMs));
      last = { endMs, monoMs };
    },
    reaches: (ms) => last !== undefined && last.endMs >= ms,
    over() {
      last = undefined;
    },
    seconds: (isRecording) => (lostMs + (isRecording || last === undefined ? 0 : now() - last.monoMs)) / 1_000,
  };
}
