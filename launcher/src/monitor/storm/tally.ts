// Counts that are written together: one row a kind and minute, however many reports one turn of the event loop brought.
import { setImmediate as turn } from "node:timers/promises";
import { type Count, countOne, type Identity, nameOf, nothingOf } from "../grouping/group.ts";

type One = { readonly identity: Identity; readonly atMs: number };

function countsOf(all: readonly One[]): Count[] {
  const counts = new Map<string, Count>();
  for (const { identity, atMs } of all) {
    const name = nameOf(identity);
    const count = counts.get(name) ?? nothingOf(identity, atMs);
    counts.set(name, count);
    countOne(count, atMs);
  }
  return [...counts.values()];
}

/**
 * Resolves when the report is counted durably. Never waits for the counts before: the storage gathers what comes while it
 * commits, and goes on with that before anybody is answered.
 */
export function createTally(write: (counts: readonly Count[]) => Promise<void>): (one: One) => Promise<void> {
  let gathering: One[] = [];
  let next: Promise<void> | undefined;
  const begin = () => {
    const all = gathering;
    gathering = [];
    next = undefined;
    return write(countsOf(all));
  };
  return (one) => {
    gathering.push(one);
    next ??= turn().then(begin);
    return next;
  };
}
