// Samples on their way into a file: encoder runs, and the timelines of the file's tracks.
import type { Fragment, Sample } from "./fragment.ts";
import { canJoin, type Init } from "./init.ts";

/** A sample with the buffer that contains its bytes. */
export type MediaSample = Sample & { readonly media: Uint8Array };

/** Moves samples so that `base` becomes tick 0. */
export const startAtZero = (samples: readonly MediaSample[], base: number): MediaSample[] =>
  samples.map((sample) => ({
    ...sample,
    decodeTicks: sample.decodeTicks - base,
    presentTicks: sample.presentTicks - base,
  }));

/** The samples of one encoder run, in decode order. */
export type EncoderRun = {
  readonly init: Init;
  readonly video: readonly MediaSample[];
  readonly sound: readonly MediaSample[];
};

/** A track of the new file. Its first sample has the time 0. */
export type Timeline = {
  readonly timescale: number;
  readonly samples: readonly MediaSample[];
  /** End of the last sample. */
  readonly endTicks: number;
  /** Start of the clip on this timeline. Earlier samples are decoded but not shown. Negative if the track starts later. */
  readonly zeroTicks: number;
};

/** Groups consecutive fragments by encoder run. */
export function groupByRun(fragments: readonly Fragment[]): EncoderRun[] {
  const groups: Fragment[][] = [];
  for (const fragment of fragments) {
    const last = groups.at(-1);
    if (last?.[0]?.init === fragment.init) last.push(fragment);
    else groups.push([fragment]);
  }
  return groups.map((group) => ({
    init: (group[0] as Fragment).init,
    // Samples before the first sync sample cannot be decoded.
    video: group.flatMap(({ video, media }) => video.map((sample) => ({ ...sample, media }))).reduce(fromFirstSync, []),
    sound: group.flatMap(({ sound, media }) => sound.map((sample) => ({ ...sample, media }))),
  }));
}

function fromFirstSync(kept: MediaSample[], piece: MediaSample): MediaSample[] {
  if (kept.length > 0 || piece.sync) kept.push(piece);
  return kept;
}

/** Returns the run nearest to the main moment, with its neighbors as far as they can share its tracks. */
export function joinCompatibleRuns(runs: readonly EncoderRun[], tellingMs: number): EncoderRun[] {
  const distances = runs.map((run) => distance(run, tellingMs));
  const telling = distances.indexOf(Math.min(...distances));
  const { init } = runs[telling] as EncoderRun;
  let first = telling;
  let last = telling;
  while (first > 0 && canJoin((runs[first - 1] as EncoderRun).init, init)) first--;
  while (last < runs.length - 1 && canJoin((runs[last + 1] as EncoderRun).init, init)) last++;
  return runs.slice(first, last + 1);
}

function distance({ init, video }: EncoderRun, atMs: number): number {
  const at = (atMs * init.video.timescale) / 1000;
  return Math.max(0, (video[0]?.presentTicks ?? Infinity) - at, at - lastEndTicks(video));
}

/** When the last sample stops being shown. */
export function lastEndTicks(pieces: readonly MediaSample[]): number {
  return pieces.reduce(
    (end, { presentTicks, durationTicks }) => Math.max(end, presentTicks + durationTicks),
    -Infinity,
  );
}

/**
 * Drops samples that overlap a later run. Runs overlap after a clock change, or if a stopped encoder was late; the later run is
 * correct.
 */
export function removeOverlaps(runs: readonly (readonly MediaSample[])[]): MediaSample[][] {
  const kept: MediaSample[][] = [];
  let limit = Infinity;
  for (const pieces of runs.toReversed()) {
    const rest = pieces.filter(({ presentTicks }) => presentTicks < limit);
    if (rest.length === 0) continue;
    limit = Math.min(limit, rest[0]?.presentTicks ?? limit);
    kept.unshift(rest);
  }
  return kept;
}
