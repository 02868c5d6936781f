// Saves of OBS's replay buffer, one at a time. All callers that are due share one save, because OBS merges simultaneous ones.
import { NoFootage } from "../capture/backend.ts";
import { type ObsLink, ObsSilent } from "./link.ts";
import { type ReplaySave, type SaveTimes, saveReplay } from "./save.ts";

export type SaveQueueDeps = SaveTimes & {
  /** Returns the open connection, or waits briefly for one. Rejects with NoFootage. */
  readonly link: () => Promise<ObsLink>;
  /** Minimum time between two saves: OBS names files by the second and overwrites files of the same name. */
  readonly saveIntervalMs: number;
  /** Resolves when no earlier replay is being read: OBS may overwrite it if file names contain no seconds. */
  readonly whenRead: () => Promise<void>;
};

export type SaveQueue = {
  /** Saves at `dueMs` or later. Rejects with NoFootage. */
  saveAfter(dueMs: number): Promise<ReplaySave>;
  /** Rejects all waiting calls. A save in progress continues. */
  rejectWaiting(why: string): void;
};

type Waiter = PromiseWithResolvers<ReplaySave> & { readonly dueMs: number };

/** Maximum delay of a timer. */
const timerMsMax = 2 ** 31 - 1;

export function createSaveQueue(deps: SaveQueueDeps): SaveQueue {
  const waiting = new Set<Waiter>();
  let isSaving = false;
  let askedMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function scheduleNext(): void {
    clearTimeout(timer);
    if (isSaving || waiting.size === 0) return;
    const soonestMs = Math.min(...[...waiting].map(({ dueMs }) => dueMs));
    const waitMs = Math.max(soonestMs, askedMs + deps.saveIntervalMs) - Date.now();
    if (waitMs > 0) timer = setTimeout(scheduleNext, Math.min(waitMs, timerMsMax));
    else void runSave();
  }

  /** Saves once for everybody who is due when OBS is asked. Never rejects. */
  async function runSave(): Promise<void> {
    isSaving = true;
    await deps.whenRead();
    const beganMs = Date.now();
    try {
      const save = await saveWithRetry();
      askedMs = save.askedMs;
      for (const waiter of takeDue(save.askedMs)) waiter.resolve(save);
    } catch (failure) {
      for (const waiter of takeDue(beganMs)) waiter.reject(failure);
    }
    isSaving = false;
    // Readers of the saved file start first.
    setImmediate(scheduleNext);
  }

  function takeDue(untilMs: number): Waiter[] {
    const waiters = [...waiting].filter(({ dueMs }) => dueMs <= untilMs);
    for (const waiter of waiters) waiting.delete(waiter);
    return waiters;
  }

  /** Retries once if the connection ended: the buffer is still in OBS, so the second save contains the same footage. */
  async function saveWithRetry(): Promise<ReplaySave> {
    try {
      return await saveReplay(await deps.link(), deps);
    } catch (failure) {
      if (!(failure instanceof ObsSilent)) throw failure;
    }
    try {
      return await saveReplay(await deps.link(), deps);
    } catch (failure) {
      const message = `OBS did not save its replay: ${(failure as Error).message}, twice.`;
      throw failure instanceof ObsSilent ? new NoFootage(message) : failure;
    }
  }

  return {
    saveAfter(dueMs) {
      const waiter = { ...Promise.withResolvers<ReplaySave>(), dueMs };
      waiting.add(waiter);
      scheduleNext();
      return waiter.promise;
    },
    rejectWaiting(why) {
      for (const waiter of takeDue(Number.POSITIVE_INFINITY)) waiter.reject(new NoFootage(why));
      scheduleNext();
    },
  };
}
