// A run with its watchdogs: ends ffmpeg if its footage is late, wrong or missing.
import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { CaptureChoice } from "../probe/choice.ts";
import { type FragmentArrival, StreamWatch } from "./stream-watch.ts";
import type { CaptureTimeouts, Clock } from "./timeouts.ts";

/** A command that captures: the chosen one, or a version of it with lower quality. */
export type QualityLevel = Pick<CaptureChoice, "args" | "width" | "height" | "frameRate" | "constantRate">;

/** What the watchdogs need to know about a fragment. */
export type FragmentFacts = Pick<FragmentArrival, "startMs" | "endMs" | "frames" | "deltaBytes">;

export type CaptureRunEvents<F extends FragmentFacts> = {
  readonly onFragment: (fragment: F) => void;
  /** Called once, when ffmpeg has exited. `reason` is worded as part of a sentence. */
  readonly onEnd: (reason: Message) => void;
};

/** A started ffmpeg. `end` kills it; `onEnd` is called later, when it has exited. */
export type CaptureRun = { end(): void };

export type WatchedRunOptions<F extends FragmentFacts> = {
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
      // A timer that fires late means that this thread was suspended. What ffmpeg wrote meanwhile is still unread.
      if (clock.monoMs() - dueMs > timeouts.silenceMs / 8) this.#expectFragment(withinMs);
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
