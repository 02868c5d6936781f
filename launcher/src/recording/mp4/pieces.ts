// Samples on their way into a file: per run of the encoder, in the order they are decoded.
import type { Fragment, Sample } from "./fragment.ts";
import { type Init, joinable } from "./init.ts";

/** A sample and the box its bytes lie in. */
export type Piece = Sample & { readonly media: Uint8Array };

/** All that one run of the encoder gave. */
export type Run = { readonly init: Init; readonly video: readonly Piece[]; readonly sound: readonly Piece[] };

/** A track of the file to be. Its times begin with the first piece at 0. */
export type Timeline = {
  readonly timescale: number;
  readonly pieces: readonly Piece[];
  /** Where the last piece ends. */
  readonly endTicks: number;
  /** Where the clip begins on it: pieces before are decoded, not shown. Negative when the track sets in later. */
  readonly zeroTicks: number;
};

/** Groups fragments by run, as they came. */
export function runsOf(fragments: readonly Fragment[]): Run[] {
  const groups: Fragment[][] = [];
  for (const fragment of fragments) {
    const last = groups.at(-1);
    if (last?.[0]?.init === fragment.init) last.push(fragment);
    else groups.push([fragment]);
  }
  return groups.map((group) => ({
    init: (group[0] as Fragment).init,
    // What comes before the first picture that stands for itself cannot be decoded.
    video: group.flatMap(({ video, media }) => video.map((sample) => ({ ...sample, media }))).reduce(fromFirstSync, []),
    sound: group.flatMap(({ sound, media }) => sound.map((sample) => ({ ...sample, media }))),
  }));
}

function fromFirstSync(kept: Piece[], piece: Piece): Piece[] {
  if (kept.length > 0 || piece.sync) kept.push(piece);
  return kept;
}

/** The run that has the telling moment, or is nearest to it, with its neighbours as far as they fit into the same tracks. */
export function joinRuns(runs: readonly Run[], tellingMs: number): Run[] {
  const distances = runs.map((run) => distance(run, tellingMs));
  const telling = distances.indexOf(Math.min(...distances));
  const { init } = runs[telling] as Run;
  let first = telling;
  let last = telling;
  while (first > 0 && joinable((runs[first - 1] as Run).init, init)) first--;
  while (last < runs.length - 1 && joinable((runs[last + 1] as Run).init, init)) last++;
  return runs.slice(first, last + 1);
}

function distance({ init, video }: Run, atMs: number): number {
  const at = (atMs * init.video.timescale) / 1000;
  return Math.max(0, (video[0]?.showTicks ?? Infinity) - at, at - endOf(video));
}

/** Where the last of them stops being shown. */
export function endOf(pieces: readonly Piece[]): number {
  return pieces.reduce((end, { showTicks, durationTicks }) => Math.max(end, showTicks + durationTicks), -Infinity);
}

/**
 * Drops what a later run has too: after a step of the clock, or where a stopped encoder was late, the later one is right.
 * No time is left twice.
 */
export function withoutOverlaps(runs: readonly (readonly Piece[])[]): Piece[][] {
  const kept: Piece[][] = [];
  let limit = Infinity;
  for (const pieces of runs.toReversed()) {
    const rest = pieces.filter(({ showTicks }) => showTicks < limit);
    if (rest.length === 0) continue;
    limit = Math.min(limit, rest[0]?.showTicks ?? limit);
    kept.unshift(rest);
  }
  return kept;
}
