// Holds the kept reports within their bytes: first those go of which there is most and that are old, and what must stay is cut.
import { longestCut, type SampleStore, samplesRemoved } from "./upkeep-sample-store.ts";
import type { Work } from "./upkeep-work.ts";

const removedAtOnce = 80;
const cutCharsMax = 2_000;
/** Once it is too much, it shrinks to this share, so that it does not have to shrink at every look. */
const shrinkTo = 0.9;

/**
 * Goes through all of them twice when there is too much: to see how far it has to go, and to go so far. What it returns is
 * what is left: more than the bound when nothing more may go.
 */
export async function shrinkSamples(store: SampleStore, work: Work, bytesMax: number): Promise<number> {
  const over = async () => (await store.bytes()) - bytesMax * shrinkTo;
  const atMs = work.now();
  const levels = await levelsOf(store, work, atMs);
  if (levels.size > 0) await removeDownTo(levels, await over(), store, work, atMs);
  if ((await store.bytes()) > bytesMax) {
    while ((await over()) > 0 && (await store.isLongerThan(cutCharsMax * 2)) && work.goesOn())
      await work.write(longestCut(cutCharsMax));
  }
  return store.bytes();
}

type Levels = ReadonlyMap<number, number>;

/** How many bytes could go, by level. */
async function levelsOf(store: SampleStore, work: Work, atMs: number): Promise<Levels> {
  const levels = new Map<number, number>();
  for (let after: number | null = 0; after !== null && work.goesOn(); ) {
    const { next, rows } = await store.spare(after, atMs);
    for (const { level, bytes } of rows) levels.set(level, (levels.get(level) ?? 0) + bytes);
    after = next;
    await work.pause();
  }
  return levels;
}

/** The highest levels whole, and as much of the last one as is wanted. */
async function removeDownTo(
  levels: Levels,
  wanted: number,
  store: SampleStore,
  work: Work,
  atMs: number,
): Promise<void> {
  let lowest = Number.NEGATIVE_INFINITY;
  let left = wanted;
  for (const [level, bytes] of [...levels].sort(([a], [b]) => b - a)) {
    if (bytes >= left) {
      lowest = level;
      break;
    }
    left -= bytes;
  }
  for (let after: number | null = 0; after !== null && work.goesOn(); ) {
    const { next, rows } = await store.spare(after, atMs);
    const gone: number[] = [];
    for (const { seq, level, bytes } of rows) {
      if (level < lowest || (level === lowest && left <= 0)) continue;
      if (level === lowest) left -= bytes;
      gone.push(seq);
    }
    for (let at = 0; at < gone.length; at += removedAtOnce)
      await work.write(samplesRemoved(gone.slice(at, at + removedAtOnce)));
    after = next;
    await work.pause();
  }
}
