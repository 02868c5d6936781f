// Tests the clock strip of the self-test on Windows: under Wine, on a virtual screen that ffmpeg for Linux records.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "vitest";
import { until } from "../../../launcher/test/support/until.ts";
import { type ReadFrame, readClock } from "../../engines/clock-reader.ts";
import { openDisplay } from "../../engines/display.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { openWindows } from "../../engines/windows-computer.ts";
import { repositoryRoot } from "../../repository.ts";

test("the strip fills the width of the screen with a clock that goes on, as Windows draws it", {
  skip: skipWithout("Wine", "Node.js for Windows", "Xvfb", "ffmpeg"),
}, async (t) => {
  const display = await openDisplay("1366x768");
  const windows = openWindows();
  const file = join(tmpdir(), `kit-strip-${process.pid}.mkv`);
  t.onTestFinished(async () => {
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
  const open = () => windows.start(program, ["C:\\strip.mjs"], { DISPLAY: display.name });
  let opener = open();
  const record = async (): Promise<ReadFrame[]> => {
    const input = ["-f", "x11grab", "-framerate", "30", "-video_size", "1366x768", "-i", display.name];
    const words = ["-v", "error", "-nostdin", "-y", ...input, "-frames:v", "20", "-c:v", "libx264", file];
    await promisify(execFile)(pathOf("ffmpeg"), words);
    return readClock(file);
  };
  const clocks = await until(
    () => `every frame has a clock, which goes on; ${opener.output()}`,
    async () => {
      // On a busy machine, Wine was seen to refuse the first window.
      if (opener.child.exitCode === 1 && opener.output().includes("Windows shows no window")) opener = open();
      assert.equal(opener.child.exitCode, null, opener.output());
      const frames = await record();
      const shown = frames.map(({ clockMs }) => clockMs);
      return frames.every(({ ok }) => ok) && new Set(shown).size >= 4 && shown;
    },
    100,
  );
  assert.deepEqual(
    clocks,
    clocks.toSorted((one, other) => one - other),
  );
});
