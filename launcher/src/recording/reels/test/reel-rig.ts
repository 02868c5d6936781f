// Support: clips whose every picture shows its own time, and the reel service with a real database and the real ffmpeg.
import assert from "node:assert/strict";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clip } from "@kit/contract";
import { pathOf } from "../../../../../tools/engines/locate.ts";
import {
  beganMs,
  momentAt,
  openClipsFolder,
  planWith,
  saveRow,
  settledClip,
} from "../../../../test/recording/clips-folder.ts";
import { createClipStore } from "../../clips/clip-store.ts";
import { createClipLibrary } from "../../clips/library.ts";
import { recoverClips } from "../../clips/recovery.ts";
import { assembleMovie } from "../../mp4/assemble.ts";
import { fragmentsOf, type Recording, record, stampsIn } from "../../mp4/test/stamped-footage.ts";
import type { ClipPlan } from "../../plans/plan.ts";
import { createReels, type Reels } from "../reels.ts";

export const frameMs = 1_000 / 30;
/** From the start of a clip to its moment. */
export const momentSeconds = 2;

export async function openReels() {
  const folder = await openClipsFolder();
  const { storage, files, clipsDir: dir } = folder;
  const world = {
    quotaBytes: 1e12,
    growing: new Set<string>(),
    pictures: [] as string[],
    onChanged: () => {},
    failure: undefined as unknown,
  };
  let current: Reels | undefined;
  const created: Reels[] = [];
  const store = createClipStore(
    storage,
    dir,
    (id) => current?.stageById(id),
    (id) => current?.progressById(id),
  );
  const quotaBytes = () => world.quotaBytes;
  const now = () => beganMs + 60_000;
  const limits = { quotaBytes, now, neededClips: async () => new Set<string>() };
  const library = createClipLibrary({ dir, store, files, write: storage.write, onChanged() {}, ...limits });
  const create = () => {
    current = createReels({
      store,
      files,
      library,
      quotaBytes,
      ffmpeg: async () => ({ path: pathOf("ffmpeg"), hasFpsMode: true }),
      writeOnce: storage.write,
      write: storage.write,
      isGrowing: (id) => world.growing.has(id),
      pictures: {
        requestPoster: (id) => void world.pictures.push(`poster ${id}`),
        requestPreview: (id) => void world.pictures.push(`preview ${id}`),
      },
      onChanged: () => world.onChanged(),
      onFailure: (what, error) => assert.fail(`${what}: ${error}`),
    });
    created.push(current);
    return current;
  };
  let made = 0;
  const addRow = async (changes: Partial<ClipPlan>, footage: Footage, bring: (path: string) => Promise<void>) => {
    made += 1;
    const fromMs = beganMs + made * 100_000;
    const moments = [momentAt(fromMs + momentSeconds * 1_000)];
    const plan = planWith({ fromMs, toMs: fromMs + 4_000, moments, title: `part ${made}`, ...changes });
    const file = `${plan.id}.mp4`;
    await bring(join(dir, file));
    await saveRow(folder, plan, { ...footage, fromMs, file });
    return { ...plan, path: join(dir, file) };
  };
  return {
    folder,
    world,
    library,
    store,
    create,
    reels: create(),
    /** Saves a clip of four seconds, which begins between two keyframes and shows the time from `startMs` on. */
    async clip(recording: Partial<Recording> = {}, changes: Partial<ClipPlan> = {}) {
      const startMs = beganMs + (made + 1) * 100_000 - 700;
      const fragments = fragmentsOf(await record({ startMs, seconds: 6, keySeconds: 2, ...recording }));
      const fromMs = startMs + 700;
      const { parts, footage } = assembleMovie(fragments, planWith({ fromMs, toMs: fromMs + 4_000, moments: [] }));
      const measured = { ...footage, durationMs: footage.toMs - footage.fromMs };
      return addRow(changes, measured, (path) => writeFile(path, Buffer.concat(parts)));
    },
    /** Saves a copy of a file as a clip. */
    file: (source: string, footage: Footage, changes: Partial<ClipPlan> = {}) =>
      addRow(changes, footage, (path) => copyFile(source, path)),
    recover: () =>
      recoverClips({ dir, store, files, write: storage.write, receiptStatements: () => assert.fail("a receipt") }),
    settled: (id: string) => settledClip(library, id),
    async [Symbol.asyncDispose]() {
      for (const reels of created) await reels.stop();
      // Cleanups run one at a time, so this one ends after all others.
      await library.enforceLimits();
      await folder[Symbol.asyncDispose]();
    },
  };
}

type Footage = { readonly durationMs: number; readonly bytes?: number; readonly width?: number };

/** Asserts that the file shows the seconds of each part in order, each picture once and at its time. */
export async function judgeReel(reel: Clip, shown: readonly { readonly fromMs: number; readonly toMs: number }[]) {
  const all = await stampsIn(String(reel.path));
  // Pictures that only help to decode the start of a part last less than a millisecond.
  const seen = all.filter(({ atMs }, i) => (all[i + 1]?.atMs ?? Infinity) - atMs > 1);
  for (const [i, { fromMs, toMs }] of shown.entries()) {
    const startMs = (reel.parts?.[i]?.offset ?? 0) * 1_000;
    const endMs = (reel.parts?.[i + 1]?.offset ?? reel.duration) * 1_000;
    const stamps = seen.filter(({ atMs }) => atMs >= startMs - 1 && atMs < endMs - 1);
    assert.ok(Math.abs(stamps.length - (toMs - fromMs) / frameMs) <= 1.5, `part ${i} has ${stamps.length} pictures`);
    for (const { atMs, shownMs } of stamps) {
      const offMs = shownMs - fromMs - (atMs - startMs);
      assert.ok(Math.abs(offMs) <= frameMs + 1, `part ${i} is ${offMs} ms off at ${atMs} ms`);
    }
  }
}
