// One run of ffmpeg with its watchdogs: ends the run if its output is late, wrong or missing.
import type { QualityLevel } from "./messages.ts";
import { type Arrival, type CaptureTimeouts, createStreamWatch } from "./watchdogs.ts";

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
  readonly onEnd: (reason: string) => void;
};

export type CaptureRun = { end(): void };

export type WatchedRunOptions<F extends FragmentFacts> = {
  readonly startRun: (level: QualityLevel, events: CaptureRunEvents<F>) => CaptureRun;
  readonly level: QualityLevel;
  readonly clock: Clock;
  readonly timeouts: CaptureTimeouts;
};

export type WatchedRunEvents<F extends FragmentFacts> = {
  /** Receives the footage to keep. The first fragment has pictures. `monoMs` is the time of arrival. */
  readonly onFragment: (fragment: F, monoMs: number) => void;
  /** Called if the machine cannot keep up. The run continues. */
  readonly onOverload: (reason: string) => void;
  /** Called once, when the process has exited. `isPlanned` is the value passed to `end`. */
  readonly onEnd: (reason: string, isPlanned: boolean) => void;
};

export type WatchedRun = {
  /** Ends the run and discards later footage. The reason of the first call is reported. */
  end(reason: string, isPlanned?: boolean): void;
  hasDelivered(): boolean;
  ageMs(): number;
  frameRate(): number;
  unchangedMs(): number;
  hasMoved(): boolean;
};

export function startWatchedRun<F extends FragmentFacts>(
  { startRun, level, clock, timeouts }: WatchedRunOptions<F>,
  events: WatchedRunEvents<F>,
): WatchedRun {
  const { frameRate, constantRate, width, height } = level;
  const watch = createStreamWatch({ frameRate: constantRate ? frameRate : null, pixels: width * height, timeouts });
  const startedMs = clock.monoMs();
  let hasDelivered = false;
  let ending: { reason: string; isPlanned: boolean } | undefined;
  let cancelTimer: () => void = () => undefined;

  const end = (reason: string, isPlanned = false) => {
    cancelTimer();
    ending ??= { reason, isPlanned };
    run.end();
  };
  const expectFragment = (withinMs: number) => {
    cancelTimer();
    const dueMs = clock.monoMs() + withinMs;
    cancelTimer = clock.after(withinMs, () => {
      // If this thread itself was stopped for a while, the output that ffmpeg sent meanwhile is still unread.
      if (clock.monoMs() - dueMs > timeouts.silenceMs / 8) expectFragment(withinMs);
      else end(`no footage came for ${withinMs / 1_000} s`);
    });
  };
  const handleFragment = (fragment: F) => {
    if (ending !== undefined) return;
    const { startMs, endMs, frames, deltaBytes } = fragment;
    const arrival = { ...readClocks(clock), startMs, endMs, frames, deltaBytes };
    // A fragment with only sound does not prove that the capture works, and is kept only after pictures.
    if (frames === 0) return hasDelivered ? events.onFragment(fragment, arrival.monoMs) : undefined;
    const verdict = watch.judge(arrival);
    if (verdict.is === "renew" && !verdict.keep) return end(verdict.why);
    hasDelivered = true;
    expectFragment(constantRate ? timeouts.silenceMs : timeouts.variableRateSilenceMs);
    events.onFragment(fragment, arrival.monoMs);
    if (verdict.is === "renew") return end(verdict.why);
    if (verdict.is === "overload") events.onOverload(verdict.why);
  };
  expectFragment(timeouts.firstFragmentMs);
  const run = startRun(level, {
    onFragment: handleFragment,
    onEnd(exitReason) {
      cancelTimer();
      const { reason, isPlanned } = ending ?? { reason: exitReason, isPlanned: false };
      events.onEnd(reason, isPlanned);
    },
  });
  return {
    end,
    hasDelivered: () => hasDelivered,
    ageMs: () => clock.monoMs() - startedMs,
    frameRate: watch.frameRate,
    unchangedMs: watch.unchangedMs,
    hasMoved: watch.hasMoved,
  };
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
