// Saves OBS's replay buffer, one save at a time. Calls that are due share a save, because OBS merges simultaneous saves anyway.

import { stat } from "node:fs/promises";
import type { Message } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import { NoFootage } from "../../plans/footage.ts";
import { type ObsLink, ObsRefused, ObsSilent, obsStatusCodes } from "./link.ts";

export type ReplaySaveQueueDeps = ReplaySaveTimes & {
  /** Resolves to the open connection, or waits briefly for one. Rejects with NoFootage. */
  readonly link: () => Promise<ObsLink>;
  /** Minimum time between two saves: OBS names its files by the second, and overwrites a file of the same name. */
  readonly saveIntervalMs: number;
  /**
   * Resolves when no replay is being read. Before, a new save could overwrite its file, if a person removed the seconds from
   * OBS's file names.
   */
  readonly whenRead: () => Promise<void>;
};

export type ReplaySaveQueue = {
  /** Saves at `dueMs` (epoch milliseconds) or later. Rejects with NoFootage. */
  saveAfter(dueMs: number): Promise<ReplaySave>;
  /** Rejects all waiting calls. A save in progress continues. */
  rejectWaiting(why: Message): void;
};

type Waiter = PromiseWithResolvers<ReplaySave> & { readonly dueMs: number };

/** The longest delay that Node's timers accept. */
const timerMsMax = 2 ** 31 - 1;

export function createReplaySaveQueue(deps: ReplaySaveQueueDeps): ReplaySaveQueue {
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

  /** Saves once for all callers that are due by then. Never rejects. */
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
    // Schedules the next save later, so that whoever reads the saved file can begin first.
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
      const twice = message("obs.replay_not_saved_twice", { why: reasonOf(failure) });
      throw failure instanceof ObsSilent ? new NoFootage(twice) : failure;
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

/** A replay file that OBS wrote. */
export type ReplaySave = {
  readonly path: string;
  /** When OBS was asked to save. That is also the time of the last picture in the file. */
  readonly askedMs: number;
};

export type ReplaySaveTimes = {
  /** Maximum time for OBS to write the file. */
  readonly saveTimeoutMs: number;
  /** How often OBS is asked for its last file, because the event that names it can get lost. */
  readonly pollMs: number;
};

/** Tolerance for times of files. They come from a coarse clock, or from another machine. */
const fileClockMs = 250;

/** Rejects with NoFootage if OBS cannot save, and with ObsSilent if the connection ended and the result is unknown. */
async function saveReplay(link: ObsLink, times: ReplaySaveTimes): Promise<ReplaySave> {
  try {
    const before = await lastReplay(link);
    const requestedMs = Date.now();
    const watch = waitForReplay(link, { ...times, before, requestedMs });
    try {
      await link.call("SaveReplayBuffer");
      const askedMs = (requestedMs + Date.now()) / 2;
      return { path: await watch.named, askedMs };
    } finally {
      watch.end();
    }
  } catch (failure) {
    throw failure instanceof ObsRefused ? new NoFootage(refusalMessage(failure)) : failure;
  }
}

/** Returns the path of OBS's last replay, or an empty string before the first. */
async function lastReplay(link: ObsLink): Promise<string> {
  const { savedReplayPath } = await link.call("GetLastReplayBufferReplay");
  // Before the first replay, OBS sends no path, contrary to the library's types.
  return savedReplayPath ?? "";
}

/** `named` resolves to the path of the new file. */
type Watch = { readonly named: Promise<string>; end(): void };

/**
 * Waits for a file that is newer than the request. OBS may still announce an older one after the request, if a person saved a
 * replay with a hotkey just before.
 */
function waitForReplay(link: ObsLink, options: ReplaySaveTimes & { before: string; requestedMs: number }): Watch {
  const { before, requestedMs, pollMs, saveTimeoutMs } = options;
  const { promise: named, resolve, reject } = Promise.withResolvers<string>();
  named.catch(() => undefined);
  const checkFile = async (path: string) => {
    if (path !== "" && (await isNewer(path, { wasThere: path === before, requestedMs }))) resolve(path);
  };
  const forget = link.onSaved((path) => void checkFile(path));
  // OBS may name the same file as before without having written it again. Only the event of a save proves that it has.
  const ask = async () => {
    const path = await lastReplay(link);
    if (path !== before) await checkFile(path);
  };
  const poll = setInterval(() => ask().catch(reject), pollMs);
  const timeoutMessage = message("obs.wrote_no_replay", { seconds: saveTimeoutMs / 1_000 });
  const deadline = setTimeout(() => reject(new NoFootage(timeoutMessage)), saveTimeoutMs);
  return {
    named,
    end() {
      forget();
      clearInterval(poll);
      clearTimeout(deadline);
    },
  };
}

/** Returns true if the file is newer than the request, or cannot be examined: reading it will then report the error. */
async function isNewer(
  path: string,
  { wasThere, requestedMs }: { wasThere: boolean; requestedMs: number },
): Promise<boolean> {
  try {
    const { birthtimeMs, mtimeMs } = await stat(path);
    // An overwritten file keeps its birth time, and some file systems store none.
    const newMs = wasThere || birthtimeMs === 0 ? mtimeMs : birthtimeMs;
    return newMs >= requestedMs - fileClockMs;
  } catch {
    return true;
  }
}

function refusalMessage({ code, detail }: ObsRefused): Message {
  if (code === obsStatusCodes.outputNotRunning) return message("obs.replay_buffer_not_running");
  if (code === obsStatusCodes.notFound) return message("obs.no_replay_buffer");
  return message("obs.replay_not_saved", { why: detail });
}
