// Tests of export presets with the real ffmpeg: format, size, picture, length, and what happens if something goes wrong meanwhile.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Clip, ClipExport, exportPresets, KitError, textOf, uprightPart } from "@kit/contract";
import { chromium } from "playwright-core";
import { Value } from "typebox/value";
import { afterAll, beforeAll, test } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { makeVideo } from "../../../test/recording/clips-folder.ts";
import { fill, notMounted, smallDisk } from "../../../test/support/small-disk.ts";
import { patienceMs } from "../../../test/support/until.ts";
import { parseWebp } from "./animation.ts";
import { createExports } from "./exports.ts";
import { MediaFitter } from "./media-fitter.ts";

const skip = skipWithout("ffmpeg");
const seconds = 4;
/** Red, green and blue beside each other; everything white from the third second on. */
const bands = [
  "color=red:s=640x360:r=30",
  "drawbox=x=213:w=213:h=360:c=lime:t=fill",
  "drawbox=x=426:w=214:h=360:c=blue:t=fill",
  "drawbox=w=640:h=360:c=white:t=fill:enable='gte(t,2)'",
].join(",");
const noise = "testsrc2=s=1280x720:r=30,noise=alls=30:allf=t";
/** Enough of the noise where its length does not matter: it takes long to encode. */
const brief = { fromSeconds: 0, toSeconds: 2 };
let root: string;
let clips: Record<"bands" | "noise", Clip>;

beforeAll(async () => {
  if (skip) return;
  root = await mkdtemp(join(tmpdir(), "kit-presets-"));
  const clipOf = async (name: string, width: number, height: number) => {
    const path = join(root, `${name}.mp4`);
    await makeVideo(path, seconds, name === "bands" ? bands : noise);
    const { size: bytes } = await stat(path);
    const about = { id: `0190-${name}`, kind: "clip", state: "saved", deletedAt: null, missing: false };
    return { ...about, path, bytes, duration: seconds, width, height } as Clip;
  };
  clips = { bands: await clipOf("bands", 640, 360), noise: await clipOf("noise", 1280, 720) };
});
afterAll(async () => {
  if (!skip) await rm(root, { recursive: true, force: true });
});

function open({ dir = join(root, "fitted"), program = pathOf("ffmpeg") } = {}) {
  const fitter = new MediaFitter({ dir, ffmpeg: async () => ({ path: program, hasFpsMode: true }) });
  const find = (id: string) =>
    Object.values(clips).find((clip) => clip.id === id) ?? assert.fail(`there is no clip ${id}`);
  const exports = createExports({
    library: {
      get: async (id) => find(id),
      mediaFile: async (id) => ({ path: String(find(id).path), type: "video/mp4", downloadName: `${id}.mp4` }),
    },
    makeCopy: fitter.makeCopy,
    now: Date.now,
    onChanged: () => undefined,
  });
  /** Resolves when the export has ended. Every state must match the contract. */
  const ended = async (id: string, onState: (copy: ClipExport) => unknown = () => undefined): Promise<ClipExport> => {
    const endsMs = performance.now() + patienceMs;
    for (;;) {
      const copy = (await exports.list()).find((one) => one.id === id);
      assert.ok(copy !== undefined && Value.Check(ClipExport, copy), JSON.stringify(copy));
      await onState(copy);
      if (copy.state === "ready" || copy.state === "failed") return copy;
      assert.ok(performance.now() < endsMs, JSON.stringify(copy));
      await pause(5);
    }
  };
  const make = async (request: Parameters<typeof exports.export>[0]) => {
    const copy = await ended((await exports.export(request)).id);
    assert.equal(copy.state, "ready", textOf(copy.reason ?? ""));
    return { copy, ...(await exports.file(copy.id)) };
  };
  return { exports, ended, make, dir, stop: () => fitter.stop() };
}

/** Size and length of a file, as ffprobe reads it. */
function probe(path: string) {
  const entries = "stream=width,height,r_frame_rate:format=duration,format_name";
  const said = execFileSync("ffprobe", ["-v", "error", "-of", "json", "-show_entries", entries, path], {
    encoding: "utf8",
  });
  const { streams, format } = JSON.parse(said);
  const { width, height } = streams[0];
  return { width, height, seconds: Number(format.duration), format: format.format_name as string };
}

/** The average colour of a frame, as `red`, `lime`, `blue` or `white`. */
function colourAt(path: string, at: number): string {
  const output = ["-frames:v", "1", "-vf", "scale=1:1:flags=area", "-pix_fmt", "rgb24", "-f", "rawvideo", "pipe:1"];
  const rgb = execFileSync(pathOf("ffmpeg"), ["-v", "error", "-i", path, "-ss", String(at), ...output]);
  const key = [...rgb.subarray(0, 3)].map((value) => (value > 190 ? "1" : value < 65 ? "0" : "?")).join("");
  return { "100": "red", "010": "lime", "001": "blue", "111": "white" }[key] ?? [...rgb].join();
}

