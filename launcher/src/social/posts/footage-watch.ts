// Watches the footage that posts wait for, also across restarts, and calls `onArrived` when it exists or never will.
import { setTimeout as pause } from "node:timers/promises";
import type { EventFootage, FootageRequest } from "./post-footage.ts";
import type { StoredPost } from "./post-row.ts";
import type { PostStore } from "./post-store.ts";

export type FootageWatchDeps = {
  readonly store: Pick<PostStore, "waitingForFootage">;
  /** May be called repeatedly for an event. Resolves when it is known whether there will be footage. */
  readonly requestFootage: (wanted: FootageRequest) => Promise<void>;
  readonly footageOf: (event: string) => Promise<EventFootage>;
  /** Called when the footage of a post exists, or never will. */
  readonly onArrived: (kept: StoredPost, footage: EventFootage) => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
};

export type FootageWatch = {
  request(wanted: FootageRequest): void;
  /** Checks all waiting posts soon. Cheap, so any change may call it. */
  checkWaiting(): void;
  /** Resolves when running work has ended. */
  stop(): Promise<void>;
};

/** Maximum posts read at once. */
const batchMax = 100;
/** Pause between two checks, because a clip changes often while it is made. */
const checkPauseMs = 200;
/** Delay before a failed check is repeated. Otherwise only a change starts a check, and there might be none. */
const retryMs = 10_000;

const footageRequestOf = ({ post, eventSeq }: StoredPost): FootageRequest | undefined =>
  post.attach === "none"
    ? undefined
    : {
        event: post.event,
        seq: eventSeq,
        eventId: post.eventId,
        game: post.game,
        atMs: Date.parse(post.happenedAt),
        kind: post.attach,
      };

export function createFootageWatch(needs: FootageWatchDeps): FootageWatch {
  const { store, requestFootage, footageOf, onArrived, onFailure } = needs;
  /** The requests of this run, by event. Those of earlier runs are made again; the recording slice recognises them. */
  const requests = new Map<string, "asking" | "asked">();
  let isWanted = false;
  let checking: Promise<void> | undefined;
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;

  const onCheckFailed = (error: unknown) => {
    if (isStopped()) return;
    onFailure("footage", error);
    setTimeout(checkWaiting, retryMs).unref();
  };
  const request = async (wanted: FootageRequest): Promise<void> => {
    requests.set(wanted.event, "asking");
    try {
      await requestFootage(wanted);
      requests.set(wanted.event, "asked");
      checkWaiting();
    } catch (error) {
      // The next check requests it again.
      requests.delete(wanted.event);
      onCheckFailed(error);
    }
  };
  const checkPost = async (kept: StoredPost): Promise<void> => {
    const wanted = footageRequestOf(kept);
    const standing = requests.get(kept.post.event);
    if (wanted !== undefined && standing !== "asked") return standing === undefined ? void request(wanted) : undefined;
    const footage = await footageOf(kept.post.event);
    if (footage.state === "pending") return;
    await onArrived(kept, footage);
    requests.delete(kept.post.event);
  };
  const checkAll = async (): Promise<void> => {
    isWanted = false;
    const waiting = new Set<string>();
    let after = 0;
    for (;;) {
      const posts = await store.waitingForFootage(after, batchMax);
      for (const kept of posts) {
        if (isStopped()) return;
        waiting.add(kept.post.event);
        await checkPost(kept);
      }
      after = posts.at(-1)?.seq ?? after;
      if (posts.length < batchMax) break;
    }
    // Forgets requests that no post waits for. A post whose insertion was not committed yet will repeat its request.
    for (const [event, standing] of requests) if (standing === "asked" && !waiting.has(event)) requests.delete(event);
  };
  const run = async (): Promise<void> => {
    while (isWanted && !isStopped()) {
      await checkAll().catch(onCheckFailed);
      await pause(checkPauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
    checking = undefined;
  };
  const checkWaiting = () => {
    if (isStopped()) return;
    isWanted = true;
    checking ??= run();
  };
  return {
    request: (wanted) => {
      if (!requests.has(wanted.event)) void request(wanted);
    },
    checkWaiting,
    async stop() {
      stopping.abort();
      await checking;
    },
  };
}
