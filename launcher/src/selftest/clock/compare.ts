// Compares the times of recorded frames with the clock that the frames show.
import { type Figures, rounded } from "../check.ts";
import type { ReadFrame } from "./clock-reader.ts";
import type { PaintedClock } from "./strip.ts";

/** `fault` says what is wrong; undefined if the times are right. */
export type ClockComparison = { readonly figures: Figures; readonly fault: string | undefined };

const readableShareMin = 0.9;
const framesMin = 10;
const differentClocksMin = 4;
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

export function compareClocks(frames: readonly ReadFrame[], painted: readonly PaintedClock[]): ClockComparison {
  const place = new Map(painted.map(({ clockMs }, index) => [clockMs, index]));
  const readable = frames.filter(({ ok }) => ok);
  const errors = readable.map((frame) => errorOf(frame, painted, place)).filter((error) => error !== undefined);
  const sizes = errors.map(Math.abs).sort((one, other) => one - other);
  const spanMs = (frames.at(-1)?.ptsMs ?? 0) - (frames[0]?.ptsMs ?? 0);
  const clocks = new Set(readable.map(({ clockMs }) => clockMs)).size;
  const figures = {
    frames: frames.length,
    readable: readable.length,
    differentClocks: clocks,
    framesPerSecond: spanMs > 0 ? rounded(((frames.length - 1) * 1_000) / spanMs) : 0,
    timeErrorMsMedian: rounded(quantile(sizes, 0.5)),
    timeErrorMsMost: rounded(quantile(sizes, share)),
  };
  const fault = () => {
    if (frames.length < framesMin) return `only ${frames.length} frames arrived`;
    if (readable.length < frames.length * readableShareMin)
      return "the clock cannot be read in the recorded frames: something covered it, or another part of the screen was recorded";
    if (errors.length < readable.length) return "the frames show a clock that was never painted";
    if (clocks < differentClocksMin) return "the recorded picture stands still";
    if (figures.timeErrorMsMedian > medianMaxMs || figures.timeErrorMsMost > errorMaxMs)
      return `the times of the frames are up to ${figures.timeErrorMsMost} ms wrong`;
    return undefined;
  };
  return { figures, fault: fault() };
}
