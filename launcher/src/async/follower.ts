// Follows a journal: processes new entries in batches, with a pause after each batch, and sleeps until woken when none are
// left.
import { sleepUntilWoken } from "./step-loop.ts";

/** Maximum pause before a failed batch is retried. */
const retryMsMax = 30_000;

export type Follower = {
  /** Makes the follower look for new entries soon. Cheap enough to call for every event. */
  wake(): void;
  /** Resolves once a running batch has ended. */
  stop(): Promise<void>;
};

export type FollowerOptions = {
  /** Processes one batch. Resolves to true if more entries are waiting. If it rejects, the batch is retried. */
  readonly processBatch: () => Promise<boolean>;
  /** Pause between two batches, so that a burst becomes a few large batches and ingest has priority. */
  readonly paceMs: number;
  /** Pause between two batches while more entries are waiting. Defaults to `paceMs`. */
  readonly behindMs?: number;
  readonly onFailure: (error: unknown) => void;
};

export function startFollower({ processBatch, paceMs, behindMs = paceMs, onFailure }: FollowerOptions): Follower {
  const stopping = new AbortController();
  let isAwake = true;
  let failures = 0;
  let signal = Promise.withResolvers<void>();

  const run = async () => {
    while (!stopping.signal.aborted) {
      isAwake = false;
      let isBehind = false;
      try {
        isBehind = await processBatch();
        failures = 0;
      } catch (error) {
        isAwake = true;
        failures += 1;
        onFailure(error);
      }
      if (isBehind) isAwake = true;
      const pauseMs = isBehind ? behindMs : Math.min(retryMsMax, paceMs * 2 ** failures);
      await sleepUntilWoken(pauseMs, stopping.signal);
      if (!isAwake) await sleepUntilWoken(null, stopping.signal, signal.promise);
      signal = Promise.withResolvers();
    }
  };
  const ended = run();
  return {
    wake() {
      isAwake = true;
      signal.resolve();
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
