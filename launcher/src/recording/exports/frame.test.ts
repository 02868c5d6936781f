// Tests of single pictures with the real ffmpeg: the exact frame of a video with uneven times, in full size.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clip, KitError } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { quickFfmpeg } from "../../../test/support/quick-ffmpeg.ts";
import { createFrames } from "./frame.ts";

const skip = skipWithout("ffmpeg");
let folder: string;
let path: string;

/** The frames that the video has, of 30 a second. The brightness of a frame is its index in this list. */
const kept = [0, 1, 2, 10, 11, ...Array.from({ length: 21 }, (_, index) => 40 + index)];

beforeAll(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), "kit-frame-"));
  path = join(folder, "uneven.mp4");
  const select = "select='lt(n,3)+between(n,10,11)+between(n,40,60)'";
  const source = `color=black:s=4x4:r=30:d=2.1,${select},format=yuv420p,geq=lum='16+8*N':cb=128:cr=128,scale=1366:768:flags=neighbor`;
  const encode = ["-fps_mode", "passthrough", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-g", "12"];
  execFileSync(pathOf("ffmpeg"), ["-v", "error", "-nostdin", "-f", "lavfi", "-i", source, ...encode, path]);
});
afterAll(async () => {
  if (!skip) await rm(folder, { recursive: true, force: true });
});

const read = (members: Partial<Clip> = {}, file = path) =>
  createFrames({
    ffmpeg: async () => ({ path: pathOf("ffmpeg") }),
    library: {
      get: async () => ({ kind: "clip", state: "saved", duration: 2.1, ...members }) as Clip,
      mediaFile: async () => ({ path: file, type: "video/mp4", downloadName: "2026-05-03 saga boss.mp4" }),
    },
  });

/** The number of the frame in a PNG, and its size. */
function frameIn(png: Buffer): { number: number | undefined; width: number; height: number } {
  const gray = ["-frames:v", "1", "-vf", "format=rgb24,scale=1:1:flags=area", "-f", "rawvideo", "pipe:1"];
  const [red = 0, green = 0, blue = 0] = execFileSync(
    quickFfmpeg(),
    ["-v", "error", "-f", "png_pipe", "-i", "pipe:0", ...gray],
    {
      input: png,
    },
  );
  return {
    number: kept[Math.round(((red + green + blue) / 3) * (219 / 255 / 8))],
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
  };
}

test("the saved picture is the frame that a player shows at that time, in full size", { skip }, async () => {
  for (const at of [0, 0.05, 0.2, 0.34, 0.36, 0.9, 1.333, 1.334, 1.5, 99]) {
    const { png } = await read()("a", at);
    const shown = kept.findLast((number) => number / 30 <= at + 0.0005);
    assert.deepEqual(frameIn(png), { number: shown, width: 1366, height: 768 }, `at ${at} s`);
  }
});

test("the file name says the clip and the time", { skip }, async () => {
  assert.equal((await read()("a", 1.5)).saveAs, "2026-05-03 saga boss at 1_50.png");
});

const refused = (code: string, says: RegExp) => (error: unknown) =>
  error instanceof KitError && error.code === code && says.test(error.message);

test("a screenshot, a clip without a file and a damaged file are refused with one sentence", { skip }, async () => {
  await assert.rejects(read({ kind: "screenshot" })("a", 0), refused("payload_invalid", /Only a saved video/));
  await assert.rejects(read({ state: "pending" })("a", 0), refused("payload_invalid", /Only a saved video/));
  const broken = join(folder, "broken.mp4");
  await writeFile(broken, "no video");
  await assert.rejects(read({}, broken)("a", 0), refused("payload_invalid", /^The picture could not be read: /));
  await rm(broken);
  const gone = createFrames({
    ffmpeg: async () => undefined,
    library: { get: async () => ({ kind: "clip", state: "saved" }) as Clip, mediaFile: async () => undefined },
  });
  await assert.rejects(gone("a", 0), refused("not_found", /no longer in the clips folder/));
});
