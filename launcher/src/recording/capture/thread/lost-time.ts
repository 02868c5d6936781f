// Counts the time without footage between one run and the next.
import type { FragmentFacts } from "./watched-run.ts";

export class LostTimeCounter {
  #lostMs = 0;
  /** The end of the footage so far: its wall clock time, and the monotonic time at which it arrived. */
  #end: { readonly endMs: number; readonly monoMs: number } | undefined;

  addFootage({ startMs, endMs }: Pick<FragmentFacts, "startMs" | "endMs">, monoMs: number): void {
    // After somebody set the wall clock, the gap between two runs may seem too long. No more is lost than the monotonic time that
    // passed.
    if (this.#end !== undefined) {
      this.#lostMs += Math.max(0, Math.min(startMs - this.#end.endMs, monoMs - this.#end.monoMs));
    }
    this.#end = { endMs, monoMs };
  }

  hasFootageUntil(epochMs: number): boolean {
    return this.#end !== undefined && this.#end.endMs >= epochMs;
  }

  /** Ends the count because the capture was stopped on purpose. */
  stop(): void {
    this.#end = undefined;
  }

  seconds(isRecording: boolean, nowMs: number): number {
    const openMs = isRecording || this.#end === undefined ? 0 : nowMs - this.#end.monoMs;
    return (this.#lostMs + openMs) / 1_000;
  }
}
