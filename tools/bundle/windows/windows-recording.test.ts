// Tests that the executable for Windows records with Kit's own ffmpeg, under Wine: a screen, and a window that a game opens. Wine has
// neither Desktop Duplication nor Windows.Graphics.Capture, so GDI captures here.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { getRecorder, ingestOperations, listClips, listRecorderSources } from "@kit/contract";
import { judgeClip, screenOf } from "../../../launcher/test/recording/judge.ts";
import { record, setRule } from "../../../launcher/test/recording/scene.ts";
import { watchStarvation } from "../../../launcher/test/recording/starvation.ts";
import { until } from "../../../launcher/test/support/until.ts";
import { readClock } from "../../engines/clock-reader.ts";
import { type ClockWindow, openClockWindow } from "../../engines/clock-window.ts";
import { type Display, openDisplay } from "../../engines/display.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { type OwnWindows, openOwnWindows } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows", "ffmpeg for Windows", "Xvfb", "ffmpeg");
const size = { width: 640, height: 360 };
let display: Display;
let clock: ClockWindow;
let windows: OwnWindows;
before(async () => {
  if (skip !== false) return;
  display = await openDisplay(`${size.width}x${size.height}`);
  clock = await openClockWindow({ display: display.name, ...size });
  windows = await openOwnWindows(display.name);
  copyFileSync(pathOf("ffmpeg for Windows"), join(windows.drive, "ffmpeg.exe"));
  await windows.begin();
});
after(async () => {
  windows?.close();
  await clock?.close();
  await display?.close();
});

const recorder = async () => (await windows.client.call(getRecorder)).state;
const scene = () => ({ client: windows.client, recorder });

async function send(eventId: string, atMs: number): Promise<void> {
  const body = JSON.stringify({ eventId, timestamp: new Date(atMs).toISOString() });
  const headers = { "content-type": "application/json" };
  const address = `http://127.0.0.1:${windows.port}${ingestOperations.recording.path}`;
  assert.equal((await fetch(address, { method: "POST", headers, body })).status, 202);
}

const onLinux = (path: string) => join(windows.drive, path.replace(/^C:\\/i, "").replaceAll("\\", "/"));

/** Waits for the clip of this event, and returns where Linux finds its file. */
async function savedClip(eventId: string): Promise<string> {
  let last = "";
  const path = await until(
    () => `a saved clip; ${last}`,
    async () => {
      const { clips } = await windows.client.call(listClips, { query: {} });
      last = JSON.stringify([clips[0], await recorder()]);
      const clip = clips.find(({ events }) => events.some((event) => event.eventId === eventId));
      assert.notEqual(clip?.state, "failed", last);
      return clip?.state === "saved" ? (clip.path ?? undefined) : undefined;
    },
  );
  return onLinux(path);
}

test("a clip of the screen has the requested seconds without a gap, from the ffmpeg that came with Kit", {
  skip,
}, async (t) => {
  const { ffmpeg } = await windows.client.call(getRecorder);
  assert.deepEqual([ffmpeg?.from, ffmpeg?.path], ["kit", "C:\\ffmpeg.exe"]);
  const seconds = { preSeconds: 2, postSeconds: 1, mergeGapSeconds: 0, longestSeconds: 10, cooldownSeconds: 0 };
  await setRule(scene(), "clock_shown", seconds);
  using starvation = watchStarvation(() => windows.processesWith("ffmpeg.exe"));
  await record(scene(), {}, 3);
  const atMs = Date.now();
  await send("clock_shown", atMs);
  const frames = await readClock(await savedClip("clock_shown"));
  const screen = screenOf(await clock.takeFrames());
  const window = { fromMs: atMs - 2_000, toMs: atMs + 1_000 };
  const verdict = judgeClip(frames, window, { screen, starvedMs: starvation.starvedMs });
  const { source, encoder, frameRate } = await recorder();
  t.diagnostic(`${source}, ${encoder}, ${frameRate.toFixed(1)} frames a second: ${JSON.stringify(verdict)}`);
  assert.deepEqual(verdict.faults, []);
});

