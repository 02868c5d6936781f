// Tests of clip files with the newest ffmpeg, which reads and writes some things differently from an older one.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { type ClipsFolder, makeVideo, openClipsFolder } from "../../../test/recording/clips-folder.ts";
import { ClipFiles } from "./clip-files.ts";
import { probeVideo } from "./verify.ts";

const skip = skipWithout("ffmpeg", "newest ffmpeg");

let folder: ClipsFolder;
beforeAll(async () => {
  if (!skip) folder = await openClipsFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());

test("the newest ffmpeg reads the same in a GIF as an older one", {
  skip,
}, async () => {
  const path = join(folder.clipsDir, "moving.gif");
  const picture = ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=10", "-t", "1"];
  execFileSync(pathOf("ffmpeg"), ["-v", "error", ...picture, "-y", path]);
  const [newest, older] = await Promise.all(
    (["newest ffmpeg", "ffmpeg"] as const).map((name) => probeVideo({ path: pathOf(name) }, path, "gif")),
  );
  assert.deepEqual(newest, older);
  assert.equal(newest?.frames, 10);
});

test("beyond the end of a clip, the newest ffmpeg makes a poster of the first frame", {
  skip,
}, async () => {
  await makeVideo(join(folder.clipsDir, "short.mp4"), 2);
  const files = new ClipFiles({ dir: folder.clipsDir, ffmpeg: async () => ({ path: pathOf("newest ffmpeg") }) });
  await files.makePoster("short", "short.mp4", 60_000);
  assert.ok(existsSync(files.picturePath("short", "thumbnail")));
});
