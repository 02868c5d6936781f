// Keeps stored reports within a byte limit. Deletes old reports of frequent issues first, then truncates the rest.

import type { PacedWriter } from "./paced-writer.ts";
import { deleteSamples, type SampleStore, truncateLongestSamples } from "./sample-eviction-store.ts";

const removedAtOnce = 80;
const cutCharsMax = 2_000;
/** Deletes down to this share of the limit, so that not every run has to delete. */
const shrinkTo = 0.9;

/**
 * Reads all reports twice: first to find out which levels have to go, then to delete them. Returns the bytes that remain. They
 * exceed the limit if no other report may be deleted.
 */
export async function shrinkStoredReports(store: SampleStore, writer: PacedWriter, bytesMax: number): Promise<number> {
  const excessBytes = async () => (await store.bytes()) - bytesMax * shrinkTo;
  const atMs = writer.now();
  const levels = await bytesPerLevel(store, writer, atMs);
  if (levels.size > 0) await deleteFromTop(levels, await excessBytes(), store, writer, atMs);
  if ((await store.bytes()) > bytesMax) {
    while ((await excessBytes()) > 0 && (await store.hasSampleOver(cutCharsMax * 2)) && writer.isActive())
      await writer.write(truncateLongestSamples(cutCharsMax));
  }
  return store.bytes();
}

type BytesPerLevel = ReadonlyMap<number, number>;

/** Returns how many bytes of reports each level has. */
async function bytesPerLevel(store: SampleStore, writer: PacedWriter, atMs: number): Promise<BytesPerLevel> {
  const levels = new Map<number, number>();
  for (let after: number | null = 0; after !== null && writer.isActive(); ) {
    const { next, rows } = await store.readDeletable(after, atMs);
    for (const { level, bytes } of rows) levels.set(level, (levels.get(level) ?? 0) + bytes);
    after = next;
    await writer.pause();
  }
  return levels;
}

/** Deletes reports from the highest level down, until `wanted` bytes are free. */
async function deleteFromTop(
  levels: BytesPerLevel,
  wanted: number,
  store: SampleStore,
  writer: PacedWriter,
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
  for (let after: number | null = 0; after !== null && writer.isActive(); ) {
    const { next, rows } = await store.readDeletable(after, atMs);
    const seqs: number[] = [];
    for (const { seq, level, bytes } of rows) {
      if (level < lowest || (level === lowest && left <= 0)) continue;
      if (level === lowest) left -= bytes;
      seqs.push(seq);
    }
    for (let at = 0; at < seqs.length; at += removedAtOnce)
      await writer.write(deleteSamples(seqs.slice(at, at + removedAtOnce)));
    after = next;
    await writer.pause();
  }
}
