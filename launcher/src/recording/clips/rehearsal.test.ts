// Tests of rehearsals: a clip is verified faster if a shorter version was verified before its end, and as thoroughly.
import assert from "node:assert/strict";
import { open, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import {
  beganMs,
  type ClipsFolder,
  makeVideo,
  openClipsFolder,
  planWith,
} from "../../../test/recording/clips-folder.ts";
import { assembleMovie } from "../mp4/assemble.ts";
import type { Fragment } from "../mp4/fragment.ts";
import { fragmentsOf, record } from "../mp4/test/stamped-footage.ts";
import { planOf } from "../plans/test/plan-of.ts";
import { readMovie } from "../trim/copy-trim.ts";
import { probeVideo, type Rehearsal, VerifyFailed, type VideoFacts, verifyMerge, verifyRest } from "./verify.ts";

const naming = { atMs: beganMs, game: "saga", event: "saga_boss" };

describe("a rehearsed clip", { skip: skipWithout("ffmpeg") }, () => {
  const ffmpeg = { path: pathOf("ffmpeg") };
  let folder: ClipsFolder;
  let footage: Fragment[];
  let rehearsal: Rehearsal | undefined;

  beforeAll(async () => {
    folder = await openClipsFolder(() => ffmpeg.path);
    footage = fragmentsOf(await record({ startMs: beganMs, seconds: 10 }));
    rehearsal = await folder.files.rehearse((await cut("rehearsal", 500, 6_700)).path);
  });
  afterAll(() => folder?.[Symbol.asyncDispose]());

  async function cut(name: string, fromMs: number, toMs: number, fragments = footage) {
    const path = join(folder.dir.path, `${name}.mp4`);
    const { parts, footage: made } = assembleMovie(fragments, planOf(beganMs + fromMs, beganMs + toMs));
    await writeFile(path, Buffer.concat(parts));
    return { path, made };
  }
  const save = async ({ path, made }: Awaited<ReturnType<typeof cut>>) =>
    folder.files.saveVideo(planWith().id, path, made, naming, { rehearsal });

  /** Overwrites the middle of a keyframe. */
  async function damage(path: string, index: number): Promise<void> {
    await using file = await open(path, "r+");
    const keyframes = (await readMovie(file)).video.filter(({ sync }) => sync);
    const { at = 0, bytes = 0 } = keyframes.at(index) ?? {};
    await file.write(Buffer.alloc(Math.floor(bytes / 2)), 0, undefined, at + Math.floor(bytes / 4));
  }

  test("a rehearsed clip gets the same values as in a full verification, also with sound", async () => {
    const { path } = await cut("whole", 500, 8_000);
    assert.ok(rehearsal !== undefined);
    const { durationMs, frames, width, height, isBlack } = await probeVideo(ffmpeg, path);
    assert.deepEqual(await verifyRest(ffmpeg, path, rehearsal), { durationMs, frames, width, height, isBlack });
    const sounding = fragmentsOf(await record({ startMs: beganMs, seconds: 10, sound: true }));
    const before = await folder.files.rehearse((await cut("sound", 500, 6_700, sounding)).path);
    const after = await cut("sound", 500, 8_000, sounding);
    assert.ok(before !== undefined);
    assert.equal((await verifyRest(ffmpeg, after.path, before))?.frames, after.made.frames);
  });

  test("a clip is not saved if a keyframe is damaged, whether it was rehearsed or not", async () => {
    for (const index of [1, -1]) {
      const made = await cut("damaged", 500, 8_000);
      await damage(made.path, index);
      await assert.rejects(save(made), VerifyFailed, `keyframe ${index}`);
    }
  });

  test("a clip is verified as a whole if it differs from its rehearsal", async () => {
    assert.ok(rehearsal !== undefined);
    const earlier = await cut("earlier", 0, 8_000);
    assert.equal(await verifyRest(ffmpeg, earlier.path, rehearsal), undefined);
    assert.equal((await save(earlier)).frames, earlier.made.frames);
  });

  test("a file joined from verified parts gets the same values as in a full verification", async () => {
    const { path } = await cut("joined", 500, 8_000);
    const { durationMs, frames, width, height, isBlack } = await probeVideo(ffmpeg, path);
    const { decoded: _, ...merged } = (await verifyMerge(ffmpeg, path, [0.5, 2.5, 6.5])) as VideoFacts & { decoded: 0 };
    assert.deepEqual(merged, { durationMs, frames, width, height, isBlack });
  });

  test("a joined file is not saved if one of these keyframes is damaged, or its end is missing", async () => {
    const damaged = await cut("joined-damaged", 500, 8_000);
    await damage(damaged.path, 2);
    const known = { keyframes: [0.5, 1.5] };
    const save = ({ path, made }: typeof damaged) => folder.files.saveVideo(planWith().id, path, made, naming, known);
    await assert.rejects(save(damaged), VerifyFailed);
    const short = await cut("joined-short", 500, 8_000);
    await truncate(short.path, 20_000);
    await assert.rejects(save(short), VerifyFailed);
  });

  test("a clip is verified as a whole if the rehearsal was black, because the rest may not be", async () => {
    const black = join(folder.dir.path, "black.mp4");
    await makeVideo(black, 2, "color=black");
    assert.equal(await folder.files.rehearse(black), undefined);
  });
});
