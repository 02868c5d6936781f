// Tests that the self-test of Kit for Windows records, under Wine, with a screen, a sound server and Kit's own ffmpeg.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { openDisplay } from "../../engines/display.ts";
import { freePort } from "../../engines/free-port.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { openSoundServer } from "../../engines/sound-server.ts";
import { openWindows } from "../../engines/windows-computer.ts";
import { repositoryRoot } from "../../repository.ts";
import { isMachineTooBusy } from "../../run-tests/cost.ts";
import { openOwnWindows } from "./own-windows.ts";

const parts = [
  "Wine",
  "Node.js for Windows",
  "ffmpeg for Windows",
  "kit-sound for Windows",
  "Xvfb",
  "PulseAudio",
] as const;

type Check = { id: string; status: string; figures: Record<string, unknown>; advice: string };

const checksIn = (output: string): Check[] =>
  (JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) as { checks: Check[] }).checks;

test("the self-test records the screen and its own window as the recorder does, with sound, and says what this Windows lacks", {
  skip: skipWithout(...parts),
}, async (t) => {
  const display = await openDisplay("1366x768");
  t.onTestFinished(display.close);
  const sound = await openSoundServer();
  t.onTestFinished(sound.close);
  const windows = await openOwnWindows(display.name, { PULSE_SERVER: sound.address });
  t.onTestFinished(windows.close);
  windows.install("ffmpeg", "kit-sound");
  mkdirSync(join(windows.drive, "data"));
  const run = async (): Promise<Check[]> => {
    const { output } = await windows.kit("selftest", "--yes", "--json", "--page", "C:\\selftest.html");
    return checksIn(output);
  };
  let checks = await run();
  // As the self-test advises when a capture starves on a busy computer.
  for (let runs = 1; runs < 3 && isMachineTooBusy() && checks.some(({ status }) => status === "failed"); runs += 1)
    checks = await run();
  const named = (status: string) => checks.filter((each) => each.status === status).map(({ id }) => id);
  assert.deepEqual(
    checks.filter(({ status }) => status === "failed"),
    [],
  );
  const ofLauncher = ["ports", "clip", "sound", "sender", "autostart", "end"];
  const gdigrab = ["screen", "monitor", "window"].map((what) => `source gdigrab-${what}`);
  const ofSystem = ["session", "hotkey", "clipboard", "rename", "long paths", "clocks"];
  assert.deepEqual(named("passed").sort(), [...ofLauncher, "encoders", ...gdigrab, ...ofSystem].sort());
  // Wine has neither Desktop Duplication nor Windows.Graphics.Capture, and records no single program.
  const ofWindows = ["ddagrab-screen", "gfxcapture-screen", "gfxcapture-monitor", "gfxcapture-window"];
  assert.deepEqual(
    named("not possible here").sort(),
    ["permissions", "own sound", ...ofWindows.map((name) => `source ${name}`), "notification"].sort(),
  );
  const own = checks.find(({ id }) => id === "own sound");
  assert.match(own?.advice ?? "", /this Windows does not record a single one \(0x80070002\)/);
  for (const { id, figures } of checks.filter((each) => gdigrab.includes(each.id)))
    assert.ok(Number(figures.readable) >= 10 && Number(figures.readable) === figures.frames, id);
  const page = readFileSync(join(windows.drive, "selftest.html"), "utf8");
  assert.equal(page.match(/src="data:image\/png;base64,/g)?.length, 4);
});

test("with a Node.js that cannot call Windows, the self-test says of each check that needs it which Node.js to use", {
  skip: skipWithout("Wine", "Node.js for Windows", "ffmpeg for Windows"),
}, async (t) => {
  const windows = openWindows();
  t.onTestFinished(() => windows.close());
  copyFileSync(pathOf("ffmpeg for Windows"), join(windows.drive, "ffmpeg.exe"));
  const launcher = [`Z:${repositoryRoot}/dist/launcher/main.js`, "selftest", "--yes", "--json"];
  const run = windows.start(
    pathOf("Node.js for Windows"),
    ["--disable-warning=ExperimentalWarning", ...launcher, "--page", "C:\\selftest.html"],
    { NODE_OPTIONS: "--no-experimental-ffi", KIT_FFMPEG: "C:\\ffmpeg.exe", KIT_PORT: String(await freePort()) },
  );
  assert.equal(await run.ended, 0, run.output());
  const checks = checksIn(run.output());
  for (const id of ["clip", "sound", "sender", "source screen", "hotkey", "clipboard"]) {
    const { status, advice } = checks.find((each) => each.id === id) ?? {};
    assert.deepEqual([id, status], [id, "not possible here"]);
    assert.match(advice ?? "", /Use Node\.js 26\.10 or newer/, id);
  }
  const own = checks.find(({ id }) => id === "own sound");
  assert.match(own?.advice ?? "", /kit-sound\.exe, which belongs to Kit for Windows, is not beside it/);
});
