// Puts the samples of encoder runs on the timelines of the tracks of a file.
import { canShareFile, type Fragment, type InitSegment, type Sample } from "./fragment.ts";

/** A sample with the buffer that contains its bytes. */
export type MediaSample = Sample & { readonly media: Uint8Array };

/** Returns the samples with times that count from `base`. */
export const rebaseTimes = (samples: readonly MediaSample[], base: number): MediaSample[] =>
  samples.map((sample) => ({
    ...sample,
    decodeTicks: sample.decodeTicks - base,
    presentTicks: sample.presentTicks - base,
  }));

/** The samples of one encoder run, in the order in which they are decoded. */
export type EncoderRun = {
  readonly init: InitSegment;
  readonly subject?: Fragment["subject"];
  readonly video: readonly MediaSample[];
  /** The samples of each sound track. */
  readonly sounds: readonly (readonly MediaSample[])[];
};

/** The samples of a track of the new file. The first one is decoded at time 0. */
export type TrackTimeline = {
  readonly timescale: number;
  readonly samples: readonly MediaSample[];
  /** End of the last sample. */
  readonly endTicks: number;
  /** Where the clip starts. Earlier samples are decoded but not shown. Negative if the track starts after the clip. */
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
    subject: group[0]?.subject,
    // Samples before the first sync sample cannot be decoded.
    video: group.flatMap(({ video, media }) => video.map((sample) => ({ ...sample, media }))).reduce(fromFirstSync, []),
    sounds: (group[0] as Fragment).init.sounds.map((_, track) =>
      group.flatMap(({ sounds, media }) => (sounds[track] ?? []).map((sample) => ({ ...sample, media }))),
    ),
  }));
}

function fromFirstSync(kept: MediaSample[], sample: MediaSample): MediaSample[] {
  if (kept.length > 0 || sample.sync) kept.push(sample);
  return kept;
}

/** Returns the run nearest to the main moment, and the runs around it that can be in the same file. */
export function joinCompatibleRuns(runs: readonly EncoderRun[], mainMomentMs: number): EncoderRun[] {
  const distances = runs.map((run) => distance(run, mainMomentMs));
  const nearest = distances.indexOf(Math.min(...distances));
  const { init, subject } = runs[nearest] as EncoderRun;
  const fits = (run: EncoderRun | undefined) =>
    run !== undefined && run.subject === subject && canShareFile(run.init, init);
  let first = nearest;
  let last = nearest;
  while (fits(runs[first - 1])) first--;
  while (fits(runs[last + 1])) last++;
  return runs.slice(first, last + 1);
}

function distance({ init, video }: EncoderRun, atMs: number): number {
  const at = (atMs * init.video.timescale) / 1000;
  return Math.max(0, (video[0]?.presentTicks ?? Infinity) - at, at - lastEndTicks(video));
}

/** Returns when the last sample is no longer shown. */
export function lastEndTicks(samples: readonly MediaSample[]): number {
  return samples.reduce(
    (end, { presentTicks, durationTicks }) => Math.max(end, presentTicks + durationTicks),
    -Infinity,
  );
}

/**
 * Drops samples that overlap a later run, whose times are right. Runs overlap if somebody set the clock, or if an encoder that was
 * stopped was late.
 */
export function removeOverlaps(runs: readonly (readonly MediaSample[])[]): MediaSample[][] {
  const kept: MediaSample[][] = [];
  let limit = Infinity;
  for (const samples of runs.toReversed()) {
    const rest = samples.filter(({ presentTicks }) => presentTicks < limit);
    if (rest.length === 0) continue;
    limit = Math.min(limit, rest[0]?.presentTicks ?? limit);
    kept.unshift(rest);
  }
  return kept;
}

/** A cut, and the range that it really has, in ticks of the track that it was cut from. */
export type VideoCut = {
  readonly timeline: TrackTimeline;
  readonly fromTicks: number;
  readonly toTicks: number;
  /** How many frames a player shows. */
  readonly shown: number;
  readonly gaps: readonly { readonly fromTicks: number; readonly toTicks: number }[];
};

/** A frame that starts up to this long after the start of the range still counts as its first one, and is shown from there. */
const slackSeconds = 0.1;
/** A frame that lasts longer is a gap: the computer slept, or the encoder hung. */
const gapSeconds = 2;

