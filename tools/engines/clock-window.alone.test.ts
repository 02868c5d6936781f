// Tests of the clock window: the time decoded from a captured frame is the time at which it was on the screen.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { cellCount, decodeClock, encodeClock } from "./clock-code.ts";
import { readClock } from "./clock-reader.ts";
import { openClockWindow } from "./clock-window.ts";
import { openDisplay } from "./display.ts";
import { pathOf, skipWithout } from "./locate.ts";

const skip = skipWithout("Xvfb", "ffmpeg");
const seconds = 3;

async function ffmpeg(...words: string[]): Promise<void> {
  const child = spawn(pathOf("ffmpeg"), ["-nostdin", "-v", "error", "-y", ...words], { stdio: "inherit" });
  assert.deepEqual(await once(child, "close"), [0, null]);
}

const capture = (display: string, file: string) =>
  ffmpeg(
    ...["-f", "x11grab", "-framerate", "30", "-video_size", "1280x720", "-i", display, "-copyts"],
    ...["-vf", "scale=854:480:flags=fast_bilinear,format=yuv420p", "-fps_mode", "passthrough"],
    ...["-enc_time_base", "1:90000", "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency"],
    ...["-frames:v", String(seconds * 30), file],
  );

test("an encoded moment is decoded, and cells of one colour or with one wrong cell are not", () => {
  const moment = { clockMs: 1_795_293_364_334, frame: 201 };
  const cells = encodeClock(moment);
  assert.equal(cells.length, cellCount);
  assert.deepEqual(decodeClock(cells), moment);
  for (let wrong = 0; wrong < cellCount; wrong += 1) {
    assert.equal(decodeClock(cells.with(wrong, !cells[wrong])), undefined, `cell ${wrong}`);
  }
  for (const colour of [false, true]) assert.equal(decodeClock(Array(cellCount).fill(colour)), undefined);
});

test("each captured frame, scaled down and compressed, contains the time at which it was on the screen", {
  skip,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kit-clock-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const display = await openDisplay("1280x720");
  t.onTestFinished(display.close);
  const window = await openClockWindow({ display: display.name });
  t.onTestFinished(window.close);
  const file = join(folder, "captured.mkv");
  await capture(display.name, file);

  const painted = await window.takeFrames();
  const read = await readClock(file);
  assert.equal(read.length, seconds * 30);
  const shown = new Map(painted.map((frame, place) => [frame.clockMs, place]));
  for (const [index, { ok, clockMs, ptsMs }] of read.entries()) {
    assert.ok(ok, `the frame at ${ptsMs} cannot be read`);
    const place = shown.get(clockMs);
    assert.notEqual(place, undefined, `${clockMs} was never painted`);
    // ffmpeg reads the time before it copies the screen, so the copy is older than the next frame's time. 1 ms for rounding.
    const copiedMs = read[index + 1]?.ptsMs ?? Number.POSITIVE_INFINITY;
    const hiddenMs = painted[(place ?? 0) + 1]?.shownMs ?? Number.POSITIVE_INFINITY;
    assert.ok(
      clockMs <= copiedMs + 1 && ptsMs <= hiddenMs + 1,
      `on the screen from ${clockMs} to ${hiddenMs}, copied between ${ptsMs} and ${copiedMs}`,
    );
  }
  assert.ok(painted.length > seconds * 20, `${painted.length} frames painted in ${seconds} s`);
});

test("a picture without the clock decodes to no moment", { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kit-clock-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "other.mkv");
  await ffmpeg("-f", "lavfi", "-i", "testsrc2=size=640x360:rate=10:duration=1", "-c:v", "libx264", file);
  const read = await readClock(file);
  assert.equal(read.length, 10);
  assert.ok(read.every(({ ok }) => !ok));
  await assert.rejects(readClock(join(folder, "absent.mkv")), /cannot read/);
});
