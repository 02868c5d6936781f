// Saves of OBS's replay buffer, one at a time and shared by all who wait: of two at once OBS makes one.
import { NoFootage } from "../capture/backend.ts";
import { type ObsLink, ObsSilent } from "./link.ts";
import { type ReplaySave, type SaveTimes, saveReplay } from "./save.ts";

export type SavesNeeds = SaveTimes & {
  /** The open connection, or the next one if there soon is one. Rejects with NoFootage. */
  readonly link: () => Promise<ObsLink>;
  /** Between two saves at least: OBS names files by the second and writes over one of the same name. */
  readonly apartMs: number;
  /** Resolves when nobody reads what was saved before: a name without the second in it is written over all the same. */
  readonly readAll: () => Promise<void>;
};

export type Saves = {
  /** Asks OBS at `dueMs` or later. Rejects with NoFootage. */
  after(dueMs: number): Promise<ReplaySave>;
  /** Nobody waits any longer; a save under way goes on for itself. */
  giveUp(why: string): void;
};

type Waiting = PromiseWithResolvers<ReplaySave> & { readonly dueMs: number };

/** A timer takes no longer time. */
const timerMsMax = 2 ** 31 - 1;

export function createSaves(needs: SavesNeeds): Saves {
  const waiting = new Set<Waiting>();
  let isSaving = false;
  let askedMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function next(): void {
    clearTimeout(timer);
    if (isSaving || waiting.size === 0) return;
    const soonestMs = Math.min(...[...waiting].map(({ dueMs }) => dueMs));
    const waitMs = Math.max(soonestMs, askedMs + needs.apartMs) - Date.now();
    if (waitMs > 0) timer = setTimeout(next, Math.min(waitMs, timerMsMax));
    else void serve();
  }

  /** Who became due until OBS was asked is in that file. Never rejects. */
  async function serve(): Promise<void> {
    isSaving = true;
    await needs.readAll();
    const beganMs = Date.now();
    try {
      const save = await saveOrAgain();
      askedMs = save.askedMs;
      for (const order of due(save.askedMs)) order.resolve(save);
    } catch (failure) {
      for (const order of due(beganMs)) order.reject(failure);
    }
    isSaving = false;
    // Whoever was given a file begins to read it first.
    setImmediate(next);
  }

  function due(momentMs: number): Waiting[] {
    const orders = [...waiting].filter(({ dueMs }) => dueMs <= momentMs);
    for (const order of orders) waiting.delete(order);
    return orders;
  }

  /** When the connection ends in the middle and OBS is still there, so is its buffer: a second save holds as much. */
  async function saveOrAgain(): Promise<ReplaySave> {
    try {
      return await saveReplay(await needs.link(), needs);
    } catch (failure) {
      if (!(failure instanceof ObsSilent)) throw failure;
    }
    try {
      return await saveReplay(await needs.link(), needs);
    } catch (failure) {
      const says = `OBS did not save its replay: ${(failure as Error).message}, twice.`;
      throw failure instanceof ObsSilent ? new NoFootage(says) : failure;
    }
  }

  return {
    after(dueMs) {
      const order = { ...Promise.withResolvers<ReplaySave>(), dueMs };
      waiting.add(order);
      next();
      return order.promise;
    },
    giveUp(why) {
      for (const order of due(Number.POSITIVE_INFINITY)) order.reject(new NoFootage(why));
      next();
    },
  };
}