test("a clip becomes a GIF, an animated WebP, a smaller MP4 and a picture with the ffmpeg that came with Kit", {
  skip,
}, async () => {
  const { clips } = await windows.client.call(listClips, { query: {} });
  const id = clips.find(({ state }) => state === "saved")?.id ?? assert.fail("no clip");
  let made = 0;
  const make = async (...words: string[]): Promise<string> => {
    made += 1;
    const { code, output } = await windows.kit("clips", ...words, "--out", `C:\\made-${made}`, "--json");
    assert.equal(code, 0, output);
    const { path } = JSON.parse(output.slice(output.indexOf("{"))) as { path: string };
    return readFileSync(onLinux(path)).toString("latin1", 0, 12);
  };
  const presets = { gif: /^GIF89a/, webp: /^RIFF....WEBP/s, vertical: /^....ftyp/s };
  for (const [preset, head] of Object.entries(presets))
    assert.match(await make("export", id, "--preset", preset, "--part", "0:00-0:01"), head);
  assert.match(await make("frame", id, "--at", "0:01"), /^.PNG/);
});

/** A game with a window, whose first event is sent when a file asks for it. */
const game = `
  const ffi = process.getBuiltinModule("node:ffi");
  const { functions: user } = ffi.dlopen("user32.dll", {
    CreateWindowExW: { arguments: ["u32", "buffer", "buffer", "u32", "i32", "i32", "i32", "i32", "pointer", "pointer", "pointer", "pointer"], return: "pointer" },
    PeekMessageW: { arguments: ["buffer", "pointer", "u32", "u32", "u32"], return: "i32" },
    DispatchMessageW: { arguments: ["buffer"], return: "pointer" },
  });
  const wide = (text) => Buffer.from(text + "\\0", "utf16le");
  const visibleWindow = 0x10cf0000;
  user.CreateWindowExW(0, wide("Static"), wide("Saga: the window"), visibleWindow, 40, 40, 400, 240, 0n, 0n, 0n, 0n);
  const message = Buffer.alloc(48);
  setInterval(() => {
    while (user.PeekMessageW(message, 0n, 0, 0, 1) !== 0) user.DispatchMessageW(message);
  }, 20);
  console.log("shown");`;

test("the window of a game is listed, and recorded by its title and as the window of the game", { skip }, async () => {
  windows.installGame("saga");
  const port = JSON.stringify(windows.port);
  const sends = `fetch("http://127.0.0.1:" + ${port} + "${ingestOperations.recording.path}", {
    method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({ eventId: "saga_begun", timestamp: new Date().toISOString() }) });`;
  writeFileSync(join(windows.drive, "window.cjs"), `${game}\n${sends}`);
  const run = windows.start("C:\\saga.exe", ["C:\\window.cjs"]);
  const name = "Saga: the window";
  const listed = await until("the window is listed", async () => {
    const { sources } = await windows.client.call(listRecorderSources);
    return sources.find((source) => source.name === name);
  }).catch((error) => assert.fail(`${error.message}: ${run.output()}`));
  assert.equal(listed.kind, "window");
  assert.ok(listed.width > 300 && listed.height > 150, JSON.stringify(listed));
  await record(scene(), { picture: "window", window: "the WINDOW" });
  assert.equal((await recorder()).source, `window "${name}"`);
  await record(scene(), { picture: "game", window: null });
  assert.equal((await recorder()).source, `window "${name}"`);
  run.child.kill("SIGKILL");
});

test("a launcher that is killed leaves no ffmpeg behind", { skip }, async () => {
  await record(scene(), {});
  assert.notDeepEqual(windows.processesWith("ffmpeg.exe"), []);
  const launcher = windows.launcher();
  launcher?.child.kill("SIGKILL");
  await launcher?.ended;
  await until("ffmpeg has ended", async () => (windows.processesWith("ffmpeg.exe").length === 0 ? true : undefined));
});
