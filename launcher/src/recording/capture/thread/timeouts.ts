// The timeouts of a capture, the clock that measures them, and the pauses between attempts.
import { getBuiltinModule } from "node:process";

export type Clock = {
  /** Epoch milliseconds. Jumps when somebody sets the clock. */
  readonly wallMs: () => number;
  /** Monotonic milliseconds. Stands still while the computer sleeps, except on macOS. */
  readonly monoMs: () => number;
  /** Calls `callback` after `ms` milliseconds. Returns a function that cancels the call. */
  readonly after: (ms: number, callback: () => void) => () => void;
};

/**
 * Returns the monotonic clock of a capture. On Windows, Node's clock and timers go on while the computer sleeps, so that the hours of
 * a night would count as lost footage.
 */
export function openSteadyClock(): Clock["monoMs"] {
  const ffi = process.platform === "win32" ? getBuiltinModule("node:ffi") : undefined;
  if (ffi === undefined) return () => performance.now();
  const { functions } = ffi.dlopen("kernelbase.dll", {
    QueryUnbiasedInterruptTimePrecise: { arguments: ["buffer"], return: "void" },
  });
  const ticks = Buffer.alloc(8);
  return () => {
    functions.QueryUnbiasedInterruptTimePrecise(ticks);
    return Number(ticks.readBigUInt64LE()) / 10_000;
  };
}

/** Tests use shorter timeouts. A run is one ffmpeg process, from its start to its exit. */
export type CaptureTimeouts = {
  /** Maximum time from the start of ffmpeg to its first fragment. */
  readonly firstFragmentMs: number;
  /** Maximum time from one fragment to the next. */
  readonly silenceMs: number;
  /** Maximum time from one fragment to the next for a source that sends a frame only when the picture changes. */
  readonly variableRateSilenceMs: number;
  /** Pause before the first restart of a failed run. It doubles with each further failure, up to `backoffMaxMs`. */
  readonly backoffFirstMs: number;
  readonly backoffMaxMs: number;
  /** When a run has lasted this long, earlier failures no longer count. */
  readonly healthyMs: number;
  /** How long the machine must be too slow before the quality is reduced. */
  readonly overloadMs: number;
  /** How long the picture must not have changed before Kit mentions it at an event of the game. */
  readonly unchangedMs: number;
  /** Maximum time from the start of a replacement to its first fragment. */
  readonly replacementMs: number;
  /** Pause before a capture with reduced quality tries a higher one. It doubles after each failure, up to `recoveryMaxMs`. */
  readonly recoveryFirstMs: number;
  readonly recoveryMaxMs: number;
};

export const captureTimeouts: CaptureTimeouts = {
  firstFragmentMs: 8_000,
  silenceMs: 2_000,
  variableRateSilenceMs: 20_000,
  backoffFirstMs: 250,
  backoffMaxMs: 10_000,
  healthyMs: 60_000,
  overloadMs: 5_000,
  unchangedMs: 10_000,
  replacementMs: 5_000,
  recoveryFirstMs: 60_000,
  recoveryMaxMs: 1_800_000,
};

/** Returns the pause before the next attempt, after this many failures in a row. */
export function backoffMs(
  failures: number,
  { backoffFirstMs, backoffMaxMs }: Pick<CaptureTimeouts, "backoffFirstMs" | "backoffMaxMs">,
): number {
  return Math.min(backoffMaxMs, backoffFirstMs * 2 ** Math.max(0, failures - 1));
}

/** Decides when a capture with reduced quality may try a higher quality again: after each failure the pause doubles. */
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

/** Pauses between failed choices: long, because each choice runs several programs. */
const choiceBackoff = { backoffFirstMs: 10_000, backoffMaxMs: 300_000 };

/** Chooses again after a choice failed. At most one attempt waits. */
export function createRetries() {
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  const after = (ms: number, again: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      again();
    }, ms).unref();
  };
  return {
    after,
    /** Each pause is longer; with `isFirstImmediate`, the first attempt has none. */
    next(isFirstImmediate: boolean, again: () => void) {
      after(isFirstImmediate && failures === 0 ? 0 : backoffMs(failures, choiceBackoff), again);
      failures += 1;
    },
    isWaiting: () => timer !== undefined,
    succeed() {
      failures = 0;
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

export const waitUntil = (epochMs: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, epochMs - Date.now())).unref());
