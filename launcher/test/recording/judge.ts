// Support: compares a clip's frames with what was on the screen: the right seconds, complete, and each frame once.
import type { ReadFrame } from "../../../tools/engines/clock-reader.ts";
import type { ClockFrame } from "../../../tools/engines/clock-window.ts";

export type Span = { readonly fromMs: number; readonly toMs: number };

/** The time for which each picture was on the screen. */
export type Screen = { spanOf(clockMs: number): Span | undefined };

export type Judging = {
  readonly screen: Screen;
  /** How long the capture waited for a processor in that time. It may miss that much footage. */
  readonly starvedMs: (span: Span) => number;
};

export type Verdict = {
  readonly faults: readonly string[];
  readonly frames: number;
  /** The median time from one frame to the next. A busy machine captures fewer frames. */
  readonly frameMs: number;
  /** The first frame's time minus the start of the range, and the last frame's time minus its end. */
  readonly firstErrorMs: number;
  readonly lastErrorMs: number;
  readonly longestStepMs: number;
  /** Steps of more than two frames that are explained by the machine. */
  readonly excused: number;
};

/** The tolerance of a frame's time besides one frame: the source has a new picture every 17 ms, out of step with the capture. */
const slackMs = 50;
const sourceFrameMs = 1_000 / 60;

export function screenOf(painted: readonly ClockFrame[]): Screen {
  const spans = new Map<number, Span>();
  for (const [index, { clockMs }] of painted.entries()) {
    const toMs = painted[index + 1]?.shownMs;
    if (toMs !== undefined) spans.set(clockMs, { fromMs: clockMs, toMs });
  }
  return { spanOf: (clockMs) => spans.get(clockMs) };
}

/** How much longer than two source frames the screen stood still at that picture. */
function frozenMs(screen: Screen, clockMs: number): number {
  const span = screen.spanOf(clockMs);
  return span === undefined ? 0 : Math.max(0, span.toMs - span.fromMs - 2 * sourceFrameMs);
}

function frameMsOf(frames: readonly ReadFrame[]): number {
  const steps = frames.slice(1).map(({ ptsMs }, index) => ptsMs - (frames[index]?.ptsMs ?? 0));
  return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? Number.NaN;
}

/** `window` is the requested range. */
export function judgeClip(frames: readonly ReadFrame[], window: Span, judging: Judging): Verdict {
  const { screen } = judging;
  const frameMs = frameMsOf(frames);
  const faults: string[] = [];
  const unread = frames.filter(({ ok }) => !ok).length;
  if (unread > 0) faults.push(`${unread} of ${frames.length} frames cannot be read`);
  const clocks = frames.filter(({ ok }) => ok).map(({ clockMs }) => clockMs);
  const foreign = clocks.filter((clockMs) => screen.spanOf(clockMs) === undefined).length;
  if (foreign > 0) faults.push(`${foreign} frames show what never was on the screen`);
  const first = clocks[0] ?? Number.NaN;
  const last = clocks.at(-1) ?? Number.NaN;

  const edge = (name: string, clockMs: number, wantedMs: number) => {
    const errorMs = clockMs - wantedMs;
    const around = { fromMs: Math.min(clockMs, wantedMs) - slackMs, toMs: Math.max(clockMs, wantedMs) + slackMs };
    const allowedMs = frameMs + slackMs + frozenMs(screen, clockMs) + judging.starvedMs(around);
    if (!(Math.abs(errorMs) <= allowedMs)) {
      faults.push(`the ${name} frame is ${errorMs.toFixed(0)} ms off the window, at most ${allowedMs.toFixed(0)}`);
    }
    return errorMs;
  };
  const firstErrorMs = edge("first", first, window.fromMs);
  const lastErrorMs = edge("last", last, window.toMs);
  const steps = stepsOf(clocks, frameMs, judging);
  return {
    faults: [...faults, ...steps.faults],
    frames: frames.length,
    frameMs,
    firstErrorMs,
    lastErrorMs,
    longestStepMs: steps.longestMs,
    excused: steps.excused,
  };
}

function stepsOf(clocks: readonly number[], frameMs: number, { screen, starvedMs }: Judging) {
  const faults: string[] = [];
  let longestMs = 0;
  let excused = 0;
  for (const [index, clockMs] of clocks.entries()) {
    const before = clocks[index - 1];
    if (before === undefined) continue;
    const stepMs = clockMs - before;
    longestMs = Math.max(longestMs, stepMs);
    if (stepMs < 0) faults.push(`the frame of ${clockMs} comes after that of ${before}`);
    // The captured picture may be as old as one frame of the source.
    const limitMs = 2 * frameMs + sourceFrameMs;
    if (stepMs <= limitMs) continue;
    const span = { fromMs: before - slackMs, toMs: clockMs + slackMs };
    if (stepMs - frozenMs(screen, before) - starvedMs(span) <= limitMs) excused += 1;
    else faults.push(`${stepMs} ms between two frames at ${new Date(before).toISOString()}`);
  }
  return { faults, longestMs, excused };
}

/** Two captures of one picture are at least this far apart. */
const sameCaptureMs = 10;

type Shown = { readonly startedMs: number; readonly frames: readonly ReadFrame[] };

/** The pictures in more than one clip, unless each clip made its own capture of a frozen screen. */
export function repeatedFrames(clips: readonly Shown[], screen: Screen): number[] {
  const seen = new Map<number, { clip: Shown; atMs: number }>();
  const repeated: number[] = [];
  for (const clip of clips) {
    for (const { ok, clockMs, ptsMs } of clip.frames) {
      if (!ok) continue;
      const atMs = clip.startedMs + ptsMs;
      const other = seen.get(clockMs);
      seen.set(clockMs, { clip, atMs });
      if (other === undefined || other.clip === clip) continue;
      const goneMs = (screen.spanOf(clockMs)?.toMs ?? clockMs) + slackMs;
      const twoCaptures = Math.abs(atMs - other.atMs) >= sameCaptureMs && Math.max(atMs, other.atMs) <= goneMs;
      if (!twoCaptures) repeated.push(clockMs);
    }
  }
  return repeated;
}
