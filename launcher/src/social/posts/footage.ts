// Watches for the footage that posts wait for, over restarts too: whatever became of it is told once it is certain.
import { setTimeout as pause } from "node:timers/promises";
import type { Footage, WantedFootage } from "./asked-footage.ts";
import type { StoredPost } from "./post-row.ts";
import type { PostStore } from "./post-store.ts";

export type FootageWatchNeeds = {
  readonly store: Pick<PostStore, "waitingForFootage">;
  /** Idempotent by event. Resolves when it is promised, or known that there will be none. */
  readonly requestFootage: (wanted: WantedFootage) => Promise<void>;
  readonly footageOf: (event: string) => Promise<Footage>;
  /** It came, or cannot be had. */
  readonly arrived: (kept: StoredPost, footage: Footage) => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
};

export type FootageWatch = {
  ask(wanted: WantedFootage): void;
  /** Looks soon at all that wait. Cheap to call for every change. */
  look(): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
};

/** Posts that are looked at in one read. */
const batchMax = 100;
/** Between two looks: a clip that is made changes often. */
const paceMs = 200;
/** After a look that failed; nothing else may come that would bring about the next one. */
const retryMs = 10_000;

const wantedFor = ({ post, eventSeq }: StoredPost): WantedFootage | undefined =>
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

export function createFootageWatch(needs: FootageWatchNeeds): FootageWatch {
  const { store, requestFootage, footageOf, arrived, onFailure } = needs;
  /** Of this run. An earlier one's are asked for again: whoever records knows them. */
  const asked = new Map<string, "asking" | "asked">();
  let isWanted = false;
  let looking: Promise<void> | undefined;
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;

  const failed = (error: unknown) => {
    if (isStopped()) return;
    onFailure("footage", error);
    setTimeout(look, retryMs).unref();
  };
  const ask = async (wanted: WantedFootage): Promise<void> => {
    asked.set(wanted.event, "asking");
    try {
      await requestFootage(wanted);
      asked.set(wanted.event, "asked");
      look();
    } catch (error) {
      // The next look asks anew.
      asked.delete(wanted.event);
      failed(error);
    }
  };
  const lookAt = async (kept: StoredPost): Promise<void> => {
    const wanted = wantedFor(kept);
    const standing = asked.get(kept.post.event);
    if (wanted !== undefined && standing !== "asked") return standing === undefined ? void ask(wanted) : undefined;
    const footage = await footageOf(kept.post.event);
    if (footage.state === "pending") return;
    await arrived(kept, footage);
    asked.delete(kept.post.event);
  };
  const lookAtAll = async (): Promise<void> => {
    isWanted = false;
    const waiting = new Set<string>();
    let after = 0;
    for (;;) {
      const posts = await store.waitingForFootage(after, batchMax);
      for (const kept of posts) {
        if (isStopped()) return;
        waiting.add(kept.post.event);
        await lookAt(kept);
      }
      after = posts.at(-1)?.seq ?? after;
      if (posts.length < batchMax) break;
    }
    // What nobody waits for any more is forgotten; one whose post is written just now is asked for again, and known there.
    for (const [event, standing] of asked) if (standing === "asked" && !waiting.has(event)) asked.delete(event);
  };
  const run = async (): Promise<void> => {
    while (isWanted && !isStopped()) {
      await lookAtAll().catch(failed);
      await pause(paceMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
    looking = undefined;
  };
  const look = () => {
    if (isStopped()) return;
    isWanted = true;
    looking ??= run();
  };
  return {
    ask: (wanted) => {
      if (!asked.has(wanted.event)) void ask(wanted);
    },
    look,
    async stop() {
      stopping.abort();
      await looking;
    },
  };
}
