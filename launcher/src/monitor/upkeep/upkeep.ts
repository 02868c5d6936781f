// Runs regularly: rolls counts up, enforces the limits of stored reports and issues, and empties the trash.
import { shareRun } from "../../async.ts";
import type { Statement } from "../../storage/sql.ts";
import { startUpkeepTimer } from "../../storage/storage.ts";
import {
  createPacedWriter,
  defaultIssueLimits,
  emptyIssueTrash,
  evictIssues,
  type IssueLimits,
  shrinkStoredReports,
} from "./eviction.ts";
import {
  hoursToDays,
  minutesToHours,
  type RollUp,
  rollUpCounts,
  type UpkeepStore,
  unmuteDueIssues,
} from "./upkeep-store.ts";

const sampleBytesMax = 64 * 1024 * 1024;
/** After this many bytes of new reports, a run starts without waiting for the timer. */
const runAfterBytes = 4 * 1024 * 1024;
const anHourMs = 3_600_000;
const aDayMs = 86_400_000;
/**
 * How long counts per minute are kept before they become counts per hour. Not longer, because a list adds up the last day of
 * many issues, and fewer rows are faster.
 */
const keepMinutesMs = 3 * anHourMs;
const keepHoursMs = 30 * aDayMs;
const keepTrashMs = 30 * aDayMs;
/** Maximum roll-up writes in one run. The next run continues with the rest. */
const rollUpsPerRunMax = 400;

export type UpkeepDeps = {
  readonly store: UpkeepStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly isResting: () => boolean;
  readonly now: () => number;
  readonly onFailure: (what: string, error: unknown) => void;
  /** Called before and after issues are deleted. */
  readonly onRemoved: () => void;
  readonly sampleBytesMax?: number;
  readonly issueLimits?: IssueLimits;
};

export type Upkeep = {
  /** Does the work that is due. If a run is in progress, waits for it instead. */
  run(): Promise<void>;
  /** To be called after reports were stored, with their bytes. */
  onReportsStored(bytes: number): void;
  /** Resolves when running work has ended. */
  stop(): Promise<void>;
};

export function startUpkeep({ store, write, isResting, now, onFailure, onRemoved, ...limits }: UpkeepDeps): Upkeep {
  let bytesSinceRun = 0;
  /** Up to this size, no run tries to shrink the reports again, because the last one could not reach the limit. 0 if it could. */
  let minReachableBytes = 0;
  const writer = createPacedWriter({ write, now, onRemoved });

  const rollUp = async (span: RollUp, beforeMs: number) => {
    for (
      let rolls = 0;
      rolls < rollUpsPerRunMax && writer.isActive() && (await store.hasCountsBefore(span, beforeMs));
      rolls += 1
    )
      await writer.write(...rollUpCounts(span, beforeMs));
  };
  const shrink = async () => {
    const bytesMax = limits.sampleBytesMax ?? sampleBytesMax;
    if ((await store.samples.bytes()) <= Math.max(bytesMax, minReachableBytes)) return;
    const left = await shrinkStoredReports(store.samples, writer, bytesMax);
    minReachableBytes = left > bytesMax ? left + runAfterBytes : 0;
  };
  const { run, settled } = shareRun(async () => {
    bytesSinceRun = 0;
    try {
      await shrink();
      const atMs = now();
      await rollUp(minutesToHours, atMs - keepMinutesMs);
      await rollUp(hoursToDays, atMs - keepHoursMs);
      await emptyIssueTrash(store.issues, writer, atMs - keepTrashMs);
      while (writer.isActive() && (await store.hasDueMutes(atMs))) await writer.write(unmuteDueIssues(atMs));
      await evictIssues(store.issues, writer, limits.issueLimits ?? defaultIssueLimits);
    } catch (error) {
      onFailure("issues", error);
    }
  });
  const stopTimer = startUpkeepTimer({ run, isResting });
  return {
    run,
    onReportsStored(bytes) {
      bytesSinceRun += bytes;
      if (bytesSinceRun > runAfterBytes) void run();
    },
    async stop() {
      stopTimer();
      writer.end();
      await settled();
    },
  };
}
