// Tests the clock strip of the self-test on Windows: under Wine, on a virtual screen that ffmpeg for Linux records.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { repositoryRoot } from "../../check/findings.ts";
import { type ReadFrame, readClock } from "../../engines/clock-reader.ts";
import { openDisplay } from "../../engines/display.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { openWindows } from "../../engines/windows-computer.ts";

const patienceMs = 120_000;

test("the strip fills the width of the screen with a clock that goes on, as Windows draws it", {
  skip: skipWithout("Wine", "Node.js for Windows", "Xvfb", "ffmpeg"),
}, async (t) => {
  const display = await openDisplay("1366x768");
  const windows = openWindows();
  const file = join(tmpdir(), `kit-strip-${process.pid}.mkv`);
  t.after(async () => {
    windows.close();
    await display.close();
    rmSync(file, { force: true });
  });
  const strip = join(repositoryRoot, "launcher/src/selftest/clock/strip.ts");
  const script = `
    import { openStrip } from "file:///Z:${strip}";
    await openStrip({ display: "", x: 0, y: 0, width: 0 });
    setInterval(() => undefined, 60_000);`;
  writeFileSync(join(windows.drive, "strip.mjs"), script);
  const program = pathOf("Node.js for Windows");
  const opener = windows.start(program, ["C:\\strip.mjs"], { DISPLAY: display.name });
  const record = async (): Promise<ReadFrame[]> => {
    const input = ["-f", "x11grab", "-framerate", "30", "-video_size", "1366x768", "-i", display.name];
    const words = ["-v", "error", "-nostdin", "-y", ...input, "-frames:v", "20", "-c:v", "libx264", file];
    await promisify(execFile)(pathOf("ffmpeg"), words);
    return readClock(file);
  };
  let frames: ReadFrame[] = [];
  const isShown = () => frames.length > 0 && frames.every(({ ok }) => ok);
  for (const deadlineMs = performance.now() + patienceMs; !isShown() && performance.now() < deadlineMs; ) {
    assert.equal(opener.child.exitCode, null, opener.output());
    frames = await record();
    await pause(100);
  }
  assert.ok(isShown(), opener.output());
  const clocks = frames.map(({ clockMs }) => clockMs);
  assert.deepEqual(
    clocks,
    clocks.toSorted((one, other) => one - other),
  );
  assert.ok(new Set(clocks).size >= 4, `${new Set(clocks).size} different clocks`);
});
