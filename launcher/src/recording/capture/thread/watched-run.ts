// A run with its watchdogs: ends ffmpeg if its footage is late, wrong or missing. Judges whether the times of the pictures are right,
// whether the machine keeps up, and whether the picture changes.

import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { CaptureChoice } from "../probe/choice.ts";
import type { CaptureSpec } from "../probe/commands.ts";
import type { CaptureTimeouts, Clock } from "./timeouts.ts";

/** A fragment with pictures, and when it arrived by the wall clock and by the monotonic clock. */
export type FragmentArrival = {
  readonly wallMs: number;
  readonly monoMs: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly frames: number;
  /** Size of the largest picture that is not a keyframe; null if all are keyframes. */
  readonly deltaBytes: number | null;
};

type Verdict =
  | { readonly is: "good" }
  /** The times of the pictures are wrong, so a new run must start. `keep` is true if this fragment is still right. */
  | { readonly is: "renew"; readonly why: Message; readonly keep: boolean }
  /** The machine is too slow for this quality. */
  | { readonly is: "overload"; readonly why: Message };

const good: Verdict = { is: "good" };
/** A larger jump of the wall clock means that somebody set it. */
const clockStepMs = 200;
/** Pictures further in the future than this have wrong times. */
const earlyMs = 50;
/** Pictures older than this on arrival count as late. */
const lateMs = 3_000;
/** How long pictures must stay late before the run ends. After a pause of the launcher itself, old pictures arrive in one burst. */
const lateForMs = 1_000;
/** If all pictures of the last seconds were older than this on arrival, the encoder is behind. */
const queueMs = 1_000;
/** Share of the expected frames below which the machine is too slow. */
const frameShareMin = 0.85;
/** After a longer pause between two fragments, the speed is measured anew. */
const pauseMs = 1_000;
/** The speed of the first seconds does not count, because programs start slowly on a busy machine. */
const settlingMs = 2_000;

/** Returns true if the wall clock jumped between two arrivals. The monotonic clock shows how much time really passed. */
function clockJumped(before: FragmentArrival, now: FragmentArrival): boolean {
  return Math.abs(now.wallMs - now.monoMs - (before.wallMs - before.monoMs)) > clockStepMs;
}

/** Returns frames per second, or 0 for fewer than two arrivals. The frames of the first arrival do not count: it starts the time. */
function measureFrameRate(arrivals: readonly FragmentArrival[]): number {
  const first = arrivals[0];
  const last = arrivals.at(-1);
  if (first === undefined || last === undefined || last.monoMs <= first.monoMs) return 0;
  const frames = arrivals.reduce((sum, arrival) => sum + arrival.frames, -first.frames);
  return (frames * 1_000) / (last.monoMs - first.monoMs);
}

/** Returns why the machine is too slow, or undefined if it keeps up. `arrivals` must span at least `overloadMs`. */
function overloadReason(arrivals: readonly FragmentArrival[], frameRate: number | null): Message | undefined {
  const lateness = Math.min(...arrivals.map((arrival) => arrival.wallMs - arrival.endMs));
  if (lateness > queueMs) return message("capture.encoder_behind", { seconds: (lateness / 1_000).toFixed(1) });
  const arrived = measureFrameRate(arrivals);
  if (frameRate === null || arrived >= frameRate * frameShareMin) return undefined;
  return message("capture.frames_arrived", { rate: arrived.toFixed(1), wanted: frameRate });
}

/** A frame without a change has 12 bytes (480p, ultrafast) to 90 bytes (1080p, superfast). A moved cursor adds hundreds. */
function isUnchanged(deltaBytes: number, pixels: number): boolean {
  return deltaBytes <= 64 + pixels / 16_384;
}

/** Reads no clock: each arrival brings its times. */
export class StreamWatch {
  /** Expected frames per second; null for a source that sends a frame only when the picture changes. */
  readonly #frameRate: number | null;
  readonly #pixels: number;
  readonly #overloadMs: number;
  #arrivals: FragmentArrival[] = [];
  #first: FragmentArrival | undefined;
  #last: FragmentArrival | undefined;
  #lateSinceMs: number | undefined;
  #unchangedSinceMs: number | undefined;
  /** True if the picture of this run has ever changed. */
  hasMoved = false;

  constructor(frameRate: number | null, pixels: number, { overloadMs }: Pick<CaptureTimeouts, "overloadMs">) {
    this.#frameRate = frameRate;
    this.#pixels = pixels;
    this.#overloadMs = overloadMs;
  }

