// Tests of the capture commands with every installed ffmpeg: epoch times, a keyframe every second, short fragments.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import type { Writable } from "node:stream";
import { afterAll, beforeAll, test } from "vitest";
import { openClockWindow } from "../../../../../tools/engines/clock-window.ts";
import { openDisplay } from "../../../../../tools/engines/display.ts";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import type { Ffmpeg } from "../../ffmpeg/find.ts";
import { extraPipes, readableStderr, runFfmpeg, startFfmpeg } from "../../ffmpeg/run.ts";
import { createBoxSplitter } from "../../mp4/boxes.ts";
import { type Fragment, type InitSegment, readFragment, readInitSegment } from "../../mp4/fragment.ts";
import { frameAt, frameBytes } from "../sound/mixer.ts";
import { type CaptureSpec, captureArgs, countSoundPipes, withSoundStart } from "./commands.ts";
import { builds } from "./test/builds.ts";

const footageMs = 1_700;
const order: Omit<CaptureSpec, "input" | "hasFpsMode"> = {
  inputSize: { width: 640, height: 360 },
  heightMax: 180,
  frameRate: 30,
  quality: "low",
  sound: null,
  encoder: { name: "libx264", preset: "ultrafast", device: null },
};

type Arrived = Fragment & { readonly arrivedMs: number };
const hasPicture = ({ video }: Fragment) => video.length > 0;

/** Writes silence at the pace of the clock, a little late, as the sound of a game comes. */
function feedSilence(pipes: readonly Writable[], fromMs: number): NodeJS.Timeout {
  for (const pipe of pipes) pipe.on("error", () => undefined);
  let fed = 0;
  return setInterval(() => {
    const frames = Math.max(0, frameAt(Date.now() - fromMs - 90) - fed);
    for (const pipe of pipes) pipe.write(Buffer.alloc(frames * frameBytes));
    fed += frames;
  }, 30);
}

