// Tests of parts of clips for posts, with the real ffmpeg: the exact frames, made once, and never a damaged file.
import assert from "node:assert/strict";
import { readdir, readFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import { clipIn, judge, openTrim } from "../trim/test/trim-rig.ts";
import { createClipParts } from "./clip-parts.ts";

const skip = skipWithout("ffmpeg");
let rig: Awaited<ReturnType<typeof openTrim>>;
beforeAll(async () => {
  if (!skip) rig = await openTrim();
});
afterAll(() => rig?.[Symbol.asyncDispose]());

const { signal } = new AbortController();
const partsOf = (name: string) => {
  const { folder, library, world } = rig;
  const dir = join(folder.clipsDir, name);
  const ffmpeg = async () => ({ path: world.program, hasFpsMode: true });
  return { dir, ...createClipParts({ dir, ffmpeg, store: folder.store, library }) };
};

test("a part of a clip shows its seconds exactly to the frame, without another encoding", { skip }, async () => {
  const { video } = partsOf("exact");
  const whole = await clipIn(rig.folder);
  const part = await video(whole.id, { fromSeconds: 2.5, toSeconds: 6 }, signal);
  await judge(part.path, { fromMs: whole.fromMs + 2_500, toMs: whole.fromMs + 6_000 });
  assert.ok(Math.abs(part.seconds - 3.5) <= 0.04, `${part.seconds} s`);
  const again = await stat(whole.path);
  assert.ok(part.bytes < again.size);
});

test("a part is made once, also if it is requested twice at a time, and again if its file is damaged", {
  skip,
}, async () => {
  const { dir, video } = partsOf("once");
  const { id } = await clipIn(rig.folder);
  const range = { fromSeconds: 1, toSeconds: 3 };
  const [one, other] = await Promise.all([video(id, range, signal), video(id, range, signal)]);
  const { mtimeMs, ino, size } = await stat(one.path);
  assert.deepEqual([other.path, await readdir(dir)], [one.path, [one.path.slice(dir.length + 1)]]);
  assert.equal((await video(id, range, signal)).bytes, size);
  assert.equal((await stat(one.path)).ino, ino, "it is the same file");
  await truncate(one.path, Math.floor(size / 2));
  assert.equal((await video(id, range, signal)).bytes, size);
  assert.ok((await stat(one.path)).mtimeMs >= mtimeMs);
});

test("a launcher that was killed while it cut leaves nothing that is taken for the part", { skip }, async () => {
  const { dir, video } = partsOf("killed");
  const { id } = await clipIn(rig.folder);
  const range = { fromSeconds: 1, toSeconds: 3 };
  const aborted = new AbortController();
  aborted.abort(new Error("killed"));
  await assert.rejects(video(id, range, aborted.signal), /killed/);
  assert.deepEqual(await readdir(dir), []);
  assert.ok((await video(id, range, signal)).bytes > 0);
});

test("the picture of a second of the clip is a JPEG, and the last second has one too", { skip }, async () => {
  const { picture } = partsOf("pictures");
  const { id } = await clipIn(rig.folder);
  for (const second of [2, 8]) {
    const path = await picture(id, second, signal);
    assert.equal((await readFile(path)).subarray(0, 3).toString("hex"), "ffd8ff");
    assert.equal(await picture(id, second, signal), path);
  }
});
