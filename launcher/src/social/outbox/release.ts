// Approved posts begin to be sent when the time to undo is over and their footage is there.
import type { Storage } from "../../storage/storage.ts";
import type { OutboxStore } from "./outbox-store.ts";
import { postStateOf } from "./records.ts";
import { released } from "./step-store.ts";

const timerMsMax = 2 ** 31 - 1;
const storageRetryMs = 10_000;

export type ReleaseNeeds = {
  readonly store: Pick<OutboxStore, "due" | "nextDueMs" | "ofPost">;
  readonly storage: Pick<Storage, "write">;
  readonly now: () => number;
  readonly onReleased: () => void;
  readonly onFailure: (error: unknown) => void;
};

export type Release = {
  /** Something was approved, or taken back, or its footage came. */
  look(): void;
  stop(): Promise<void>;
};

export function createRelease({ store, storage, now, onReleased, onFailure }: ReleaseNeeds): Release {
  let timer: NodeJS.Timeout | undefined;
  let isWanted = false;
  let isStopped = false;
  let looking: Promise<void> | undefined;

  const releaseDue = async () => {
    for (;;) {
      const due = await store.due(now());
      if (due.length === 0) return;
      for (const postSeq of due) {
        // Those of accounts that are gone were dropped: there may be nothing left to send.
        const over = postStateOf(await store.ofPost(postSeq));
        await storage.write(released(postSeq, over ?? "sending", now()));
      }
      onReleased();
    }
  };
  const lookOnce = async () => {
    isWanted = false;
    clearTimeout(timer);
    await releaseDue();
    const nextMs = await store.nextDueMs();
    if (nextMs !== null && !isStopped) lookIn(Math.max(1, nextMs - now()));
  };
  const lookIn = (ms: number) => {
    timer = setTimeout(look, Math.min(ms, timerMsMax)).unref();
  };
  const run = async () => {
    while (isWanted && !isStopped) {
      await lookOnce().catch((error: unknown) => {
        onFailure(error);
        if (!isStopped) lookIn(storageRetryMs);
      });
    }
    looking = undefined;
  };
  const look = () => {
    isWanted = true;
    if (!isStopped) looking ??= run();
  };
  return {
    look,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
