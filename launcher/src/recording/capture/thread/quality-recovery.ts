// Decides when a capture with reduced quality may try a higher quality again: after each failure the pause doubles.

export type RecoveryPauses = {
  readonly recoveryFirstMs: number;
  readonly recoveryMaxMs: number;
};

export type QualityRecovery = {
  /** The capture now uses a lower quality or another configuration. */
  markReduced(): void;
  /** The attempt to raise the quality failed. */
  markFailed(): void;
  /** The capture now uses a higher quality. */
  markRaised(): void;
  isDue(): boolean;
};

export function createQualityRecovery(
  { recoveryFirstMs, recoveryMaxMs }: RecoveryPauses,
  monoMs: () => number,
): QualityRecovery {
  let pauseMs = recoveryFirstMs;
  let pauseStartedMs = monoMs();
  let raisedMs: number | undefined;
  const markFailed = () => {
    pauseStartedMs = monoMs();
    pauseMs = Math.min(recoveryMaxMs, pauseMs * 2);
  };
  return {
    markReduced() {
      const lastedMs = raisedMs === undefined ? undefined : monoMs() - raisedMs;
      raisedMs = undefined;
      // A raised quality that lasted long enough counts as a success; the reduction has another cause.
      if (lastedMs !== undefined && lastedMs < recoveryMaxMs) return markFailed();
      pauseStartedMs = monoMs();
      if (lastedMs !== undefined) pauseMs = recoveryFirstMs;
    },
    markFailed,
    markRaised() {
      pauseStartedMs = raisedMs = monoMs();
    },
    isDue: () => monoMs() - pauseStartedMs >= pauseMs,
  };
}
