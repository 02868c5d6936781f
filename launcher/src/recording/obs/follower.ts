// Follows OBS's replay buffer: starts it when footage is wanted, notices when it ends, and what time was lost between.
import { type ObsLink, ObsRefused } from "./link.ts";
import { askReplayBuffer, type ObsReplayBuffer, startReplayBuffer } from "./replay-buffer.ts";

export type FollowerNeeds = {
  readonly link: () => ObsLink | undefined;
  readonly askEveryMs: number;
  /** Something may be different now. */
  readonly onNews: () => void;
  /** OBS is connected and does not answer. */
  readonly onSilent: () => void;
};

export type FollowedBuffer = {
  readonly isWanted: boolean;
  /** What OBS said last; null before it said anything. */
  readonly buffer: ObsReplayBuffer | null;
  /** It ran, was wanted, and was ended in OBS. */
  readonly isStoppedThere: boolean;
  /** When it was seen to start; null when it ran before, or does not run. */
  readonly startedMs: number | null;
  readonly restarts: number;
  readonly lostMs: number;
};

export type Follower = {
  now(): FollowedBuffer;
  /** Footage is wanted from now on. Resolves when OBS was asked to start, or cannot be. */
  start(): Promise<void>;
  /** Ends the replay buffer if Kit started it. */
  stop(): Promise<void>;
  /** Asks OBS how it is, and starts its replay buffer when that is wanted. Never rejects. */
  refresh(): Promise<void>;
  /** OBS is gone. */
  away(): void;
  /** OBS says that its replay buffer runs now, or does no longer. */
  changed(isActive: boolean): void;
};

export function createFollower({ link, askEveryMs, onNews, onSilent }: FollowerNeeds): Follower {
  let isWanted = false;
  let buffer: ObsReplayBuffer | null = null;
  let isStoppedThere = false;
  /** Kit started it, so Kit ends it. */
  let isOurs = false;
  let startedMs: number | null = null;
  let restarts = 0;
  let lostMs = 0;
  let lostSinceMs: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    const asked = link();
    if (asked === undefined) return;
    try {
      const answer = await askReplayBuffer(asked);
      if (asked !== link()) return;
      buffer = answer;
      if (isWanted && answer.isThere && !answer.isActive && !isStoppedThere) await startIt(asked);
      if (answer.isActive) runs();
    } catch {
      if (asked === link()) onSilent();
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), askEveryMs).unref();
    onNews();
  }

  async function startIt(asked: ObsLink): Promise<void> {
    try {
      isOurs = await startReplayBuffer(asked);
    } catch (failure) {
      // It is busy changing its settings, or the buffer was just switched off: the next time it is asked says more.
      if (!(failure instanceof ObsRefused)) throw failure;
    }
  }

  function runs(): void {
    if (lostSinceMs === null) return;
    lostMs += Date.now() - lostSinceMs;
    lostSinceMs = null;
  }

  /** Footage is missing from now on. */
  function breaks(): void {
    if (!isWanted || buffer?.isActive !== true || lostSinceMs !== null) return;
    lostSinceMs = Date.now();
    restarts += 1;
  }

  return {
    now: () => ({
      isWanted,
      buffer,
      isStoppedThere,
      startedMs,
      restarts,
      lostMs: lostMs + (lostSinceMs === null ? 0 : Date.now() - lostSinceMs),
    }),
    async start() {
      if (isWanted && !isStoppedThere) return;
      isWanted = true;
      isStoppedThere = false;
      await refresh();
      onNews();
    },
    async stop() {
      isWanted = false;
      isStoppedThere = false;
      runs();
      if (isOurs)
        await link()
          ?.call("StopReplayBuffer")
          .catch(() => undefined);
      isOurs = false;
      onNews();
    },
    refresh,
    away() {
      clearTimeout(timer);
      breaks();
      buffer = null;
      isOurs = false;
      isStoppedThere = false;
      startedMs = null;
      onNews();
    },
    changed(isActive) {
      if (!isActive) breaks();
      isStoppedThere = !isActive && isWanted;
      startedMs = isActive ? Date.now() : null;
      if (isActive) runs();
      else isOurs = false;
      if (buffer !== null) buffer = { ...buffer, isActive };
      onNews();
    },
  };
}