test("an upright copy is 9:16 in full height, shows the chosen part, and keeps its position", { skip }, async () => {
  const { make } = open();
  for (const [position, colour] of [
    [0, "red"],
    [0.5, "lime"],
    [1, "blue"],
  ] as const) {
    const { copy, path, saveAs } = await make({ clip: clips.bands.id, preset: "vertical", crop: { position } });
    assert.deepEqual([copy.crop, copy.format, copy.notes], [{ position }, "mp4", []]);
    const { width, height, seconds: length } = probe(path);
    assert.deepEqual([width, height, colourAt(path, 0.5)], [202, 360, colour]);
    assert.ok(Math.abs(length - seconds) < 0.1, `${length} s`);
    assert.equal(saveAs, "0190-bands vertical.mp4");
  }
  const { copy } = await make({ clip: clips.bands.id, preset: "vertical" });
  assert.deepEqual(copy.crop, { position: 0.5 }, "without a position it is the middle");
});

test("a part of a clip is exported to the frame, and any preset can be upright", { skip }, async () => {
  const { make } = open();
  const range = { fromSeconds: 1.5, toSeconds: 3 };
  const { copy, path } = await make({ clip: clips.bands.id, preset: "discord", range, crop: { position: 1 } });
  const { width, height, seconds: length } = probe(path);
  assert.deepEqual([copy.range, width, height], [range, 202, 360]);
  assert.ok(Math.abs(length - 1.5) < 0.05, `${length} s`);
  assert.deepEqual([colourAt(path, 0.4), colourAt(path, 0.6)], ["blue", "white"]);
  assert.ok(copy.bytes <= exportPresets.discord.bytesMax);
});

test("a GIF keeps its limits of size, side and frame rate, shows the part, and tells the time that is left", {
  skip,
}, async () => {
  const { exports, ended, make } = open();
  const { copy, path, type } = await make({
    clip: clips.bands.id,
    preset: "gif",
    range: { fromSeconds: 0.5, toSeconds: 3.5 },
  });
  const gif = probe(path);
  assert.deepEqual([gif.format, gif.width, gif.height, type], ["gif", 480, 270, "image/gif"]);
  assert.ok(Math.abs(gif.seconds - 3) < 0.2, `${gif.seconds} s`);
  assert.deepEqual([colourAt(path, 2.5), copy.fileName], ["white", "0190-bands.gif"]);
  assert.match(textOf(copy.notes[0] ?? ""), /480×270 instead of 640×360/);
  const left: number[] = [];
  const { id } = await exports.export({ clip: clips.noise.id, preset: "gif", range: brief, bytesMax: 1_000_000 });
  const small = await ended(id, ({ secondsLeft }) => secondsLeft !== null && left.push(secondsLeft));
  assert.equal(small.state, "ready", textOf(small.reason ?? ""));
  assert.ok(small.bytes <= 1_000_000 && left.length > 0, `${small.bytes} bytes, ${left}`);
  assert.ok(probe((await exports.file(id)).path).width < 480, "it was made smaller to fit");
});

test("an animated WebP is whole, and a browser shows it", { skip: skip || skipWithout("Chromium") }, async () => {
  const { make } = open();
  const { copy, path, type } = await make({ clip: clips.bands.id, preset: "webp", crop: { position: 0 } });
  const file = await readFile(path);
  const facts = parseWebp(file);
  assert.deepEqual([facts?.width, facts?.height, type, copy.fileName], [202, 360, "image/webp", "0190-bands.webp"]);
  assert.ok(Math.abs((facts?.seconds ?? 0) - seconds) < 0.2, JSON.stringify(facts));
  const moving = parseWebp(await readFile((await make({ clip: clips.noise.id, preset: "webp", range: brief })).path));
  assert.ok(moving?.width === 640 && Math.abs((moving.frameRate ?? 0) - 20) < 1, JSON.stringify(moving));
  assert.equal(parseWebp(file.subarray(0, -2)), undefined, "a file that was cut off is noticed");
  const browser = await chromium.launch({ executablePath: pathOf("Chromium") });
  try {
    const page = await browser.newPage();
    await page.setContent(`<img src="data:image/webp;base64,${file.toString("base64")}">`);
    const shown = await page.evaluate(`(async () => {
      const image = document.images[0];
      await image.decode();
      const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
      pen.drawImage(image, 0, 0, 1, 1);
      return [image.naturalWidth, image.naturalHeight, ...pen.getImageData(0, 0, 1, 1).data];
    })()`);
    const [width, height, red = 0, green = 0] = shown as number[];
    assert.ok(width === 202 && height === 360 && red > 200 && green < 60, String(shown));
  } finally {
    await browser.close();
  }
});

test("a long clip becomes a GIF of at most 15 s, and that is noted", { skip }, async () => {
  const path = join(root, "long.mp4");
  await makeVideo(path, 20, "testsrc2=s=160x90:r=10");
  const { size: bytes } = await stat(path);
  const { bands: before } = clips;
  clips = { ...clips, bands: { ...before, id: "0190-long", path, bytes, duration: 20, width: 160, height: 90 } };
  try {
    const { copy, path: made } = await open().make({ clip: "0190-long", preset: "gif" });
    assert.ok(Math.abs(probe(made).seconds - 15) < 0.4);
    assert.match(textOf(copy.notes[0] ?? ""), /^1[45]\.\d of 20\.0 s, at its end/);
  } finally {
    clips = { ...clips, bands: before };
  }
});

