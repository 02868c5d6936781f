// When a capture that gave something up may try to have it back: ever more rarely while that goes wrong.

export type RecoveryPatience = {
  readonly climbFirstMs: number;
  readonly climbMostMs: number;
};

export type QualityRecovery = {
  /** It captures with less from now on. */
  stepped(): void;
  /** It could not have more. */
  failed(): void;
  /** It captures with more from now on. */
  climbed(): void;
  isDue(): boolean;
};

export function createQualityRecovery(
  { climbFirstMs, climbMostMs }: RecoveryPatience,
  monoMs: () => number,
): QualityRecovery {
  let pauseMs = climbFirstMs;
  let sinceMs = monoMs();
  let climbedMs: number | undefined;
  const failed = () => {
    sinceMs = monoMs();
    pauseMs = Math.min(climbMostMs, pauseMs * 2);
  };
  return {
    stepped() {
      const lastedMs = climbedMs === undefined ? undefined : monoMs() - climbedMs;
      climbedMs = undefined;
      // One that lasted this long was right: what came after it is another matter.
      if (lastedMs !== undefined && lastedMs < climbMostMs) return failed();
      sinceMs = monoMs();
      if (lastedMs !== undefined) pauseMs = climbFirstMs;
    },
    failed,
    climbed() {
      sinceMs = climbedMs = monoMs();
    },
    isDue: () => monoMs() - sinceMs >= pauseMs,
  };
}
