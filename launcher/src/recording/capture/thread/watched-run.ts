// One run of ffmpeg with its watchdogs: ends the run if its output is late, wrong or missing.
import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { CaptureChoice } from "../probe/choice.ts";

/** One command for the capture: the chosen one, or the same with lower quality. */
export type QualityLevel = Pick<CaptureChoice, "args" | "width" | "height" | "frameRate" | "constantRate">;

export type Clock = {
  /** Epoch milliseconds. May jump if the clock is set. */
  readonly wallMs: () => number;
  /** Monotonic milliseconds. */
  readonly monoMs: () => number;
  /** Returns a function that cancels the timer. */
  readonly after: (ms: number, callback: () => void) => () => void;
};

/** What the watchdogs must know about a delivered fragment. */
export type FragmentFacts = Pick<Arrival, "startMs" | "endMs" | "frames" | "deltaBytes">;

export type CaptureRunEvents<F extends FragmentFacts> = {
  readonly onFragment: (fragment: F) => void;
  /** Called once, when the process has exited. `reason` is part of a sentence. */
  readonly onEnd: (reason: Message) => void;
};

export type CaptureRun = { end(): void };

export type WatchedRunOptions<F extends FragmentFacts> = {
  readonly startRun: (level: QualityLevel, events: CaptureRunEvents<F>) => CaptureRun;
  readonly level: QualityLevel;
  readonly clock: Clock;
  readonly timeouts: CaptureTimeouts;
  /** Receives the footage to keep. The first fragment has pictures. `monoMs` is the time of arrival. */
  readonly onFragment: (fragment: F, monoMs: number) => void;
  /** Called if the machine cannot keep up. The run continues. */
  readonly onOverload: (reason: Message) => void;
  /** Called once, when the process has exited. `isPlanned` is the value passed to `end`. */
  readonly onEnd: (reason: Message, isPlanned: boolean) => void;
};

export class WatchedRun<F extends FragmentFacts> {
  readonly #options: WatchedRunOptions<F>;
  readonly #startedMs: number;
  readonly #run: CaptureRun;
  /** How the pictures arrive. */
  readonly watch: StreamWatch;
  hasDelivered = false;
  #ending: { readonly reason: Message; readonly isPlanned: boolean } | undefined;
  #cancelTimer: () => void = () => undefined;

  constructor(options: WatchedRunOptions<F>) {
    const { startRun, level, clock, timeouts } = options;
    this.#options = options;
    this.watch = new StreamWatch(level.constantRate ? level.frameRate : null, level.width * level.height, timeouts);
    this.#startedMs = clock.monoMs();
    this.#expectFragment(timeouts.firstFragmentMs);
    this.#run = startRun(level, {
      onFragment: (fragment) => this.#handleFragment(fragment),
      onEnd: (exitReason) => {
        this.#cancelTimer();
        const { reason, isPlanned } = this.#ending ?? { reason: exitReason, isPlanned: false };
        options.onEnd(reason, isPlanned);
      },
    });
  }

  /** Ends the run and discards later footage. The reason of the first call is reported. */
  end(reason: Message, isPlanned = false): void {
    this.#cancelTimer();
    this.#ending ??= { reason, isPlanned };
    this.#run.end();
  }

  ageMs(): number {
    return this.#options.clock.monoMs() - this.#startedMs;
  }

  #expectFragment(withinMs: number): void {
    const { clock, timeouts } = this.#options;
    this.#cancelTimer();
    const dueMs = clock.monoMs() + withinMs;
    this.#cancelTimer = clock.after(withinMs, () => {
      // If this thread itself was stopped for a while, the output that ffmpeg sent meanwhile is still unread.
      if (clock.monoMs() - dueMs > timeouts.silenceMs / 8) this.#expectFragment(withinMs);
      else this.end(message("capture.no_footage_for", { seconds: withinMs / 1_000 }));
    });
  }

  #handleFragment(fragment: F): void {
    if (this.#ending !== undefined) return;
    const { level, clock, timeouts, onFragment, onOverload } = this.#options;
    const { startMs, endMs, frames, deltaBytes } = fragment;
    const arrival = { ...readClocks(clock), startMs, endMs, frames, deltaBytes };
    // A fragment with only sound does not prove that the capture works, and is kept only after pictures.
    if (frames === 0) return this.hasDelivered ? onFragment(fragment, arrival.monoMs) : undefined;
    const verdict = this.watch.judge(arrival);
    if (verdict.is === "renew" && !verdict.keep) return this.end(verdict.why);
    this.hasDelivered = true;
    this.#expectFragment(level.constantRate ? timeouts.silenceMs : timeouts.variableRateSilenceMs);
    onFragment(fragment, arrival.monoMs);
    if (verdict.is === "renew") return this.end(verdict.why);
    if (verdict.is === "overload") onOverload(verdict.why);
  }
}

