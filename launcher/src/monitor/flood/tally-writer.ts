// Writes counts together: one row per fingerprint and minute, however many reports arrive before the write.
import { addToCount, type Count, emptyCount, type FingerprintId } from "../grouping/group.ts";

/** A report to count. Fingerprints are compared as objects: the caller must have one object for each. */
type CountedReport = { readonly fingerprint: FingerprintId; readonly atMs: number };

/** Calls `gathered` when the write starts, or never if it rejects. Resolves when the counts are durable. */
export type WriteCounts = (gathered: () => readonly Count[]) => Promise<void>;

/** Resolves when the report is counted durably. If `write` rejects, rejects and counts nothing. */
export function createTallyWriter(write: WriteCounts): (one: CountedReport) => Promise<void> {
  let gathering = new Map<FingerprintId, Count>();
  let next: Promise<void> | undefined;
  const takeCounts = () => {
    const counts = [...gathering.values()];
    gathering = new Map();
    next = undefined;
    return counts;
  };
  const begin = () => {
    const writing = write(takeCounts);
    // The write never asked for the counts. Drop them: their callers see the rejection.
    writing.catch(() => (next === writing ? takeCounts() : undefined));
    return writing;
  };
  return ({ fingerprint, atMs }) => {
    const count = gathering.get(fingerprint) ?? emptyCount(fingerprint, atMs);
    gathering.set(fingerprint, count);
    addToCount(count, atMs);
    next ??= begin();
    return next;
  };
}
