// Counts that are written together: one row a kind and minute, however many reports came until their turn to be written.
import { type Count, countOne, type Identity, nothingOf } from "../grouping/group.ts";

/** A kind is told by its identity as an object: whoever counts has one of each. */
type One = { readonly identity: Identity; readonly atMs: number };

/** Asks for what is to be written when it is about to be, or never where it rejects. Durable when it resolves. */
export type WriteCounts = (gathered: () => readonly Count[]) => Promise<void>;

/** Resolves when the report is counted durably. Rejects as `write` does: then it is not counted. */
export function createTally(write: WriteCounts): (one: One) => Promise<void> {
  let gathering = new Map<Identity, Count>();
  let next: Promise<void> | undefined;
  const take = () => {
    const counts = [...gathering.values()];
    gathering = new Map();
    next = undefined;
    return counts;
  };
  const begin = () => {
    const writing = write(take);
    // Nobody asked for these: whoever waited is told, and the ones after them begin anew.
    writing.catch(() => (next === writing ? take() : undefined));
    return writing;
  };
  return ({ identity, atMs }) => {
    const count = gathering.get(identity) ?? nothingOf(identity, atMs);
    gathering.set(identity, count);
    countOne(count, atMs);
    next ??= begin();
    return next;
  };
}
