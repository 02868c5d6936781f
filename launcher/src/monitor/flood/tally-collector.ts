// Moves tallies into the sums of the issues, in batches after a short delay: a flood needs fewer commits, and lists show its
// reports slightly later.
import { setTimeout as pause } from "node:timers/promises";
import type { Statement } from "../../storage/sql.ts";
import type { ReportCount } from "../grouping/group.ts";
import { moveTallyToSums, type Tally, type TallyStore } from "../grouping/grouping-store.ts";

const pauseMs = 100;
/** Delay before a failed move is tried again. Until then, the tallies stay stored. */
const retryMs = 2_000;
/** Maximum tallies moved in one transaction, because new reports wait for it. */
const talliesPerWriteMax = 100;

export type TallyCollectorDeps = {
  readonly store: TallyStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  /** Returns what is committed together with the counts. */
  readonly alsoWrite: (counts: readonly ReportCount[]) => readonly Statement[];
  readonly onCollected: () => void;
  readonly onFailure: (error: unknown) => void;
};

export type TallyCollector = {
  /** Moves the tallies that the previous run left. Rejects if the database cannot be used. */
  load(): Promise<void>;
  /** To be called after a report was counted. */
  wake(): void;
  /** Runs work while no tally is being moved. */
  between<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when running work has ended. The next start moves the remaining tallies. */
  stop(): Promise<void>;
};

export function createTallyCollector({
  store,
  write,
  alsoWrite,
  onCollected,
  onFailure,
}: TallyCollectorDeps): TallyCollector {
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
      await write(...tallies.flatMap(moveTallyToSums), ...alsoWrite(tallies.map(({ count }) => count)));
      onCollected();
    } while (tallies.length === talliesPerWriteMax && !signal.aborted);
  };
  const between = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.then(
      () => undefined,
      () => undefined,
    );
    return next;
  };
  /** Runs one collection after another: two at once would add the same tallies twice. */
  const collect = (): Promise<void> => between(collectAll);
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
    between,
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
