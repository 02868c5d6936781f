// A part of a clip as a person marks it: where it begins and ends, kept within the clip. Pure.
import type { Clip } from "@kit/contract";

export type PartRange = { readonly from: number; readonly to: number };
export type Edge = keyof PartRange;

/** Less than this is no clip: the launcher takes no shorter part. */
export const partSecondsMin = 0.5;
/** The recorder's usual rate, for a clip that does not say its own. */
const usualFrameRate = 30;

/** What an edge moves in: to the picture, and never out of it. */
export type Footage = { readonly duration: number; readonly frameSeconds: number };

export const footageOf = ({ duration, frameRate }: Pick<Clip, "duration" | "frameRate">): Footage => ({
  duration,
  frameSeconds: 1 / (frameRate ?? usualFrameRate),
});

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), Math.max(min, max));

/** To a frame, or to the clip's very end, which may lie between two. */
const toFrame = (seconds: number, { duration, frameSeconds }: Footage) =>
  seconds >= duration ? duration : Math.min(Math.round(seconds / frameSeconds) * frameSeconds, duration);

/** One edge at a second, as near as the other one and the clip's ends allow. */
export function withEdge(range: PartRange, edge: Edge, seconds: number, footage: Footage): PartRange {
  const { duration } = footage;
  const at = toFrame(seconds, footage);
  return edge === "from"
    ? { ...range, from: clamp(at, 0, range.to - partSecondsMin) }
    : { ...range, to: clamp(at, range.from + partSecondsMin, duration) };
}

/** The edge set to where the clip stands; the other one gives way where it is in the way. */
export function markedAt(range: PartRange, edge: Edge, seconds: number, footage: Footage): PartRange {
  const { duration } = footage;
  const at = toFrame(seconds, footage);
  if (edge === "from") {
    const from = clamp(at, 0, duration - partSecondsMin);
    return { from, to: range.to - from < partSecondsMin ? duration : range.to };
  }
  const to = clamp(at, partSecondsMin, duration);
  return { from: to - range.from < partSecondsMin ? 0 : range.from, to };
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

/** Where a key takes an edge; undefined for one that is not the handle's. With shift an arrow goes a second. */
export function placeByKey(range: PartRange, edge: Edge, { key, shift }: Pressed, frameSeconds: number) {
  if (key === "Home") return edge === "from" ? 0 : range.from + partSecondsMin;
  if (key === "End") return edge === "from" ? range.to - partSecondsMin : Number.POSITIVE_INFINITY;
  const frames = arrows.get(key);
  const step = seconds.get(key);
  if (frames !== undefined) return range[edge] + frames * (shift ? 1 : frameSeconds);
  return step === undefined ? undefined : range[edge] + step;
}

/** Per cent of a clip. */
export const percentOf = (seconds: number, duration: number): number =>
  duration > 0 ? clamp((100 * seconds) / duration, 0, 100) : 0;
