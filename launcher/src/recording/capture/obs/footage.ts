// Cuts clips out of OBS's replays, and saves a replay early if the buffer would drop held footage.
import { message } from "@kit/contract/messages";
import type PQueue from "p-queue";
import { type Footage, NoFootage } from "../../plans/footage.ts";
import type { ClipPlan } from "../../plans/plan.ts";
import type { ReplaySave, ReplaySaveQueue } from "./saves.ts";

export type ObsFootageDeps = {
  readonly saves: ReplaySaveQueue;
  /** A queue that reads one file at a time, because each may briefly need much memory. */
  readonly reading: PQueue;
  readonly ffmpeg: () => Promise<{ readonly path: string } | undefined>;
  /** Length of OBS's replay buffer; null if unknown. */
  readonly replaySeconds: () => number | null;
};

export type ObsFootage = {
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

export function createObsFootage({ saves, reading, ffmpeg, replaySeconds }: ObsFootageDeps): ObsFootage {
  /** Start of the held footage, by the id of the hold. */
  const holds = new Map<string | symbol, number>();
  /** Due times of the saves in progress. */
  const dueSaves = new Set<number>();
  /** Saved replays that are still needed, oldest first. */
  let saved: ReplaySave[] = [];
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
    return cutReplay({ ffmpeg: foundFfmpeg, plan, file, save, earlier });
  }

  return {
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
