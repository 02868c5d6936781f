// Plans one file of parts of several movies, whose frames are copied: the parts follow one another, each with a chapter.

import { layOutMedia, type MediaLayout, movieHead, placeSounds } from "./movie.ts";
import {
  cutVideo,
  type EncoderRun,
  type MediaSample,
  rebaseTimes,
  type TrackTimeline,
  type VideoCut,
} from "./timeline.ts";

export type MoviePart = {
  /** Times count from the start of its movie. All runs must be able to share a file. */
  readonly run: EncoderRun;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly title: string;
};

export type MergedMovie = {
  readonly head: Uint8Array;
  readonly layout: MediaLayout;
  readonly bytes: number;
  readonly seconds: number;
  /** How many frames the file has from its start on. */
  readonly frames: number;
  /** How many of them a player shows. The others only help to decode the start of a part, and last one tick each. */
  readonly shown: number;
  /** Where each part starts, in seconds. */
  readonly starts: readonly number[];
  /** Times of the first keyframe that a player shows of each part, in seconds. A short part may have none. */
  readonly firstKeyframes: readonly number[];
};

type Labels = { readonly title: string; readonly comment: string; readonly createdMs: number };
/** A part and where it is in the new file, in ticks of the video from the first decoded frame. */
type PlacedPart = {
  readonly part: MoviePart;
  readonly cut: VideoCut;
  readonly baseTicks: number;
  readonly startTicks: number;
};

/** Returns undefined if a part has no frame in its range. */
export function planMergedMovie(parts: readonly MoviePart[], labels: Labels): MergedMovie | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const { init } = first.run;
  const placed = placeParts(parts, init.video.timescale);
  if (placed === undefined) return undefined;
  const video = joinVideo(placed.parts, placed.endTicks, init.video.timescale);
  const sounds = placeSounds(init, (i, scale) => joinSound(placed.parts, video, i, scale));
  const layout = layOutMedia([video, ...sounds.map(({ timeline }) => timeline)]);
  const starts = placed.parts.map(({ startTicks }) => (startTicks - video.zeroTicks) / video.timescale);
  const durationTicks = placed.endTicks - video.zeroTicks;
  const chapters = parts.map(({ title }, i) => ({ atSeconds: starts[i] ?? 0, title }));
  const { title, comment, createdMs } = labels;
  const startedAt = new Date(createdMs).toISOString();
  const metadata = { title, comment, startedAt, chapters };
  const head = movieHead({ init, video, sounds, durationTicks, createdMs, layout, metadata });
  return {
    head,
    layout,
    bytes: head.length + layout.bytes,
    seconds: durationTicks / video.timescale,
    frames: video.samples.filter(({ presentTicks }) => presentTicks >= video.zeroTicks).length,
    shown: placed.parts.reduce((sum, { cut }) => sum + cut.shown, 0),
    starts,
    firstKeyframes: placed.parts
      .flatMap((part) => firstKeyframeTicks(part) ?? [])
      .map((ticks) => (ticks - video.zeroTicks) / video.timescale),
  };
}

function firstKeyframeTicks({ cut, baseTicks }: PlacedPart): number | undefined {
  const { samples, zeroTicks, endTicks } = cut.timeline;
  const first = samples.find(({ sync, presentTicks: at }) => sync && at >= zeroTicks && at < endTicks);
  return first && baseTicks + first.presentTicks;
}

function placeParts(
  parts: readonly MoviePart[],
  timescale: number,
): { readonly parts: PlacedPart[]; readonly endTicks: number } | undefined {
  const placed: PlacedPart[] = [];
  let baseTicks = 0;
  for (const part of parts) {
    const ticksOf = (seconds: number) => Math.round(seconds * timescale);
    const cut = cutVideo([part.run.video], timescale, ticksOf(part.fromSeconds), ticksOf(part.toSeconds));
    if (cut === null) return undefined;
    const { samples, endTicks, zeroTicks } = cut.timeline;
    placed.push({ part, cut, baseTicks, startTicks: baseTicks + zeroTicks });
    // Frames after the end of a part, on which others depend, are shown a tick each, before the next part starts.
    baseTicks += samples.reduce((end, { presentTicks }) => Math.max(end, presentTicks + 1), endTicks);
  }
  return { parts: placed, endTicks: baseTicks };
}

function joinVideo(parts: readonly PlacedPart[], endTicks: number, timescale: number): TrackTimeline {
  const samples = parts.flatMap(({ cut, baseTicks }) => rebaseTimes(cut.timeline.samples, -baseTicks));
  return { timescale, samples, endTicks, zeroTicks: parts[0]?.startTicks ?? 0 };
}

/** Times of sound count from the start of the file until the samples are rebased. */
function joinSound(
  parts: readonly PlacedPart[],
  video: TrackTimeline,
  track: number,
  timescale: number,
): TrackTimeline | null {
  const all: MediaSample[] = [];
  for (const [i, { part, cut, startTicks }] of parts.entries()) {
    const scaled = (ticks: number) => Math.round((ticks / video.timescale) * timescale);
    const [from, to, start] = [cut.fromTicks, cut.toTicks, startTicks - video.zeroTicks].map(scaled) as [
      number,
      number,
      number,
    ];
    for (const sample of part.run.sounds[track] ?? []) {
      const { presentTicks, durationTicks } = sample;
      // The first part includes the block before, so that the decoder starts without a click.
      const isWanted = i === 0 ? presentTicks + 2 * durationTicks > from : presentTicks >= from;
      const atTicks = start + presentTicks - from;
      const last = all.at(-1);
      // Drops a block that overlaps the previous one by more than half. Keeping it would delay all sound of this part.
      const isFree = last === undefined || atTicks >= last.presentTicks + last.durationTicks / 2;
      if (isWanted && presentTicks < to && isFree) all.push({ ...sample, decodeTicks: atTicks, presentTicks: atTicks });
    }
  }
  const base = all[0]?.decodeTicks;
  const last = all.at(-1);
  if (base === undefined || last === undefined) return null;
  const endTicks = last.decodeTicks + last.durationTicks - base;
  return { timescale, samples: rebaseTimes(all, base), endTicks, zeroTicks: -base };
}
