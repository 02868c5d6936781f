// The parts of a reel that is being put together: their order, ranges and titles.
import type { BodyOf, Clip, makeReel } from "@kit/contract";
import { clearNumber, writeNumber } from "../../numbers.ts";
import { clipTitle } from "../clip-text.ts";

export type DraftPart = {
  /** A clip is in a reel only once, so it identifies the part. */
  readonly clip: Clip;
  readonly title: string;
  /** As typed, in seconds. */
  readonly from: string;
  readonly to: string;
};

const shortestSeconds = 0.5;
/** Share of the seconds that lie before the moment. */
const shareBefore = 0.7;

const typed = (seconds: number): string => writeNumber(Math.round(seconds * 10) / 10);

/** Returns the second of the moment that the clip is about. Errors come last. */
function mainSecond({ title, events }: Clip): number | undefined {
  const others = events.filter(({ kind }) => kind !== "monitor");
  return (others.find(({ label }) => label === title) ?? others[0] ?? events[0])?.offset;
}

/** Returns the part with the seconds around its moment, or the whole clip without `seconds`. */
export function rangeAround(part: DraftPart, seconds: number | undefined): DraftPart {
  const { duration } = part.clip;
  if (seconds === undefined || seconds >= duration)
    return { ...part, from: "0", to: typed(Math.floor(duration * 10) / 10) };
  const at = mainSecond(part.clip) ?? duration;
  const from = Math.max(0, Math.min(duration - seconds, at - seconds * shareBefore));
  return { ...part, from: typed(from), to: typed(Math.min(Math.floor(duration * 10) / 10, from + seconds)) };
}

/** Begins with the whole clips, in the order in which they were recorded. */
export const draftOf = (clips: readonly Clip[]): DraftPart[] =>
  clips
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
    .map((clip) => rangeAround({ clip, title: clipTitle(clip), from: "", to: "" }, undefined));

/** Moves the part of a clip to another place. The others keep their order. */
export function movePart(parts: readonly DraftPart[], id: string, to: number): readonly DraftPart[] {
  const part = parts.find(({ clip }) => clip.id === id);
  if (part === undefined || to < 0 || to >= parts.length) return parts;
  return parts.filter((one) => one !== part).toSpliced(to, 0, part);
}

export type Seconds = { readonly from: number; readonly to: number };

/** Returns undefined if what was typed is no range of the clip. */
export function secondsOf({ clip, from, to }: DraftPart): Seconds | undefined {
  const range = { from: clearNumber(from) ?? Number.NaN, to: clearNumber(to) ?? Number.NaN };
  const isInside = range.from >= 0 && range.to <= clip.duration && range.to - range.from >= shortestSeconds;
  return isInside ? range : undefined;
}

/** Returns undefined if a range is invalid. */
export function lengthOf(parts: readonly DraftPart[]): number | undefined {
  const ranges = parts.map(secondsOf);
  return ranges.reduce<number | undefined>(
    (sum, range) => (sum === undefined || range === undefined ? undefined : sum + range.to - range.from),
    0,
  );
}

/** A part that is a whole clip has no range, so that not a frame of it is lost. */
export function reelRequest(title: string, parts: readonly DraftPart[], fade: boolean): BodyOf<typeof makeReel> {
  return {
    title: title.trim(),
    ...(fade && { fade }),
    parts: parts.map((part) => {
      const { from = 0, to = 0 } = secondsOf(part) ?? {};
      const isWhole = from === 0 && to >= part.clip.duration - 0.1;
      const range = isWhole ? {} : { fromSeconds: from, toSeconds: to };
      return { clip: part.clip.id, ...range, ...(part.title.trim() !== "" && { title: part.title.trim() }) };
    }),
  };
}
