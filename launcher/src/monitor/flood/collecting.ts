// Adds what was only counted to the sums, a little later and together: lists show it after a moment, and a flood commits less.
import { setTimeout as pause } from "node:timers/promises";
import type { Statement } from "../../storage/sql.ts";
import { collected, type TallyStore, type Uncollected } from "./tally-store.ts";

const pauseMs = 100;
/** Where it could not be done: what is to be added stays where it is. */
const retryMs = 2_000;
/** In one transaction: whoever reports meanwhile waits for it. */
const kindsMax = 100;

export type CollectingNeeds = {
  readonly store: TallyStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly onCollected: () => void;
  readonly onFailure: (error: unknown) => void;
};

export type Collecting = {
  /** What was left when the launcher ended. Rejects where it cannot be done yet. */
  load(): Promise<void>;
  /** Something was counted. */
  wake(): void;
  /** Resolves when what is under way has ended; what is left is added at the next start. */
  stop(): Promise<void>;
};

export function createCollecting({ store, write, onCollected, onFailure }: CollectingNeeds): Collecting {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isNews = false;
  let going: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();

  const collectAll = async () => {
    let found: readonly Uncollected[];
    do {
      found = await store.uncollected(kindsMax);
      if (found.length === 0) return;
      await write(...found.flatMap(collected));
      onCollected();
    } while (found.length === kindsMax && !signal.aborted);
  };
  /** One after the other: two at once would add the same rows twice. */
  const collect = (): Promise<void> => {
    const next = last.then(collectAll);
    last = next.catch(() => undefined);
    return next;
  };
  /** Ends when there is nothing new, and rejects at the end. */
  const goOn = async () => {
    let afterMs = pauseMs;
    while (isNews) {
      await pause(afterMs, undefined, { ref: false, signal });
      isNews = false;
      try {
        await collect();
        afterMs = pauseMs;
      } catch (error) {
        onFailure(error);
        isNews = true;
        afterMs = retryMs;
      }
    }
    going = undefined;
  };
  return {
    load: collect,
    wake() {
      isNews = true;
      going ??= goOn().catch(() => undefined);
    },
    async stop() {
      stopping.abort();
      await Promise.all([going, last]);
    },
  };
}
