// What tells a capture that works from one that only looks as if: pure decisions on times and counts.

/** How patient the supervision is. A test brings its own. */
export type Patience = {
  /** From the start of ffmpeg to its first fragment. */
  readonly firstFragmentMs: number;
  /** From one fragment to the next. */
  readonly silenceMs: number;
  /** The same for a source that sends a frame only when the picture changed. */
  readonly unsteadySilenceMs: number;
  readonly backOffFirstMs: number;
  readonly backOffMostMs: number;
  /** A run this old has proved itself: the next failure is taken for a new one. */
  readonly healthyMs: number;
  /** How long the machine must have been too slow before something is given up. */
  readonly overloadMs: number;
  /** How long a picture must have stood still before an event makes it suspicious. */
  readonly stillMs: number;
  /** From the start of a run that is to take the place of another to its first fragment. */
  readonly successorMs: number;
  /** How long a capture that gave something up waits before it tries to have it back; doubled while that goes wrong. */
  readonly climbFirstMs: number;
  readonly climbMostMs: number;
};

export const patience: Patience = {
  firstFragmentMs: 8_000,
  silenceMs: 2_000,
  unsteadySilenceMs: 20_000,
  backOffFirstMs: 250,
  backOffMostMs: 10_000,
  healthyMs: 60_000,
  overloadMs: 5_000,
  stillMs: 10_000,
  successorMs: 5_000,
  climbFirstMs: 60_000,
  climbMostMs: 1_800_000,
};

/** One fragment as it arrived. `wallMs` is Date.now(), `monoMs` a clock that nobody sets. */
export type Arrival = {
  readonly wallMs: number;
  readonly monoMs: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly frames: number;
  /** The largest picture that is no keyframe; null when there is none. */
  readonly deltaBytes: number | null;
};

type Verdict =
  | { readonly is: "good" }
  /** The stream's clock is no longer the machine's: a new run takes the time anew. `keep`: this fragment is still right. */
  | { readonly is: "renew"; readonly why: string; readonly keep: boolean }
  /** The machine cannot keep up. */
  | { readonly is: "overload"; readonly why: string };

const good: Verdict = { is: "good" };
const clockStepMs = 200;
const earlyMs = 50;
const lateMs = 3_000;
/** A launcher that was stopped itself reads old fragments in a burst: only lateness that stays is ffmpeg's. */
const lateForMs = 1_000;
const standingQueueMs = 1_000;
const frameShareMin = 0.85;
const pauseMs = 1_000;
/** Programs start slowly on a busy machine. */
const settlingMs = 2_000;

export function backOffMs(failures: number, { backOffFirstMs, backOffMostMs }: Patience): number {
  return Math.min(backOffMostMs, backOffFirstMs * 2 ** Math.max(0, failures - 1));
}

/** Whether the wall clock was set between two arrivals. Time that both clocks saw pass is no step. */
function clockWasSet(before: Arrival, now: Arrival): boolean {
  return Math.abs(now.wallMs - now.monoMs - (before.wallMs - before.monoMs)) > clockStepMs;
}

/** Frames a second over the arrivals given; 0 until two have come. The first marks the beginning only. */
function frameRateOf(arrivals: readonly Arrival[]): number {
  const first = arrivals[0];
  const last = arrivals.at(-1);
  if (first === undefined || last === undefined || last.monoMs <= first.monoMs) return 0;
  const frames = arrivals.reduce((sum, arrival) => sum + arrival.frames, -first.frames);
  return (frames * 1_000) / (last.monoMs - first.monoMs);
}

/** Why the machine is too slow, from at least `overloadMs` of arrivals; undefined while it is not. */
function overloadOf(arrivals: readonly Arrival[], frameRate: number | null): string | undefined {
  const lateness = Math.min(...arrivals.map((arrival) => arrival.wallMs - arrival.endMs));
  if (lateness > standingQueueMs) return `the encoder is ${(lateness / 1_000).toFixed(1)} s behind`;
  const arrived = frameRateOf(arrivals);
  if (frameRate === null || arrived >= frameRate * frameShareMin) return undefined;
  return `${arrived.toFixed(1)} of ${frameRate} frames a second arrived`;
}

/** A frame in which nothing changed takes 12 bytes (480p, ultrafast) to 90 (1080p, superfast); a cursor that moved takes hundreds. */
function isStill(deltaBytes: number, pixels: number): boolean {
  return deltaBytes <= 64 + pixels / 16_384;
}

export type WatchOrder = {
  /** What must arrive; null where a source sends a frame only when the picture changed. */
  readonly frameRate: number | null;
  readonly pixels: number;
  readonly patience: Patience;
};

export type Watch = {
  arrived(arrival: Arrival): Verdict;
  /** Frames a second over the last seconds. */
  frameRate(): number;
  /** How long nothing has changed in the picture. */
  stillForMs(): number;
  hasMoved(): boolean;
};

/** Watches one run of the capture. Takes every time from the arrivals. */
export function createWatch({ frameRate, pixels, patience: { overloadMs } }: WatchOrder): Watch {
  let arrivals: Arrival[] = [];
  let first: Arrival | undefined;
  let last: Arrival | undefined;
  let lateSinceMs: number | undefined;
  let stillSinceMs: number | undefined;
  let hasMoved = false;

  const judgeClock = (now: Arrival): Verdict => {
    if (last !== undefined && clockWasSet(last, now)) {
      return { is: "renew", why: "the computer's clock was set", keep: false };
    }
    const lateness = now.wallMs - now.endMs;
    if (lateness < -earlyMs) return { is: "renew", why: "the footage's times lie in the future", keep: false };
    if (lateness <= lateMs) lateSinceMs = undefined;
    else lateSinceMs ??= now.monoMs;
    const isLate = lateSinceMs !== undefined && now.monoMs - lateSinceMs >= lateForMs;
    return isLate ? { is: "renew", why: `the footage came ${Math.round(lateness / 1_000)} s late`, keep: true } : good;
  };
  const judgeLoad = (now: Arrival): Verdict => {
    const began = arrivals.findLastIndex((arrival) => now.monoMs - arrival.monoMs >= overloadMs);
    if (began < 0 || first === undefined) return good;
    arrivals = arrivals.slice(began);
    if (now.monoMs - first.monoMs < overloadMs + settlingMs) return good;
    const why = overloadOf(arrivals, frameRate);
    return why === undefined ? good : { is: "overload", why };
  };
  return {
    arrived(now) {
      const verdict = judgeClock(now);
      first ??= now;
      // Somebody stopped us or ffmpeg for a while: what came before says nothing about the machine.
      if (last !== undefined && now.monoMs - last.monoMs > pauseMs) arrivals = [];
      last = now;
      arrivals.push(now);
      if (now.deltaBytes !== null && isStill(now.deltaBytes, pixels)) stillSinceMs ??= now.monoMs;
      else if (now.deltaBytes !== null) {
        stillSinceMs = undefined;
        hasMoved = true;
      }
      return verdict.is === "good" ? judgeLoad(now) : verdict;
    },
    frameRate: () => frameRateOf(arrivals),
    stillForMs: () => (stillSinceMs === undefined ? 0 : (last?.monoMs ?? 0) - stillSinceMs),
    hasMoved: () => hasMoved,
  };
}
