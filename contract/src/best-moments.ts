// Chooses clips for a list of the best moments.
import type { Clip } from "./clip.ts";

const showsMoment = ({ events }: Clip): boolean => events.some(({ kind }) => kind !== "monitor");

/** So much may two parts of a clip overlap: a cut is exact to one frame. */
const overlapMsMax = 500;

/** Clips that are cut from footage do not show the same time of one game twice. Trims do. */
function showSame(a: Clip, b: Clip): boolean {
  if (a.game !== b.game || (a.trimmedFrom === null && b.trimmedFrom === null)) return false;
  const startA = Date.parse(a.startedAt);
  const startB = Date.parse(b.startedAt);
  const overlapMs = Math.min(startA + a.duration * 1_000, startB + b.duration * 1_000) - Math.max(startA, startB);
  return overlapMs > overlapMsMax;
}

/**
 * Leaves out reels, missing files, and all but one of the clips that show the same: it keeps the one with the best moment, so that a
 * trim without it does not replace its original, and of equal ones the first. `clips` begins with the best, and of equal ones with
 * the newest: a trim replaces its original. The order stays.
 */
export function oneClipPerMoment(clips: readonly Clip[]): Clip[] {
  const reels = new Set(clips.flatMap(({ id, parts }) => (parts === undefined ? [] : [id])));
  const own = clips.filter(
    ({ id, trimmedFrom, missing }) => !missing && !reels.has(id) && !reels.has(trimmedFrom ?? ""),
  );
  const kept: Clip[] = [];
  const byMoment = own.toSorted((a, b) => b.priority - a.priority || Number(showsMoment(b)) - Number(showsMoment(a)));
  for (const clip of byMoment) if (!kept.some((other) => showSame(clip, other))) kept.push(clip);
  return own.filter((clip) => kept.includes(clip));
}