/** Runs a command until there is enough output. Throws ffmpeg's messages if it ends before. */
async function footageOf(
  ffmpeg: Ffmpeg,
  args: readonly string[],
): Promise<{ init: InitSegment; fragments: Arrived[] }> {
  const fragments: Arrived[] = [];
  let init: InitSegment | undefined;
  let moof: Uint8Array | undefined;
  let stderr = "";
  const pipes = countSoundPipes(args);
  const fromMs = Date.now();
  const child = startFfmpeg(ffmpeg, withSoundStart(args, String(fromMs / 1_000)), { pipes });
  const feeding = feedSilence(extraPipes(child), fromMs);
  const onBox = (type: string, bytes: Uint8Array) => {
    if (type === "moov") init = readInitSegment(bytes);
    if (type === "moof") moof = bytes;
    if (type !== "mdat") return;
    assert.ok(init && moof, "a fragment arrived before its description");
    fragments.push({ ...readFragment(init, moof, bytes), arrivedMs: Date.now() });
  };
  const splitter = createBoxSplitter({ onBox, boxBytesMax: 8_000_000 });
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdout?.on("data", (chunk: Buffer) => {
    splitter.push(chunk);
    const [first, last] = [fragments.find(hasPicture), fragments.findLast(hasPicture)];
    if ((last?.endMs ?? 0) - (first?.startMs ?? 0) >= footageMs) child.kill("SIGKILL");
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
  await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  clearInterval(feeding);
  assert.ok(init && fragments.length > 0, `no footage arrived: ${readableStderr(stderr)}`);
  return { init, fragments };
}

function assertFitForABuffer({ init, fragments }: { init: InitSegment; fragments: Arrived[] }): void {
  assert.deepEqual([init.width, init.height], [320, 180]);
  assert.equal(init.video.timescale, 90_000);
  assert.ok(fragments[0]?.startsWithKeyframe, "the footage begins with a keyframe");
  const { endMs = 0, arrivedMs = 0 } = fragments.at(-1) ?? {};
  // Wide limits for a busy machine, but narrow enough to detect wrong hours and time zones.
  assert.ok(Math.abs(arrivedMs - endMs) < 2_000, `its last frame ended ${arrivedMs - endMs} ms before it arrived`);
  const frames = fragments.flatMap(({ video }) => video);
  const keysMs = frames.filter(({ sync }) => sync).map(({ presentTicks: showTicks }) => showTicks / 90);
  const gapsMs = keysMs.slice(1).map((time, index) => time - (keysMs[index] ?? 0));
  assert.ok(gapsMs.length >= 1, "there is more than one keyframe");
  assert.ok(
    gapsMs.every((gap) => gap > 950 && gap < 2_000),
    `keyframes ${gapsMs.map(Math.round).join(", ")} ms apart`,
  );
  const longestMs = Math.max(...fragments.map((fragment) => fragment.endMs - fragment.startMs));
  assert.ok(longestMs < 1_000, `a fragment of ${longestMs} ms`);
  assert.ok(
    frames.every(({ presentTicks: showTicks, decodeTicks }) => showTicks === decodeTicks),
    "no frame is delayed by another",
  );
}

const skipX = skipWithout("Xvfb");
const closing: (() => Promise<void>)[] = [];
let display = "";
beforeAll(async () => {
  if (skipX) return;
  const opened = await openDisplay("640x360");
  display = opened.name;
  const clock = await openClockWindow({ display, width: 640, height: 360, framesPerSecond: 30 });
  closing.push(clock.close, opened.close);
});
afterAll(async () => {
  for (const close of closing) await close();
});

for (const build of builds) {
  test(`${build.name} captures an X screen in the form that the replay buffer needs`, {
    skip: build.skip,
  }, async () => {
    const ffmpeg = await build.find();
    const input = { kind: "x11-screen", display, x: 0, y: 0 } as const;
    assertFitForABuffer(await footageOf(ffmpeg, captureArgs({ ...order, input, hasFpsMode: ffmpeg.hasFpsMode })));
  });

  test(`${build.name} keeps two tracks of live sound in time with the picture`, { skip: build.skip }, async () => {
    const ffmpeg = await build.find();
    const input = { kind: "x11-screen", display, x: 0, y: 0 } as const;
    const fed = { ...order, input, sound: { kind: "pipe", device: "pulse" }, microphone: true } as const;
    const footage = await footageOf(ffmpeg, captureArgs({ ...fed, hasFpsMode: ffmpeg.hasFpsMode }));
    const fragments = footage.fragments.filter(hasPicture);
    assertFitForABuffer({ ...footage, fragments });
    const endMs = fragments.at(-1)?.endMs ?? 0;
    for (const track of [0, 1]) {
      const { timescale } = footage.init.sounds[track] ?? assert.fail("no such track");
      const last = footage.fragments.flatMap(({ sounds }) => sounds[track] ?? []).at(-1);
      const behindMs = endMs - ((last?.presentTicks ?? 0) * 1_000) / timescale;
      // The sound comes a tenth of a second late. A busy machine delays both.
      assert.ok(Math.abs(behindMs) < 1_000, `track ${track} is ${behindMs} ms behind the picture`);
    }
  });

  // The capture filters of Windows do not exist on other systems; the rest of the command is the same.
  test(`${build.name} gives the frames of a filter source wall clock times`, { skip: build.skip }, async () => {
    const ffmpeg = await build.find();
    const args = captureArgs({ ...order, input: { kind: "ddagrab" }, inputSize: null, hasFpsMode: ffmpeg.hasFpsMode });
    const synthetic = args.map((word) =>
      word.replace(/^ddagrab=[^,]*/, "testsrc2=s=640x360:r=30,realtime").replace("hwdownload,", ""),
    );
    assert.notDeepEqual(synthetic, args);
    assertFitForABuffer(await footageOf(ffmpeg, synthetic));
  });

  // Desktop Duplication and Windows.Graphics.Capture mark their frames as full-range RGB.
  test(`${build.name} makes ordinary 8-bit pictures of the frames of a graphics card`, {
    skip: build.skip || skipWithout("ffmpeg"),
  }, async () => {
    const ffmpeg = await build.find();
    const marked = "format=bgra,setparams=range=pc:color_primaries=bt709:color_trc=iec61966-2-1:colorspace=gbr";
    for (const input of [{ kind: "ddagrab" }, { kind: "gfxcapture", window: 42 }] as const) {
      const args = captureArgs({ ...order, input, inputSize: null, hasFpsMode: ffmpeg.hasFpsMode });
      const synthetic = args.map((word) =>
        word.replace(/^(ddagrab|gfxcapture)=[^,]*/, `testsrc2=s=640x360:r=30:d=1,${marked}`).replace("hwdownload,", ""),
      );
      const { stdout } = await runFfmpeg(ffmpeg, synthetic, { outBytesMax: 8_000_000, timeoutMs: 30_000 });
      const { stderr } = spawnSync(pathOf("ffmpeg"), ["-hide_banner", "-i", "pipe:0"], { input: stdout });
      assert.match(String(stderr), /Video: h264 .*, yuv420p(\(tv[^)]*\)|\(progressive\))?, 320x180/, input.kind);
      assert.doesNotMatch(String(stderr), /gbr|yuvj/);
    }
  });
}
