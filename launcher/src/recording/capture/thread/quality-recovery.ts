// Decides when a capture with reduced quality may try a higher quality again: after each failure the pause doubles.
import type { CaptureTimeouts } from "./timeouts.ts";

export class QualityRecovery {
  readonly #pauses: Pick<CaptureTimeouts, "recoveryFirstMs" | "recoveryMaxMs">;
  readonly #monoMs: () => number;
  #pauseMs: number;
  #pauseStartedMs: number;
  #raisedMs: number | undefined;

  constructor(pauses: Pick<CaptureTimeouts, "recoveryFirstMs" | "recoveryMaxMs">, monoMs: () => number) {
    this.#pauses = pauses;
    this.#monoMs = monoMs;
    this.#pauseMs = pauses.recoveryFirstMs;
    this.#pauseStartedMs = monoMs();
  }

  /** Must be called when the capture has changed to a lower quality or another configuration. */
  markReduced(): void {
    const { recoveryFirstMs, recoveryMaxMs } = this.#pauses;
    const lastedMs = this.#raisedMs === undefined ? undefined : this.#monoMs() - this.#raisedMs;
    this.#raisedMs = undefined;
    // If the higher quality lasted long enough, raising it was right, and the reduction has another cause.
    if (lastedMs !== undefined && lastedMs < recoveryMaxMs) return this.markFailed();
    this.#pauseStartedMs = this.#monoMs();
    if (lastedMs !== undefined) this.#pauseMs = recoveryFirstMs;
  }

  /** Must be called when an attempt to raise the quality has failed. */
  markFailed(): void {
    this.#pauseStartedMs = this.#monoMs();
    this.#pauseMs = Math.min(this.#pauses.recoveryMaxMs, this.#pauseMs * 2);
  }

  /** Must be called when the capture has changed to a higher quality. */
  markRaised(): void {
    this.#raisedMs = this.#monoMs();
    this.#pauseStartedMs = this.#raisedMs;
  }

  isDue(): boolean {
    return this.#monoMs() - this.#pauseStartedMs >= this.#pauseMs;
  }
}
