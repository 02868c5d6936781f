// Limits the size of the journal: deletes the oldest dispatched events first, and counts them.
import { setTimeout as pause } from "node:timers/promises";
import { type Storage, startUpkeepTimer } from "../storage/storage.ts";
import { deleteOldestEvents, type InboxStore } from "./inbox-store.ts";

const bytesMax = 1024 * 1024 * 1024;
/** Above the limit, the journal shrinks to this share of it, so that it does not shrink at every check. */
const shrinkTo = 0.9;
const batchMax = 1_000;
/** Pause between two batches, so that ingest has priority. */
const paceMs = 50;

export type RetentionDeps = {
  readonly journal: Pick<InboxStore, "usedBytes" | "findRemovable">;
  readonly storage: Pick<Storage, "write" | "isResting">;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly bytesMax?: number;
};

export type JournalRetention = {
  /** Checks the size and deletes what exceeds the limit. */
  enforceLimit(): Promise<void>;
  /** Number of events deleted since the start. */
  removedCount(): number;
  stop(): void;
};

/** Checks the size regularly. */
export function startJournalRetention({ journal, storage, onFailure, ...limits }: RetentionDeps): JournalRetention {
  const limit = limits.bytesMax ?? bytesMax;
  let removed = 0;
  const shrink = async () => {
    while ((await journal.usedBytes()) > limit * shrinkTo) {
      const upTo = await journal.findRemovable(batchMax);
      if (upTo.events === 0) return;
      await storage.write(...deleteOldestEvents(upTo.seq));
      removed += upTo.events;
      await pause(paceMs);
    }
  };
  const look = async () => {
    try {
      if ((await journal.usedBytes()) > limit) await shrink();
    } catch (error) {
      onFailure("retention", error);
    }
  };
  const stop = startUpkeepTimer({ run: look, isResting: storage.isResting });
  return { enforceLimit: look, removedCount: () => removed, stop };
}
