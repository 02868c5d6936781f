// Support: clips whose every picture shows its own time, and the trim service with a real database and the real ffmpeg.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathOf } from "../../../../../tools/engines/locate.ts";
import {
  beganMs,
  type ClipsFolder,
  momentAt,
  openClipsFolder,
  planWith,
  saveRow,
  settledClip,
} from "../../../../test/recording/clips-folder.ts";
import { createClipLibrary } from "../../clips/library.ts";
import { recoverClips } from "../../clips/recovery.ts";
import { assembleMovie } from "../../mp4/assemble.ts";
import { fragmentsOf, type Recording, record, stampsIn } from "../../mp4/test/stamped-footage.ts";
import { createTrimmer, type Trimmer } from "../trim.ts";

export const frameMs = 1_000 / 30;

/** A clip of eight seconds that starts 1.3 s into its footage, with moments at two and six seconds. */
export async function clipIn(folder: Pick<ClipsFolder, "storage" | "clipsDir">, recording: Partial<Recording> = {}) {
  const fromMs = beganMs + 1_300;
  const toMs = beganMs + 9_300;
  const moments = [momentAt(fromMs + 2_000), momentAt(fromMs + 6_000, "monitor")];
  const plan = planWith({ fromMs, toMs, moments });
  const fragments = fragmentsOf(await record({ startMs: beganMs, seconds: 11, keySeconds: 2, ...recording }));
  const { parts, footage } = assembleMovie(fragments, plan);
  const file = `${plan.id}.mp4`;
  await writeFile(join(folder.clipsDir, file), Buffer.concat(parts));
  await saveRow(folder, plan, { ...footage, durationMs: footage.toMs - footage.fromMs, file });
  return { ...plan, path: join(folder.clipsDir, file), footage };
}

/** Asserts that the file shows each picture of the range once, in order, at its time, and no other. */
export async function judge(path: string, window: { fromMs: number; toMs: number }, frame = frameMs): Promise<void> {
  const stamps = await stampsIn(path);
  const first = stamps[0];
  const last = stamps.at(-1);
  assert.ok(first !== undefined && last !== undefined);
  assert.ok(Math.abs(first.shownMs - window.fromMs) <= frame, `begins ${first.shownMs - window.fromMs} ms off`);
  assert.ok(Math.abs(last.shownMs + frame - window.toMs) <= frame, `ends ${last.shownMs + frame - window.toMs} ms off`);
  for (const [i, { atMs, shownMs }] of stamps.entries()) {
    const stepMs = shownMs - (stamps[i - 1]?.shownMs ?? shownMs - frame);
    assert.ok(stepMs > 0 && stepMs < 2 * frame, `picture ${i} comes ${stepMs} ms behind the one before it`);
    const offMs = atMs - (shownMs - window.fromMs);
    assert.ok(Math.abs(offMs) <= frame, `picture ${i} is shown ${offMs} ms off`);
  }
}

export async function openTrim() {
  const folder = await openClipsFolder();
  const { storage, store, files, clipsDir: dir } = folder;
  const world = {
    quotaBytes: 1e12,
    growing: new Set<string>(),
    pictures: [] as string[],
    program: pathOf("ffmpeg"),
    nowMs: beganMs + 60_000,
  };
  const ffmpeg = async () => ({ path: world.program, hasFpsMode: true });
  const limits = {
    quotaBytes: () => world.quotaBytes,
    now: () => world.nowMs,
    neededClips: async () => new Set<string>(),
  };
  const library = createClipLibrary({ dir, store, files, write: storage.write, onChanged() {}, ...limits });
  const needs = {
    store,
    files,
    library,
    ffmpeg,
    writeOnce: storage.write,
    write: storage.write,
    ...limits,
    isGrowing: (id: string) => world.growing.has(id),
    pictures: {
      requestPoster: (id: string) => void world.pictures.push(`poster ${id}`),
      requestPreview: (id: string) => void world.pictures.push(`preview ${id}`),
    },
    onChanged() {},
    onFailure: (what: string, error: unknown) => assert.fail(`${what}: ${error}`),
  };
  const created: Trimmer[] = [];
  const create = (changes: Partial<typeof needs> = {}) => {
    const trimmer = createTrimmer({ ...needs, ...changes });
    created.push(trimmer);
    return trimmer;
  };
  return {
    folder,
    world,
    library,
    create,
    trim: create(),
    recover: () =>
      recoverClips({ dir, store, files, write: storage.write, receiptStatements: () => assert.fail("a receipt") }),
    settled: (id: string) => settledClip(library, id),
    async [Symbol.asyncDispose]() {
      for (const trimmer of created) await trimmer.stop();
      // Cleanups run one at a time, so this one ends after all others.
      await library.enforceLimits();
      await folder[Symbol.asyncDispose]();
    },
  };
}
