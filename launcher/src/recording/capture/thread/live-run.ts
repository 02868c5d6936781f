// One run of the capture under watch: what it delivers is judged, and what goes wrong ends it.
import type { Level } from "./messages.ts";
import { type Arrival, createWatch, type Patience } from "./watchdogs.ts";

export type Clock = {
  /** Epoch milliseconds; may be set by anybody. */
  readonly wallMs: () => number;
  /** Only ever goes on. */
  readonly monoMs: () => number;
  /** Returns what takes it back. */
  readonly after: (ms: number, act: () => void) => () => void;
};

/** What a run delivered: what the watch needs to know of it, and whatever its owner needs. */
export type Delivered = Pick<Arrival, "startMs" | "endMs" | "frames" | "deltaBytes">;

export type RunEvents<F extends Delivered> = {
  readonly onFragment: (fragment: F) => void;
  /** Called once, when the process is gone for good. `why` is a part of a sentence. */
  readonly onEnd: (why: string) => void;
};

export type Run = { end(): void };

export type LiveRunNeeds<F extends Delivered> = {
  readonly startRun: (level: Level, events: RunEvents<F>) => Run;
  readonly order: Level;
  readonly clock: Clock;
  readonly patience: Patience;
};

export type LiveRunEvents<F extends Delivered> = {
  /** Footage to be kept; the first begins with a picture. `monoMs`: when it came. */
  readonly onFragment: (fragment: F, monoMs: number) => void;
  /** The machine cannot keep up. It goes on all the same. */
  readonly onOverload: (why: string) => void;
  /** Called once, when the process is gone; `planned` is as it was given to `end`. */
  readonly onEnd: (why: string, planned: boolean) => void;
};

export type LiveRun = {
  /** The first reason given stays. What it still delivers is thrown away. */
  end(why: string, planned?: boolean): void;
  hasDelivered(): boolean;
  ageMs(): number;
  frameRate(): number;
  stillForMs(): number;
  hasMoved(): boolean;
};

export function startLiveRun<F extends Delivered>(needs: LiveRunNeeds<F>, events: LiveRunEvents<F>): LiveRun {
  const { order, clock, patience } = needs;
  const { frameRate, steady, width, height } = order;
  const watch = createWatch({ frameRate: steady ? frameRate : null, pixels: width * height, patience });
  const beganMs = clock.monoMs();
  let hasDelivered = false;
  let ending: { why: string; planned: boolean } | undefined;
  let cancelTimer: () => void = () => undefined;

  const end = (why: string, planned = false) => {
    cancelTimer();
    ending ??= { why, planned };
    run.end();
  };
  const expectFragment = (withinMs: number) => {
    cancelTimer();
    const dueMs = clock.monoMs() + withinMs;
    cancelTimer = clock.after(withinMs, () => {
      // Stopped ourselves for a while: what ffmpeg sent meanwhile is still to be read.
      if (clock.monoMs() - dueMs > patience.silenceMs / 8) expectFragment(withinMs);
      else end(`no footage came for ${withinMs / 1_000} s`);
    });
  };
  const arrived = (fragment: F) => {
    if (ending !== undefined) return;
    const arrival = { ...readClocks(clock), ...delivered(fragment) };
    // Sound alone proves nothing, and is of use only beside pictures.
    if (fragment.frames === 0) return hasDelivered ? events.onFragment(fragment, arrival.monoMs) : undefined;
    const verdict = watch.arrived(arrival);
    if (verdict.is === "renew" && !verdict.keep) return end(verdict.why);
    hasDelivered = true;
    expectFragment(steady ? patience.silenceMs : patience.unsteadySilenceMs);
    events.onFragment(fragment, arrival.monoMs);
    if (verdict.is === "renew") return end(verdict.why);
    if (verdict.is === "overload") events.onOverload(verdict.why);
  };
  expectFragment(patience.firstFragmentMs);
  const run = needs.startRun(order, {
    onFragment: arrived,
    onEnd(reason) {
      cancelTimer();
      const { why, planned } = ending ?? { why: reason, planned: false };
      events.onEnd(why, planned);
    },
  });
  return {
    end,
    hasDelivered: () => hasDelivered,
    ageMs: () => clock.monoMs() - beganMs,
    frameRate: watch.frameRate,
    stillForMs: watch.stillForMs,
    hasMoved: watch.hasMoved,
  };
}

/** Both at one moment: a busy machine may put this thread aside between the two. */
function readClocks({ wallMs, monoMs }: Clock): Pick<Arrival, "wallMs" | "monoMs"> {
  for (let tries = 0; ; tries += 1) {
    const before = monoMs();
    const wall = wallMs();
    const after = monoMs();
    if (after - before < 20 || tries === 5) return { wallMs: wall, monoMs: after };
  }
}

const delivered = ({ startMs, endMs, frames, deltaBytes }: Delivered): Delivered => ({
  startMs,
  endMs,
  frames,
  deltaBytes,
});
