// Starts approved posts when their undo time is over and their footage exists.
import type { Storage } from "../../storage/storage.ts";
import { postStateOf } from "./delivery-records.ts";
import { releasePost } from "./delivery-store.ts";
import type { OutboxStore } from "./outbox-store.ts";

const timerMsMax = 2 ** 31 - 1;
const storageRetryMs = 10_000;

export type PostReleaseDeps = {
  readonly store: Pick<OutboxStore, "duePosts" | "nextDueMs" | "ofPost">;
  readonly storage: Pick<Storage, "write">;
  readonly now: () => number;
  readonly onReleased: () => void;
  readonly onFailure: (error: unknown) => void;
};

export type PostRelease = {
  /** To be called when a post was approved or undone, or its footage is ready. */
  checkDue(): void;
  stop(): Promise<void>;
};

export function createPostRelease({ store, storage, now, onReleased, onFailure }: PostReleaseDeps): PostRelease {
  let timer: NodeJS.Timeout | undefined;
  let isWanted = false;
  let isStopped = false;
  let checking: Promise<void> | undefined;

  const releaseDue = async () => {
    for (;;) {
      const due = await store.duePosts(now());
      if (due.length === 0) return;
      for (const postSeq of due) {
        // Deliveries to removed accounts were dropped, so there may be nothing to send.
        const over = postStateOf(await store.ofPost(postSeq));
        await storage.write(releasePost(postSeq, over ?? "sending", now()));
      }
      onReleased();
    }
  };
  const checkOnce = async () => {
    isWanted = false;
    clearTimeout(timer);
    await releaseDue();
    const nextMs = await store.nextDueMs();
    if (nextMs !== null && !isStopped) checkIn(Math.max(1, nextMs - now()));
  };
  const checkIn = (ms: number) => {
    timer = setTimeout(checkDue, Math.min(ms, timerMsMax)).unref();
  };
  const run = async () => {
    while (isWanted && !isStopped) {
      await checkOnce().catch((error: unknown) => {
        onFailure(error);
        if (!isStopped) checkIn(storageRetryMs);
      });
    }
    checking = undefined;
  };
  const checkDue = () => {
    isWanted = true;
    if (!isStopped) checking ??= run();
  };
  return {
    checkDue,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await checking;
    },
  };
}
