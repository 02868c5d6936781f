// Cuts the sound to the window the pictures have.
import { type Piece, type Timeline, withoutOverlaps } from "./pieces.ts";

/** Null when none of it lies in the window. */
export function cutSound(
  runs: readonly (readonly Piece[])[],
  timescale: number,
  fromTicks: number,
  toTicks: number,
): Timeline | null {
  const all = withoutOverlaps(runs).flat();
  const first = all.findIndex(({ showTicks, durationTicks }) => showTicks + durationTicks > fromTicks);
  const end = all.findLastIndex(({ showTicks }) => showTicks < toTicks) + 1;
  if (first < 0 || end <= first) return null;
  // A decoder of sound needs the block before to begin without a click.
  const before = all[first - 1];
  const primed =
    before !== undefined && (all[first] as Piece).showTicks <= fromTicks && touches(before, all[first] as Piece);
  const kept = all.slice(primed ? first - 1 : first, end);
  const base = (kept[0] as Piece).decodeTicks;
  const last = kept.at(-1) as Piece;
  return {
    timescale,
    pieces: kept.map((piece) => ({
      ...piece,
      decodeTicks: piece.decodeTicks - base,
      showTicks: piece.showTicks - base,
    })),
    endTicks: last.decodeTicks + last.durationTicks - base,
    zeroTicks: fromTicks - base,
  };
}

function touches(before: Piece, piece: Piece): boolean {
  return piece.showTicks - before.showTicks < 2 * before.durationTicks;
}
