// Counts that are written together: one row a kind and minute, however many reports there were.
import { type Count, countOne, type Identity, nameOf, nothingOf } from "../grouping/group.ts";
import { createBatches } from "./batches.ts";

type One = { readonly identity: Identity; readonly atMs: number };

/** Resolves when the report is counted durably. */
export function createTally(write: (counts: readonly Count[]) => Promise<void>): (one: One) => Promise<void> {
  return createBatches(async (all: readonly One[]) => {
    const counts = new Map<string, Count>();
    for (const { identity, atMs } of all) {
      const name = nameOf(identity);
      const count = counts.get(name) ?? nothingOf(identity, atMs);
      counts.set(name, count);
      countOne(count, atMs);
    }
    await write([...counts.values()]);
  });
}
