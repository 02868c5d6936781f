// Compares the times of recorded frames with the clock that the frames show.
import { type Figures, reportIt, rounded, runAgain } from "../check.ts";
import type { ReadFrame } from "./clock-reader.ts";
import type { PaintedClock } from "./strip.ts";

/** What is wrong with a recording, as the end of a sentence, and one thing to do. */
type Fault = { readonly what: string; readonly toDo: string };
/** `fault` is undefined if the times are right. `poor` says that there are few frames; empty if there are enough. */
export type ClockComparison = { readonly figures: Figures; readonly fault: Fault | undefined; readonly poor: string };

const readableShareMin = 0.9;
const framesMin = 10;
const differentClocksMin = 4;
/** Kit asks for 30. */
const smoothRateMin = 20;
/** Half of the frames may be this wrong, and most of them more: a busy computer copies a picture late. */
const medianMaxMs = 50;
const errorMaxMs = 250;
const share = 0.95;

const quantile = (sorted: readonly number[], at: number) => sorted[Math.floor((sorted.length - 1) * at)] ?? 0;

/**
 * How far the time of a frame is outside the time in which the screen showed its clock: 0 if it is inside, negative if it is too
 * early. Undefined if the clock was never painted.
 */
function errorOf({ ptsMs, clockMs }: ReadFrame, painted: readonly PaintedClock[], place: ReadonlyMap<number, number>) {
  const index = place.get(clockMs);
  if (index === undefined) return undefined;
  const hiddenMs = painted[index + 1]?.shownMs ?? Number.POSITIVE_INFINITY;
  if (ptsMs < clockMs) return ptsMs - clockMs;
  return Math.max(0, ptsMs - hiddenMs);
}

/** Counts the frames that would fit between the recorded ones, by the usual time between two. */
function countMissing(frames: readonly ReadFrame[]): number {
  const times = frames.map(({ ptsMs }) => ptsMs).sort((one, other) => one - other);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const usualMs = quantile(
    gaps.toSorted((one, other) => one - other),
    0.5,
  );
  return gaps.reduce((sum, gapMs) => sum + (usualMs > 0 ? Math.max(0, Math.round(gapMs / usualMs) - 1) : 0), 0);
}

export function compareClocks(frames: readonly ReadFrame[], painted: readonly PaintedClock[]): ClockComparison {
  const place = new Map(painted.map(({ clockMs }, index) => [clockMs, index]));
  const readable = frames.filter(({ ok }) => ok);
  const errors = readable.map((frame) => errorOf(frame, painted, place)).filter((error) => error !== undefined);
  const sizes = errors.map(Math.abs).sort((one, other) => one - other);
  const spanMs = (frames.at(-1)?.ptsMs ?? 0) - (frames[0]?.ptsMs ?? 0);
  const clocks = new Set(readable.map(({ clockMs }) => clockMs)).size;
  const figures = {
    frames: frames.length,
    missingFrames: countMissing(frames),
    readable: readable.length,
    differentClocks: clocks,
    framesPerSecond: spanMs > 0 ? rounded(((frames.length - 1) * 1_000) / spanMs) : 0,
    timeErrorMsMedian: rounded(quantile(sizes, 0.5)),
    timeErrorMsMost: rounded(quantile(sizes, share)),
  };
  const fault = (): Fault | undefined => {
    if (frames.length < framesMin) return { what: `only ${frames.length} frames arrived`, toDo: runAgain };
    if (readable.length < frames.length * readableShareMin)
      return {
        what: "the clock cannot be read in its frames: something covered it, or another part of the screen was recorded",
        toDo: "Leave the upper edge of the screen free, and run the self-test again.",
      };
    if (errors.length < readable.length)
      return { what: "its frames show a clock that was never painted", toDo: reportIt };
    if (clocks < differentClocksMin) return { what: "its picture stands still", toDo: runAgain };
    if (figures.timeErrorMsMedian > medianMaxMs || figures.timeErrorMsMost > errorMaxMs)
      return { what: `the times of its frames are up to ${figures.timeErrorMsMost} ms wrong`, toDo: runAgain };
    return undefined;
  };
  const rate = figures.framesPerSecond;
  const poor = rate < smoothRateMin ? `Only ${rate} of 30 frames a second were recorded. ${runAgain}` : "";
  return { figures, fault: fault(), poor };
}