  judge(now: FragmentArrival): Verdict {
    const verdict = this.#judgeClock(now);
    this.#first ??= now;
    // The launcher or ffmpeg was suspended, so the arrivals before the pause say nothing about the speed of the machine.
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

  /** Returns frames per second over the last seconds. */
  frameRate(): number {
    return measureFrameRate(this.#arrivals);
  }

  /** Returns how long the picture has not changed; 0 if the last fragment changed it. */
  unchangedMs(): number {
    return this.#unchangedSinceMs === undefined ? 0 : (this.#last?.monoMs ?? 0) - this.#unchangedSinceMs;
  }

  #judgeClock(now: FragmentArrival): Verdict {
    if (this.#last !== undefined && clockJumped(this.#last, now)) {
      return { is: "renew", why: message("capture.clock_jumped"), keep: false };
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

  #judgeLoad(now: FragmentArrival): Verdict {
    const startIndex = this.#arrivals.findLastIndex((arrival) => now.monoMs - arrival.monoMs >= this.#overloadMs);
    if (startIndex < 0 || this.#first === undefined) return good;
    this.#arrivals = this.#arrivals.slice(startIndex);
    if (now.monoMs - this.#first.monoMs < this.#overloadMs + settlingMs) return good;
    const why = overloadReason(this.#arrivals, this.#frameRate);
    return why === undefined ? good : { is: "overload", why };
  }
}

/** A command that captures: the chosen one, or a version of it with lower quality. */
export type QualityLevel = Pick<CaptureChoice, "args" | "width" | "height" | "frameRate" | "constantRate"> &
  Pick<CaptureSpec, "listedSize">;

/** What the watchdogs need to know about a fragment. */
export type FragmentFacts = Pick<FragmentArrival, "startMs" | "endMs" | "frames" | "deltaBytes">;

export type CaptureRunEvents<F extends FragmentFacts> = {
  readonly onFragment: (fragment: F) => void;
  /** Called once, when ffmpeg has exited. `reason` is worded as part of a sentence. */
  readonly onEnd: (reason: Message) => void;
};

/** A started ffmpeg. `end` kills it; `onEnd` is called later, when it has exited. */
export type CaptureRun = { end(): void };

type WatchedRunOptions<F extends FragmentFacts> = {
  readonly startRun: (level: QualityLevel, events: CaptureRunEvents<F>) => CaptureRun;
  readonly level: QualityLevel;
  readonly clock: Clock;
  readonly timeouts: CaptureTimeouts;
  /** Receives the footage to keep, beginning with a fragment that has pictures. `monoMs` is when it arrived. */
  readonly onFragment: (fragment: F, monoMs: number) => void;
  /** Called if the machine cannot keep up. The run continues. */
  readonly onOverload: (reason: Message) => void;
  /** Called once, when ffmpeg has exited. `isPlanned` is the value passed to `end`; false if ffmpeg ended by itself. */
  readonly onEnd: (reason: Message, isPlanned: boolean) => void;
};

export class WatchedRun<F extends FragmentFacts> {
  readonly #options: WatchedRunOptions<F>;
  readonly #startedMs: number;
  readonly #run: CaptureRun;
  readonly stream: StreamWatch;
  /** True after the first fragment with pictures. */
  hasDelivered = false;
  #ending: { readonly reason: Message; readonly isPlanned: boolean } | undefined;
  #cancelTimer: () => void = () => undefined;

  constructor(options: WatchedRunOptions<F>) {
    const { startRun, level, clock, timeouts } = options;
    this.#options = options;
    this.stream = new StreamWatch(level.constantRate ? level.frameRate : null, level.width * level.height, timeouts);
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

  /** Ends the run and discards the footage that still arrives. Only the reason of the first call is reported. */
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
      // A late timer means that this thread was suspended; what ffmpeg wrote meanwhile is still unread. An early one means that the
      // computer slept, and ffmpeg with it.
      if (Math.abs(clock.monoMs() - dueMs) > timeouts.silenceMs / 8) this.#expectFragment(withinMs);
      else this.end(message("capture.no_footage_for", { seconds: withinMs / 1_000 }));
    });
  }

  #handleFragment(fragment: F): void {
    if (this.#ending !== undefined) return;
    const { level, clock, timeouts, onFragment, onOverload } = this.#options;
    const { startMs, endMs, frames, deltaBytes } = fragment;
    const arrival = { ...readClocks(clock), startMs, endMs, frames, deltaBytes };
    // Sound alone does not prove that the capture works, so it is kept only after a picture has arrived.
    if (frames === 0) return this.hasDelivered ? onFragment(fragment, arrival.monoMs) : undefined;
    const verdict = this.stream.judge(arrival);
    if (verdict.is === "renew" && !verdict.keep) return this.end(verdict.why);
    this.hasDelivered = true;
    this.#expectFragment(level.constantRate ? timeouts.silenceMs : timeouts.variableRateSilenceMs);
    onFragment(fragment, arrival.monoMs);
    if (verdict.is === "renew") return this.end(verdict.why);
    if (verdict.is === "overload") onOverload(verdict.why);
  }
}

/** Reads both clocks at nearly the same moment, although a busy machine may suspend this thread between the two reads. */
function readClocks({ wallMs, monoMs }: Clock): Pick<FragmentArrival, "wallMs" | "monoMs"> {
  for (let tries = 0; ; tries += 1) {
    const before = monoMs();
    const wall = wallMs();
    const after = monoMs();
    if (after - before < 20 || tries === 5) return { wallMs: wall, monoMs: after };
  }
}
