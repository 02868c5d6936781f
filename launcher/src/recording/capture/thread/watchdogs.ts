// Watchdogs of a capture: detect wrong times, late footage, overload and a frozen picture. Pure decisions on times and counts.

/** Timeouts of the supervision. Tests use shorter ones. */
export type CaptureTimeouts = {
  /** Maximum time from the start of ffmpeg to its first fragment. */
  readonly firstFragmentMs: number;
  /** Maximum time from one fragment to the next. */
  readonly silenceMs: number;
  /** The same for a source that sends a frame only if the picture changed. */
  readonly variableRateSilenceMs: number;
  readonly backoffFirstMs: number;
  readonly backoffMaxMs: number;
  /** A run of this age is healthy: the backoff of earlier failures is reset. */
  readonly healthyMs: number;
  /** How long the machine must be too slow before the quality is reduced. */
  readonly overloadMs: number;
  /** How long the picture must not have changed before a game event makes it suspicious. */
  readonly unchangedMs: number;
  /** Maximum time from the start of a successor to its first fragment. */
  readonly successorMs: number;
  /** Pause before a capture with reduced quality tries a higher quality; doubled after each failure. */
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
  successorMs: 5_000,
  recoveryFirstMs: 60_000,
  recoveryMaxMs: 1_800_000,
};

/** One fragment and its time of arrival, on the wall clock and on the monotonic clock. */
export type Arrival = {
  readonly wallMs: number;
  readonly monoMs: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly frames: number;
  /** Size of the largest picture that is not a keyframe; null if there is none. */
  readonly deltaBytes: number | null;
};

type Verdict =
  | { readonly is: "good" }
  /** The times of the stream are wrong, so a new run must start. `keep` is true if this fragment is still correct. */
  | { readonly is: "renew"; readonly why: string; readonly keep: boolean }
  /** The machine cannot keep up. */
  | { readonly is: "overload"; readonly why: string };

const good: Verdict = { is: "good" };
const clockStepMs = 200;
const earlyMs = 50;
const lateMs = 3_000;
/** How long footage must stay late: after a pause of the launcher itself, old fragments arrive in one burst. */
const lateForMs = 1_000;
const queueMs = 1_000;
const frameShareMin = 0.85;
const pauseMs = 1_000;
/** Programs start slowly on a busy machine. */
const settlingMs = 2_000;

export function backoffMs(
  failures: number,
  { backoffFirstMs, backoffMaxMs }: Pick<CaptureTimeouts, "backoffFirstMs" | "backoffMaxMs">,
): number {
  return Math.min(backoffMaxMs, backoffFirstMs * 2 ** Math.max(0, failures - 1));
}

/** Returns true if the wall clock jumped between two arrivals, compared with the monotonic clock. */
function clockWasSet(before: Arrival, now: Arrival): boolean {
  return Math.abs(now.wallMs - now.monoMs - (before.wallMs - before.monoMs)) > clockStepMs;
}

/** Returns frames per second, or 0 for fewer than two arrivals. The first arrival only marks the start. */
function measureFrameRate(arrivals: readonly Arrival[]): number {
  const first = arrivals[0];
  const last = arrivals.at(-1);
  if (first === undefined || last === undefined || last.monoMs <= first.monoMs) return 0;
  const frames = arrivals.reduce((sum, arrival) => sum + arrival.frames, -first.frames);
  return (frames * 1_000) / (last.monoMs - first.monoMs);
}

/** Returns why the machine is too slow, from at least `overloadMs` of arrivals, or undefined if it keeps up. */
function overloadReason(arrivals: readonly Arrival[], frameRate: number | null): string | undefined {
  const lateness = Math.min(...arrivals.map((arrival) => arrival.wallMs - arrival.endMs));
  if (lateness > queueMs) return `the encoder is ${(lateness / 1_000).toFixed(1)} s behind`;
  const arrived = measureFrameRate(arrivals);
  if (frameRate === null || arrived >= frameRate * frameShareMin) return undefined;
  return `${arrived.toFixed(1)} of ${frameRate} frames a second arrived`;
}

/** An unchanged frame has 12 bytes (480p, ultrafast) to 90 bytes (1080p, superfast); a moved cursor needs hundreds. */
function isUnchanged(deltaBytes: number, pixels: number): boolean {
  return deltaBytes <= 64 + pixels / 16_384;
}

export type StreamWatchOptions = {
  /** Expected frames per second; null if the source sends a frame only if the picture changed. */
  readonly frameRate: number | null;
  readonly pixels: number;
  readonly timeouts: CaptureTimeouts;
};

export type StreamWatch = {
  judge(arrival: Arrival): Verdict;
  /** Frames per second over the last seconds. */
  frameRate(): number;
  /** How long the picture has not changed. */
  unchangedMs(): number;
  hasMoved(): boolean;
};

/** Judges the fragments of one run. Reads no clock itself. */
export function createStreamWatch({ frameRate, pixels, timeouts: { overloadMs } }: StreamWatchOptions): StreamWatch {
  let arrivals: Arrival[] = [];
  let first: Arrival | undefined;
  let last: Arrival | undefined;
  let lateSinceMs: number | undefined;
  let unchangedSinceMs: number | undefined;
  let hasMoved = false;

  const judgeClock = (now: Arrival): Verdict => {
    if (last !== undefined && clockWasSet(last, now)) {
      return { is: "renew", why: "the computer's clock was set", keep: false };
    }
    const lateness = now.wallMs - now.endMs;
    if (lateness < -earlyMs) return { is: "renew", why: "the times of the footage are in the future", keep: false };
    if (lateness <= lateMs) lateSinceMs = undefined;
    else lateSinceMs ??= now.monoMs;
    const isLate = lateSinceMs !== undefined && now.monoMs - lateSinceMs >= lateForMs;
    return isLate ? { is: "renew", why: `the footage came ${Math.round(lateness / 1_000)} s late`, keep: true } : good;
  };
  const judgeLoad = (now: Arrival): Verdict => {
    const startIndex = arrivals.findLastIndex((arrival) => now.monoMs - arrival.monoMs >= overloadMs);
    if (startIndex < 0 || first === undefined) return good;
    arrivals = arrivals.slice(startIndex);
    if (now.monoMs - first.monoMs < overloadMs + settlingMs) return good;
    const why = overloadReason(arrivals, frameRate);
    return why === undefined ? good : { is: "overload", why };
  };
  return {
    judge(now) {
      const verdict = judgeClock(now);
      first ??= now;
      // The launcher or ffmpeg was suspended: earlier arrivals say nothing about the machine's speed.
      if (last !== undefined && now.monoMs - last.monoMs > pauseMs) arrivals = [];
      last = now;
      arrivals.push(now);
      if (now.deltaBytes !== null && isUnchanged(now.deltaBytes, pixels)) unchangedSinceMs ??= now.monoMs;
      else if (now.deltaBytes !== null) {
        unchangedSinceMs = undefined;
        hasMoved = true;
      }
      return verdict.is === "good" ? judgeLoad(now) : verdict;
    },
    frameRate: () => measureFrameRate(arrivals),
    unchangedMs: () => (unchangedSinceMs === undefined ? 0 : (last?.monoMs ?? 0) - unchangedSinceMs),
    hasMoved: () => hasMoved,
  };
}