/** Returns null if no frame is shown in the range. */
export function cutVideo(
  runs: readonly (readonly MediaSample[])[],
  timescale: number,
  fromTicks: number,
  toTicks: number,
): VideoCut | null {
  const parts = removeOverlaps(runs).filter(
    (part) => lastEndTicks(part) > fromTicks && part.some(({ presentTicks }) => presentTicks < toTicks),
  );
  const all = parts.flat();
  const first = firstShown(all, fromTicks, toTicks, slackSeconds * timescale);
  if (first === undefined) return null;
  const begin = all.findLastIndex(({ sync, presentTicks }) => sync && presentTicks <= first.presentTicks);
  const kept = all.slice(begin, 1 + all.findLastIndex(({ presentTicks }) => presentTicks < toTicks));
  const from = first.presentTicks - fromTicks > slackSeconds * timescale ? first.presentTicks : fromTicks;
  const to = Math.min(toTicks, lastEndTicks(parts.at(-1) as MediaSample[]));
  if (to <= from) return null;
  return {
    timeline: toTimeline(kept, timescale, first, from, to),
    fromTicks: from,
    toTicks: to,
    shown: kept.filter(({ presentTicks }) => presentTicks >= first.presentTicks && presentTicks < to).length,
    gaps: findGaps(parts, timescale)
      .map((gap) => ({ fromTicks: Math.max(from, gap.fromTicks), toTicks: Math.min(to, gap.toTicks) }))
      .filter((gap) => gap.toTicks > gap.fromTicks),
  };
}

/** Returns the first frame that starts in the range. If that is late, returns the one that is on the screen when the range starts. */
function firstShown(all: readonly MediaSample[], from: number, to: number, slack: number): MediaSample | undefined {
  let standing: MediaSample | undefined;
  let next: MediaSample | undefined;
  for (const sample of all) {
    if (sample.presentTicks >= to) continue;
    if (sample.presentTicks < from) standing = later(standing, sample);
    else if (next === undefined || sample.presentTicks < next.presentTicks) next = sample;
  }
  return next !== undefined && (standing === undefined || next.presentTicks - from <= slack) ? next : standing;
}

function later(a: MediaSample | undefined, b: MediaSample): MediaSample {
  return a === undefined || b.presentTicks > a.presentTicks ? b : a;
}

function findGaps(
  parts: readonly (readonly MediaSample[])[],
  timescale: number,
): { fromTicks: number; toTicks: number }[] {
  const between = parts.slice(1).map((part, i) => ({
    fromTicks: lastEndTicks(parts[i] as MediaSample[]),
    toTicks: (part[0] as MediaSample).presentTicks,
  }));
  const inside = parts
    .flat()
    .filter(({ durationTicks }) => durationTicks > gapSeconds * timescale)
    .map(({ presentTicks, durationTicks }) => ({ fromTicks: presentTicks, toTicks: presentTicks + durationTicks }));
  return [...between.filter((gap) => gap.toTicks - gap.fromTicks > slackSeconds * timescale), ...inside].sort(
    (a, b) => a.fromTicks - b.fromTicks,
  );
}

/**
 * Puts the frames on the timeline of the file. Each frame before the first shown one gets a duration of one tick: an edit list
 * hides these frames, and Firefox, which ignores edit lists, is past them in less than a millisecond. The same is done with
 * frames after the end on which other frames depend.
 */
function toTimeline(
  kept: readonly MediaSample[],
  timescale: number,
  first: MediaSample,
  from: number,
  to: number,
): TrackTimeline {
  const shows = presentationTimes(kept, first, from, to);
  const lastHidden = kept.findLastIndex(({ presentTicks }) => presentTicks < first.presentTicks);
  let lead = 1;
  for (let i = 0; i <= lastHidden; i++) lead = Math.max(lead, from - (shows[i] as number) - (lastHidden - i));
  const samples: MediaSample[] = [];
  for (const [i, sample] of kept.entries()) {
    const presentTicks = shows[i] as number;
    const reordered = sample.decodeTicks !== sample.presentTicks;
    const wanted =
      i <= lastHidden
        ? from - lead - (lastHidden - i)
        : reordered
          ? Math.min(sample.decodeTicks, presentTicks)
          : presentTicks;
    const decodeTicks = Math.max(wanted, (samples.at(-1)?.decodeTicks ?? -Infinity) + 1);
    samples.push({ ...sample, decodeTicks, presentTicks });
  }
  const base = samples[0]?.decodeTicks ?? from;
  const last = samples.at(-1)?.decodeTicks ?? from;
  return {
    timescale,
    samples: rebaseTimes(samples, base),
    endTicks: Math.max(to, last + 1) - base,
    zeroTicks: from - base,
  };
}

function presentationTimes(kept: readonly MediaSample[], first: MediaSample, from: number, to: number): number[] {
  const inOrder = kept
    .map(({ presentTicks }, i) => ({ presentTicks, i }))
    .sort((a, b) => a.presentTicks - b.presentTicks);
  const hidden = inOrder.findIndex(({ presentTicks }) => presentTicks >= first.presentTicks);
  const beyond = inOrder.findIndex(({ presentTicks }) => presentTicks >= to);
  const shows = kept.map(({ presentTicks }) => presentTicks);
  for (const [rank, { i }] of inOrder.entries()) {
    if (rank <= hidden) shows[i] = from - (hidden - rank);
    else if (beyond >= 0 && rank >= beyond) shows[i] = to + (rank - beyond);
  }
  return shows;
}