const refused = (says: RegExp) => (error: unknown) =>
  error instanceof KitError && error.code === "payload_invalid" && says.test(error.message);

test("a part outside the clip, and a part or a GIF of a screenshot, are refused", { skip }, async () => {
  const { exports } = open();
  const ask = (fromSeconds: number, toSeconds: number) =>
    exports.export({ clip: clips.bands.id, preset: "gif", range: { fromSeconds, toSeconds } });
  await assert.rejects(ask(1, 9), refused(/within the clip, which is 4\.00 s/));
  await assert.rejects(ask(3, 3.2), refused(/at least 0\.5 s/));
  clips.bands = { ...clips.bands, kind: "screenshot" };
  await assert.rejects(exports.export({ clip: clips.bands.id, preset: "gif" }), refused(/Only a video/));
  await assert.rejects(exports.export({ clip: clips.bands.id, preset: "vertical" }), refused(/Only a video/));
  clips.bands = { ...clips.bands, kind: "clip" };
});

test("an ffmpeg without an encoder is named with what it lacks", {
  skip: skip || cannot.startScripts,
}, async () => {
  const program = join(root, "ffmpeg-without");
  const real = pathOf("ffmpeg");
  await writeFile(
    program,
    `#!/bin/sh\ncase "$*" in *-encoders*|*-filters*) "${real}" "$@" | grep -v "libwebp_anim\\|palettegen" ;; *) exec "${real}" "$@" ;; esac\n`,
  );
  await chmod(program, 0o700);
  const { exports, ended } = open({ program, dir: join(root, "without") });
  for (const [preset, says] of [
    ["webp", /^This ffmpeg cannot make WEBP files: it lacks libwebp_anim\. Install a full build/],
    ["gif", /^This ffmpeg cannot make GIF files: it lacks palettegen\./],
  ] as const) {
    const { reason, state } = await ended((await exports.export({ clip: clips.bands.id, preset })).id);
    assert.deepEqual([state, says.test(textOf(reason ?? ""))], ["failed", true], textOf(reason ?? ""));
  }
});

test("a clip that is deleted while its export waits makes it fail with one sentence", { skip }, async () => {
  const path = join(root, "deleted.mp4");
  await copyFile(String(clips.bands.path), path);
  const { exports, ended } = open({ dir: join(root, "deleted") });
  const first = await exports.export({ clip: clips.noise.id, preset: "gif", range: brief });
  const { bands: before } = clips;
  clips = { ...clips, bands: { ...before, path } };
  const second = await exports.export({ clip: before.id, preset: "webp" });
  clips = { ...clips, bands: before };
  await rm(path);
  const { reason, state } = await ended(second.id);
  assert.deepEqual([state, textOf(reason ?? "")], ["failed", "The file is no longer in the clips folder."]);
  assert.equal((await ended(first.id)).state, "ready");
});

test("a disk that becomes full makes the export fail with one sentence, and leaves nothing", { skip }, async (t) => {
  using disk = smallDisk(40);
  if (disk === undefined) return t.skip(notMounted);
  const dir = join(disk.path, "fitted");
  await mkdir(dir);
  const { exports, ended } = open({ dir });
  const { id } = await exports.export({ clip: clips.noise.id, preset: "webp", bytesMax: 20_000_000 });
  let free: (() => void) | undefined;
  const { reason, state } = await ended(id, ({ progress }) => {
    if (progress > 0) free ??= fill(disk.path);
  });
  assert.equal(state, "failed");
  assert.match(textOf(reason ?? ""), /^The disk became full while the copy was made\. Free some space/);
  free?.();
  assert.deepEqual(await readdir(dir), []);
});

test("a launcher that stops in the middle of a GIF leaves nothing behind", { skip }, async () => {
  const { exports, dir, stop } = open({ dir: join(root, "stopped") });
  const { id } = await exports.export({ clip: clips.noise.id, preset: "gif" });
  const endsMs = performance.now() + patienceMs;
  while ((await exports.list()).find((one) => one.id === id)?.progress === 0) {
    assert.ok(performance.now() < endsMs);
    await pause(5);
  }
  await stop();
  assert.deepEqual(await readdir(dir), []);
});

test("an upright part has even sides inside the picture, also of an upright or odd picture", () => {
  for (const [width, height, position, expected] of [
    [1920, 1080, 0.5, { width: 608, height: 1080, x: 656, y: 0 }],
    [1080, 1920, 0.3, { width: 1080, height: 1920, x: 0, y: 0 }],
    [400, 1000, 1, { width: 400, height: 712, x: 0, y: 288 }],
  ] as const)
    assert.deepEqual(uprightPart({ width, height }, position), expected);
  for (const position of [0, 0.37, 1]) {
    const { width, height, x, y } = uprightPart({ width: 1365, height: 767 }, position);
    assert.ok(x % 2 === 0 && x + width <= 1365 && y + height <= 767);
  }
});
