// The range that a trim keeps, always within the clip. Pure.
import type { Clip } from "@kit/contract";

export type TrimRange = { readonly from: number; readonly to: number };
export type TrimEdge = keyof TrimRange;

/** Minimum length of a trim that the launcher accepts. */
export const trimSecondsMin = 0.5;
/** The recorder's default frame rate, for clips whose rate is unknown. */
const usualFrameRate = 30;

/** The duration of a clip and of one of its frames, in seconds. */
export type ClipTiming = { readonly duration: number; readonly frameSeconds: number };

export const clipTiming = ({ duration, frameRate }: Pick<Clip, "duration" | "frameRate">): ClipTiming => ({
  duration,
  frameSeconds: 1 / (frameRate ?? usualFrameRate),
});

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), Math.max(min, max));

/** Rounds a second to the nearest frame, or to the end of the clip, which may lie between two frames. */
const toFrame = (seconds: number, { duration, frameSeconds }: ClipTiming) =>
  seconds >= duration ? duration : Math.min(Math.round(seconds / frameSeconds) * frameSeconds, duration);

/** Moves one edge, at most up to the other edge and the ends of the clip. */
export function moveTrimEdge(range: TrimRange, edge: TrimEdge, seconds: number, footage: ClipTiming): TrimRange {
  const { duration } = footage;
  const at = toFrame(seconds, footage);
  return edge === "from"
    ? { ...range, from: clamp(at, 0, range.to - trimSecondsMin) }
    : { ...range, to: clamp(at, range.from + trimSecondsMin, duration) };
}

/** Moves one edge to a second. If the other edge is in the way, resets that one. */
export function setTrimEdge(range: TrimRange, edge: TrimEdge, seconds: number, footage: ClipTiming): TrimRange {
  const { duration } = footage;
  const at = toFrame(seconds, footage);
  if (edge === "from") {
    const from = clamp(at, 0, duration - trimSecondsMin);
    return { from, to: range.to - from < trimSecondsMin ? duration : range.to };
  }
  const to = clamp(at, trimSecondsMin, duration);
  return { from: to - range.from < trimSecondsMin ? 0 : range.from, to };
}

const arrows: ReadonlyMap<string, 1 | -1> = new Map([
  ["ArrowLeft", -1],
  ["ArrowDown", -1],
  ["ArrowRight", 1],
  ["ArrowUp", 1],
]);
const seconds: ReadonlyMap<string, 1 | -1> = new Map([
  ["PageDown", -1],
  ["PageUp", 1],
]);

type Pressed = { readonly key: string; readonly shift: boolean };

/**
 * Returns the second to which a key moves an edge; undefined for other keys. With Shift, the arrow keys move by a whole
 * second.
 */
export function edgePositionByKey(range: TrimRange, edge: TrimEdge, { key, shift }: Pressed, frameSeconds: number) {
  if (key === "Home") return edge === "from" ? 0 : range.from + trimSecondsMin;
  if (key === "End") return edge === "from" ? range.to - trimSecondsMin : Number.POSITIVE_INFINITY;
  const frames = arrows.get(key);
  const step = seconds.get(key);
  if (frames !== undefined) return range[edge] + frames * (shift ? 1 : frameSeconds);
  return step === undefined ? undefined : range[edge] + step;
}

/** Returns a position in percent of the clip's duration. */
export const percentOf = (seconds: number, duration: number): number =>
  duration > 0 ? clamp((100 * seconds) / duration, 0, 100) : 0;
