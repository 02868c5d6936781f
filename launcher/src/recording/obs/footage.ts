// Cuts clips out of what OBS saved, and has it save in between what a long window would lose meanwhile.
import type PQueue from "p-queue";
import { type CutOrder, type Footage, NoFootage } from "../capture/backend.ts";
import type { ReplaySave } from "./save.ts";
import type { Saves } from "./saves.ts";

export type ObsFootageNeeds = {
  readonly saves: Saves;
  /** Files are read in here, one after the other: each may take much memory for a moment. */
  readonly reading: PQueue;
  readonly ffmpeg: () => Promise<{ readonly path: string } | undefined>;
  /** How long OBS's replay buffer is; null when that is not known. */
  readonly replaySeconds: () => number | null;
};

export type ObsFootage = {
  hold(id: string, fromMs: number): void;
  release(id: string): void;
  /** See Backend.cut. */
  cut(order: CutOrder): Promise<Footage>;
  /** Forgets what is held. */
  end(): void;
};

/** The last picture in a file may be a little older than the moment OBS was asked. */
const marginMs = 200;
/** Before the buffer drops what is needed: asking takes a moment. */
const safetyMs = 2_000;
const savesMax = 20;

export function createObsFootage({ saves, reading, ffmpeg, replaySeconds }: ObsFootageNeeds): ObsFootage {
  /** Ids with the beginning of what they need. */
  const held = new Map<string | symbol, number>();
  /** When the saves that are waited for are due. */
  const due = new Set<number>();
  /** What lies in files already and is needed still, oldest first. */
  let saved: ReplaySave[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function savedAfter(dueMs: number): Promise<ReplaySave> {
    due.add(dueMs);
    try {
      const save = await saves.after(dueMs);
      // A file of the same name is the same file, written over.
      saved = [...saved.filter(({ path }) => path !== save.path), save].slice(-savesMax);
      return save;
    } finally {
      due.delete(dueMs);
      planSave();
    }
  }

  /** Before OBS drops what a held window needs, it is saved; unless it is going to be anyway. */
  function planSave(): void {
    clearTimeout(timer);
    const neededMs = Math.min(...held.values());
    saved = saved.filter(({ askedMs }) => askedMs > neededMs);
    const seconds = replaySeconds();
    if (held.size === 0 || seconds === null) return;
    const coveredMs = Math.max(neededMs, saved.at(-1)?.askedMs ?? 0);
    const lastChanceMs = coveredMs + seconds * 1_000 - safetyMs;
    if ([...due].some((dueMs) => dueMs <= lastChanceMs + safetyMs / 2)) return;
    // Where the buffer has dropped it already, a save now is as good as it gets.
    const waitMs = Math.max(lastChanceMs, coveredMs + 2 * safetyMs) - Date.now();
    timer = setTimeout(() => void savedAfter(Date.now()).catch(onNotSaved), Math.max(0, waitMs)).unref();
  }

  /** It is tried once: the cut of the window says what is missing. */
  function onNotSaved(): void {
    clearTimeout(timer);
  }

  async function cutOut(order: CutOrder, save: ReplaySave): Promise<Footage> {
    const program = await ffmpeg();
    if (program === undefined) throw new NoFootage("Kit needs ffmpeg to cut what OBS saved, and found none.");
    const { cutReplay } = await import("./cut-replay.ts");
    const earlier = saved.filter(({ askedMs }) => askedMs < save.askedMs);
    return cutReplay({ ffmpeg: program, order, save, earlier });
  }

  return {
    hold(id, fromMs) {
      held.set(id, fromMs);
      planSave();
    },
    release(id) {
      held.delete(id);
      planSave();
    },
    async cut(order) {
      const own = Symbol(order.file);
      held.set(own, order.fromMs);
      try {
        const save = await savedAfter(order.toMs + marginMs);
        return await reading.add(() => cutOut(order, save));
      } finally {
        held.delete(own);
        planSave();
      }
    },
    end() {
      held.clear();
      planSave();
    },
  };
}
