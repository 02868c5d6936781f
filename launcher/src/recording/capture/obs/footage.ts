// Cuts clips out of OBS's replays. Saves one replay at a time, early if the buffer would drop held footage. Calls that are due share a
// save, because OBS merges simultaneous saves anyway.

import { stat } from "node:fs/promises";
import type { Message } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import type PQueue from "p-queue";
import { type ClipPlan, type Footage, NoFootage } from "../../plans/plan.ts";
import type { ReplayEnd, ReplaySave } from "./cut-replay.ts";
import { type ObsLink, ObsRefused, ObsSilent, obsStatusCodes } from "./link.ts";

type ReplaySaveQueueDeps = ReplaySaveTimes & {
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

type ReplaySaveQueue = {
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

type ObsFootageDeps = {
  readonly saves: ReplaySaveQueue;
  /** A queue that reads one file at a time, because each may briefly need much memory. */
  readonly reading: PQueue;
  readonly ffmpeg: () => Promise<{ readonly path: string } | undefined>;
  /** Length of OBS's replay buffer; null if unknown. */
  readonly replaySeconds: () => number | null;
  /** Called when a replay was read. */
  readonly onRead: () => void;
};

type ObsFootage = {
  /** How much footage the last replay had; null before the first. */
  keptSeconds(): number | null;
  hold(id: string, fromMs: number): void;
  release(id: string): void;
  /** Keeps the promises of CaptureBackend.cut. */
  cut(plan: ClipPlan, file: string): Promise<Footage>;
  /** Removes all holds. */
  clear(): void;
};

/**
 * How long after the end of a range Kit asks OBS to save. The last picture of a replay may be slightly older than that request.
 */
const marginMs = 200;
/** Kit saves held footage this long before the buffer would drop it, because a request takes time. */
const safetyMs = 2_000;
const savesMax = 20;

export function createObsFootage({ saves, reading, ffmpeg, replaySeconds, onRead }: ObsFootageDeps): ObsFootage {
  /** When the footage of each hold starts, by the id of the hold. */
  const holds = new Map<string | symbol, number>();
  /** Due times of the saves in progress. */
  const dueSaves = new Set<number>();
  /** Saved replays that are still needed, oldest first. */
  let saved: ReplaySave[] = [];
  let lastEnd: ReplayEnd | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function saveAt(dueMs: number): Promise<ReplaySave> {
    dueSaves.add(dueMs);
    try {
      const save = await saves.saveAfter(dueMs);
      // OBS has overwritten an earlier file of the same name.
      saved = [...saved.filter(({ path }) => path !== save.path), save].slice(-savesMax);
      return save;
    } finally {
      dueSaves.delete(dueMs);
      scheduleSave();
    }
  }

  /** Schedules a save before OBS drops held footage, unless another save is due in time. */
  function scheduleSave(): void {
    clearTimeout(timer);
    const neededMs = Math.min(...holds.values());
    saved = saved.filter(({ askedMs }) => askedMs > neededMs);
    const seconds = replaySeconds();
    if (holds.size === 0 || seconds === null) return;
    const coveredMs = Math.max(neededMs, saved.at(-1)?.askedMs ?? 0);
    const lastChanceMs = coveredMs + seconds * 1_000 - safetyMs;
    if ([...dueSaves].some((dueMs) => dueMs <= lastChanceMs + safetyMs / 2)) return;
    const waitMs = Math.max(lastChanceMs, coveredMs + 2 * safetyMs) - Date.now();
    timer = setTimeout(() => void saveAt(Date.now()).catch(cancelTimer), Math.max(0, waitMs)).unref();
  }

  /** A failed early save is not repeated; the cut reports what is missing. */
  function cancelTimer(): void {
    clearTimeout(timer);
  }

  async function cutFrom(plan: ClipPlan, file: string, save: ReplaySave): Promise<Footage> {
    const foundFfmpeg = await ffmpeg();
    if (foundFfmpeg === undefined) throw new NoFootage(message("obs.needs_ffmpeg"));
    const { cutReplay } = await import("./cut-replay.ts");
    const earlier = saved.filter(({ askedMs }) => askedMs < save.askedMs);
    return cutReplay({
      ...{ ffmpeg: foundFfmpeg, plan, file, save, earlier, lastEnd },
      onRead(end) {
        lastEnd = end;
        onRead();
      },
    });
  }

  return {
    keptSeconds: () => lastEnd?.seconds ?? null,
    hold(id, fromMs) {
      holds.set(id, fromMs);
      scheduleSave();
    },
    release(id) {
      holds.delete(id);
      scheduleSave();
    },
    async cut(plan, file) {
      const ownHold = Symbol(file);
      holds.set(ownHold, plan.fromMs);
      try {
        const save = await saveAt(plan.toMs + marginMs);
        return await reading.add(() => cutFrom(plan, file, save));
      } finally {
        holds.delete(ownHold);
        scheduleSave();
      }
    },
    clear() {
      holds.clear();
      scheduleSave();
    },
  };
}