/** Reads both clocks at nearly the same moment, although a busy machine may suspend this thread between the two reads. */
function readClocks({ wallMs, monoMs }: Clock): Pick<Arrival, "wallMs" | "monoMs"> {
  for (let tries = 0; ; tries += 1) {
    const before = monoMs();
    const wall = wallMs();
    const after = monoMs();
    if (after - before < 20 || tries === 5) return { wallMs: wall, monoMs: after };
  }
}

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
  | { readonly is: "renew"; readonly why: Message; readonly keep: boolean }
  /** The machine cannot keep up. */
  | { readonly is: "overload"; readonly why: Message };

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
function overloadReason(arrivals: readonly Arrival[], frameRate: number | null): Message | undefined {
  const lateness = Math.min(...arrivals.map((arrival) => arrival.wallMs - arrival.endMs));
  if (lateness > queueMs) return message("capture.encoder_behind", { seconds: (lateness / 1_000).toFixed(1) });
  const arrived = measureFrameRate(arrivals);
  if (frameRate === null || arrived >= frameRate * frameShareMin) return undefined;
  return message("capture.frames_arrived", { rate: arrived.toFixed(1), wanted: frameRate });
}

/** An unchanged frame has 12 bytes (480p, ultrafast) to 90 bytes (1080p, superfast); a moved cursor needs hundreds. */
function isUnchanged(deltaBytes: number, pixels: number): boolean {
  return deltaBytes <= 64 + pixels / 16_384;
}

/** Judges the fragments of one run. Reads no clock itself. */
export class StreamWatch {
  /** Expected frames per second; null if the source sends a frame only if the picture changed. */
  readonly #frameRate: number | null;
  readonly #pixels: number;
  readonly #overloadMs: number;
  #arrivals: Arrival[] = [];
  #first: Arrival | undefined;
  #last: Arrival | undefined;
  #lateSinceMs: number | undefined;
  #unchangedSinceMs: number | undefined;
  hasMoved = false;

  constructor(frameRate: number | null, pixels: number, { overloadMs }: Pick<CaptureTimeouts, "overloadMs">) {
    this.#frameRate = frameRate;
    this.#pixels = pixels;
    this.#overloadMs = overloadMs;
  }

  judge(now: Arrival): Verdict {
    const verdict = this.#judgeClock(now);
    this.#first ??= now;
    // The launcher or ffmpeg was suspended: earlier arrivals say nothing about the machine's speed.
    if (this.#last !== undefined && now.monoMs - this.#last.monoMs > pauseMs) this.#arrivals = [];
    this.#last = now;
    this.#arrivals.push(now);
    if (now.deltaBytes !== null && isUnchanged(now.deltaBytes, this.#pixels)) this.#unchangedSinceMs ??= now.monoMs;
    else if (now.deltaBytes !== null) {
      this.#unchangedSinceMs = undefined;
      this.hasMoved = true;
    }
    return verdict.is === "good" ? this.#judgeLoad(now) : verdict;
  }

  /** Frames per second over the last seconds. */
  frameRate(): number {
    return measureFrameRate(this.#arrivals);
  }

  /** How long the picture has not changed. */
  unchangedMs(): number {
    return this.#unchangedSinceMs === undefined ? 0 : (this.#last?.monoMs ?? 0) - this.#unchangedSinceMs;
  }

  #judgeClock(now: Arrival): Verdict {
    if (this.#last !== undefined && clockWasSet(this.#last, now)) {
      return { is: "renew", why: message("capture.clock_was_set"), keep: false };
    }
    const lateness = now.wallMs - now.endMs;
    if (lateness < -earlyMs) return { is: "renew", why: message("capture.times_in_future"), keep: false };
    if (lateness <= lateMs) this.#lateSinceMs = undefined;
    else this.#lateSinceMs ??= now.monoMs;
    const isLate = this.#lateSinceMs !== undefined && now.monoMs - this.#lateSinceMs >= lateForMs;
    return isLate
      ? { is: "renew", why: message("capture.footage_late", { seconds: Math.round(lateness / 1_000) }), keep: true }
      : good;
  }

  #judgeLoad(now: Arrival): Verdict {
    const startIndex = this.#arrivals.findLastIndex((arrival) => now.monoMs - arrival.monoMs >= this.#overloadMs);
    if (startIndex < 0 || this.#first === undefined) return good;
    this.#arrivals = this.#arrivals.slice(startIndex);
    if (now.monoMs - this.#first.monoMs < this.#overloadMs + settlingMs) return good;
    const why = overloadReason(this.#arrivals, this.#frameRate);
    return why === undefined ? good : { is: "overload", why };
  }
}
