// Cuts video to a time range: which frames are shown and when, and which are only decoded to reach them.
import { lastEndTicks, type MediaSample, removeOverlaps, startAtZero, type Timeline } from "./timeline.ts";

/** The actual range of a cut in ticks of the source. */
export type VideoCut = {
  readonly timeline: Timeline;
  readonly fromTicks: number;
  readonly toTicks: number;
  readonly shown: number;
  readonly gaps: readonly { readonly fromTicks: number; readonly toTicks: number }[];
};

/** A frame that starts at most this long after the range still counts as its first frame, and is shown that much earlier. */
const slackSeconds = 0.1;
/** A longer frame inside a run is a gap: the computer slept, or the encoder hung. */
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

/** Returns the first frame that starts in the range, or if that is too late, the frame that is still visible when the range starts. */
function firstShown(all: readonly MediaSample[], from: number, to: number, slack: number): MediaSample | undefined {
  let standing: MediaSample | undefined;
  let next: MediaSample | undefined;
  for (const piece of all) {
    if (piece.presentTicks >= to) continue;
    if (piece.presentTicks < from) standing = later(standing, piece);
    else if (next === undefined || piece.presentTicks < next.presentTicks) next = piece;
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
 * Places the frames on the timeline of the file. Frames before the first shown one last one tick each: an edit list hides them, and
 * a player that ignores edit lists (Firefox) skips them in less than a millisecond. The same applies to frames after the end that
 * other frames depend on.
 */
function toTimeline(
  kept: readonly MediaSample[],
  timescale: number,
  first: MediaSample,
  from: number,
  to: number,
): Timeline {
  const shows = presentationTimes(kept, first, from, to);
  const lastHidden = kept.findLastIndex(({ presentTicks }) => presentTicks < first.presentTicks);
  let lead = 1;
  for (let i = 0; i <= lastHidden; i++) lead = Math.max(lead, from - (shows[i] as number) - (lastHidden - i));
  const pieces: MediaSample[] = [];
  for (const [i, piece] of kept.entries()) {
    const presentTicks = shows[i] as number;
    const reordered = piece.decodeTicks !== piece.presentTicks;
    const wanted =
      i <= lastHidden
        ? from - lead - (lastHidden - i)
        : reordered
          ? Math.min(piece.decodeTicks, presentTicks)
          : presentTicks;
    const decodeTicks = Math.max(wanted, (pieces.at(-1)?.decodeTicks ?? -Infinity) + 1);
    pieces.push({ ...piece, decodeTicks, presentTicks });
  }
  const base = pieces[0]?.decodeTicks ?? from;
  const last = pieces.at(-1)?.decodeTicks ?? from;
  return {
    timescale,
    samples: startAtZero(pieces, base),
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
