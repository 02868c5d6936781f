// Moves tallies into the sums of the issues, with a short delay and in batches. Lists lag slightly; a flood needs fewer commits.
import { setTimeout as pause } from "node:timers/promises";
import type { Statement } from "../../storage/sql.ts";
import { moveTallyToSums, type Tally, type TallyStore } from "./tally-store.ts";

const pauseMs = 100;
/** Delay after a failure. The tallies stay stored. */
const retryMs = 2_000;
/** Maximum tallies per transaction, because new reports wait for it. */
const talliesPerWriteMax = 100;

export type TallyCollectorDeps = {
  readonly store: TallyStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly onCollected: () => void;
  readonly onFailure: (error: unknown) => void;
};

export type TallyCollector = {
  /** Moves the tallies of an earlier run. Rejects if the database is not ready. */
  load(): Promise<void>;
  /** To be called after a report was counted. */
  wake(): void;
  /** Resolves when running work has ended. The next start moves the remaining tallies. */
  stop(): Promise<void>;
};

export function createTallyCollector({ store, write, onCollected, onFailure }: TallyCollectorDeps): TallyCollector {
  const stopping = new AbortController();
  const { signal } = stopping;
  let hasNewCounts = false;
  let running: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();

  const collectAll = async () => {
    let tallies: readonly Tally[];
    do {
      tallies = await store.readTallies(talliesPerWriteMax);
      if (tallies.length === 0) return;
      await write(...tallies.flatMap(moveTallyToSums));
      onCollected();
    } while (tallies.length === talliesPerWriteMax && !signal.aborted);
  };
  /** Runs one collection at a time: two at once would add the same rows twice. */
  const collect = (): Promise<void> => {
    const next = last.then(collectAll);
    last = next.catch(() => undefined);
    return next;
  };
  /** Collects until nothing new was counted. Rejects when stopped. */
  const collectWhileNew = async () => {
    let afterMs = pauseMs;
    while (hasNewCounts) {
      await pause(afterMs, undefined, { ref: false, signal });
      hasNewCounts = false;
      try {
        await collect();
        afterMs = pauseMs;
      } catch (error) {
        onFailure(error);
        hasNewCounts = true;
        afterMs = retryMs;
      }
    }
    running = undefined;
  };
  return {
    load: collect,
    wake() {
      hasNewCounts = true;
      running ??= collectWhileNew().catch(() => undefined);
    },
    async stop() {
      stopping.abort();
      await Promise.all([running, last]);
    },
  };
}
