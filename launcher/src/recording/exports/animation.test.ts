// Tests of animations of pictures that do not move, with the real ffmpeg.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { makeVideo } from "../../../test/recording/clips-folder.ts";
import { encodeAnimation } from "./animation.ts";

test("a clip whose picture does not move becomes a WebP of one picture", { skip: skipWithout("ffmpeg") }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "kit-still-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [source, part, log] = ["source.mp4", "part", "log"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await makeVideo(source, 2, "color=red:s=320x180:r=30");
  const request = { format: "webp", range: { fromSeconds: 0, seconds: 2 }, crop: undefined } as const;
  const options = { ffmpeg: { path: pathOf("ffmpeg") }, signal: new AbortController().signal, onProgress: () => {} };
  const shape = { width: 320, height: 180, frameRate: 30 };
  const made = await encodeAnimation(
    shape,
    request,
    { bytesMax: 1_000_000 } as never,
    { source, part, log },
    options as never,
  );
  assert.deepEqual([made.width, made.height, made.seconds], [320, 180, 0]);
});
