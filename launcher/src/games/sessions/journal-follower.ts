// Follows the journal behind ingest, with at most one read a second.
import { setTimeout as pause } from "node:timers/promises";

/** Pause between two reads. Under load each read finds many events, so there is only one small commit a second. */
const paceMs = 1_000;
/** Maximum pause after failed reads. */
const retryMsMax = 30_000;
/** Pause after a full batch: short, but long enough that ingest has priority. */
const behindMs = 50;

export type JournalFollower = {
  /** Makes the follower read soon. Cheap enough to call for every event. */
  wake(): void;
  /** Resolves once a running read has ended. */
  stop(): Promise<void>;
};

/** `processBatch` resolves to true if more events are waiting. A failed batch is retried. */
export function startJournalFollower(
  processBatch: () => Promise<boolean>,
  onFailure: (error: unknown) => void,
): JournalFollower {
  const stopping = new AbortController();
  let awake = true;
  let failures = 0;
  let signal = Promise.withResolvers<void>();
  const pauseFor = (ms: number) => pause(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);

  const run = async () => {
    while (!stopping.signal.aborted) {
      awake = false;
      let isBehind = false;
      try {
        isBehind = await processBatch();
        failures = 0;
      } catch (error) {
        awake = true;
        failures += 1;
        onFailure(error);
      }
      if (isBehind) awake = true;
      await pauseFor(isBehind ? behindMs : Math.min(retryMsMax, paceMs * 2 ** failures));
      if (!awake && !stopping.signal.aborted) await signal.promise;
      signal = Promise.withResolvers();
    }
  };
  const wake = () => {
    awake = true;
    signal.resolve();
  };
  stopping.signal.addEventListener("abort", wake, { once: true });
  const ended = run();
  return {
    wake,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
