// Cuts the video to a window: which pictures are shown and when, which are only decoded to reach them.
import { endOf, type Piece, type Timeline, withoutOverlaps } from "./pieces.ts";

/** The window a cut really has, in ticks of the source. */
export type PictureCut = {
  readonly timeline: Timeline;
  readonly fromTicks: number;
  readonly toTicks: number;
  readonly shown: number;
  readonly holes: readonly { readonly fromTicks: number; readonly toTicks: number }[];
};

/** Up to here a picture may begin after the window does and still be its first: it is shown this much early, not once more. */
const slackSeconds = 0.1;
/** A picture that stands for longer inside a run was no picture of a running game: the machine slept, or the encoder hung. */
const holeSeconds = 2;

/** Null when no picture is shown in the window. */
export function cutPictures(
  runs: readonly (readonly Piece[])[],
  timescale: number,
  fromTicks: number,
  toTicks: number,
): PictureCut | null {
  const parts = withoutOverlaps(runs).filter(
    (part) => endOf(part) > fromTicks && part.some(({ showTicks }) => showTicks < toTicks),
  );
  const all = parts.flat();
  const first = firstShown(all, fromTicks, toTicks, slackSeconds * timescale);
  if (first === undefined) return null;
  const begin = all.findLastIndex(({ sync, showTicks }) => sync && showTicks <= first.showTicks);
  const kept = all.slice(begin, 1 + all.findLastIndex(({ showTicks }) => showTicks < toTicks));
  const from = first.showTicks - fromTicks > slackSeconds * timescale ? first.showTicks : fromTicks;
  const to = Math.min(toTicks, endOf(parts.at(-1) as Piece[]));
  if (to <= from) return null;
  return {
    timeline: squeezed(kept, timescale, first, from, to),
    fromTicks: from,
    toTicks: to,
    shown: kept.filter(({ showTicks }) => showTicks >= first.showTicks && showTicks < to).length,
    holes: holesIn(parts, timescale)
      .map((hole) => ({ fromTicks: Math.max(from, hole.fromTicks), toTicks: Math.min(to, hole.toTicks) }))
      .filter((hole) => hole.toTicks > hole.fromTicks),
  };
}

/** A picture belongs to the window it begins in; only where the next is far does the one that stands at its beginning count. */
function firstShown(all: readonly Piece[], from: number, to: number, slack: number): Piece | undefined {
  let standing: Piece | undefined;
  let next: Piece | undefined;
  for (const piece of all) {
    if (piece.showTicks >= to) continue;
    if (piece.showTicks < from) standing = later(standing, piece);
    else if (next === undefined || piece.showTicks < next.showTicks) next = piece;
  }
  return next !== undefined && (standing === undefined || next.showTicks - from <= slack) ? next : standing;
}

function later(a: Piece | undefined, b: Piece): Piece {
  return a === undefined || b.showTicks > a.showTicks ? b : a;
}

function holesIn(parts: readonly (readonly Piece[])[], timescale: number): { fromTicks: number; toTicks: number }[] {
  const between = parts
    .slice(1)
    .map((part, i) => ({ fromTicks: endOf(parts[i] as Piece[]), toTicks: (part[0] as Piece).showTicks }));
  const inside = parts
    .flat()
    .filter(({ durationTicks }) => durationTicks > holeSeconds * timescale)
    .map(({ showTicks, durationTicks }) => ({ fromTicks: showTicks, toTicks: showTicks + durationTicks }));
  return [...between.filter((hole) => hole.toTicks - hole.fromTicks > slackSeconds * timescale), ...inside].sort(
    (a, b) => a.fromTicks - b.fromTicks,
  );
}

/**
 * Puts the pictures on the file's timeline. Those before the first shown one get a tick each: an edit list hides them, and
 * a player that ignores edit lists (Firefox) passes them in less than a millisecond. Those after the end, which
 * others are decoded from, likewise.
 */
function squeezed(kept: readonly Piece[], timescale: number, first: Piece, from: number, to: number): Timeline {
  const shows = showTimes(kept, first, from, to);
  const lastHidden = kept.findLastIndex(({ showTicks }) => showTicks < first.showTicks);
  let lead = 1;
  for (let i = 0; i <= lastHidden; i++) lead = Math.max(lead, from - (shows[i] as number) - (lastHidden - i));
  const pieces: Piece[] = [];
  for (const [i, piece] of kept.entries()) {
    const showTicks = shows[i] as number;
    const reordered = piece.decodeTicks !== piece.showTicks;
    const wanted =
      i <= lastHidden ? from - lead - (lastHidden - i) : reordered ? Math.min(piece.decodeTicks, showTicks) : showTicks;
    const decodeTicks = Math.max(wanted, (pieces.at(-1)?.decodeTicks ?? -Infinity) + 1);
    pieces.push({ ...piece, decodeTicks, showTicks });
  }
  const base = pieces[0]?.decodeTicks ?? from;
  const last = pieces.at(-1)?.decodeTicks ?? from;
  return {
    timescale,
    pieces: pieces.map((piece) => ({
      ...piece,
      decodeTicks: piece.decodeTicks - base,
      showTicks: piece.showTicks - base,
    })),
    endTicks: Math.max(to, last + 1) - base,
    zeroTicks: from - base,
  };
}

function showTimes(kept: readonly Piece[], first: Piece, from: number, to: number): number[] {
  const inOrder = kept.map(({ showTicks }, i) => ({ showTicks, i })).sort((a, b) => a.showTicks - b.showTicks);
  const hidden = inOrder.findIndex(({ showTicks }) => showTicks >= first.showTicks);
  const beyond = inOrder.findIndex(({ showTicks }) => showTicks >= to);
  const shows = kept.map(({ showTicks }) => showTicks);
  for (const [rank, { i }] of inOrder.entries()) {
    if (rank <= hidden) shows[i] = from - (hidden - rank);
    else if (beyond >= 0 && rank >= beyond) shows[i] = to + (rank - beyond);
  }
  return shows;
}
