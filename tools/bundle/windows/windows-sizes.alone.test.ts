// Tests that Kit for Windows records a window and a screen whole after they got another size, under Wine, where GDI captures.
// What Windows.Graphics.Capture and Desktop Duplication do then is not in Wine.
import assert from "node:assert/strict";
import { getRecorder, listClips, listRecorderSources } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { record, setRule } from "../../../launcher/test/recording/scene.ts";
import { until } from "../../../launcher/test/support/until.ts";
import { type Monitors, openMonitors } from "../../engines/display.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { openOwnDesktop } from "./own-desktop.ts";
import { startGame } from "./own-games.ts";
import { type OwnWindows, openOwnWindows } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows", "ffmpeg for Windows", "Xorg", "ffmpeg");
const green = "0x00e000";
// Nothing before the event: on a busy computer, the run with the new size may have begun just then.
const seconds = { preSeconds: 0, postSeconds: 2, mergeGapSeconds: 0, longestSeconds: 10, cooldownSeconds: 0 };
let display: Monitors;
let windows: OwnWindows;
beforeAll(async () => {
  if (skip !== false) return;
  display = await openMonitors();
  display.plug(false);
  windows = await openOwnWindows(display.name);
  windows.install("ffmpeg");
  await windows.begin();
});
afterAll(async () => {
  windows?.close();
  await display?.close();
});

const recorder = async () => (await windows.client.call(getRecorder)).state;
const scene = () => ({ client: windows.client, recorder });

/** Waits until the recorder says that it records pictures of this size. */
async function recordsSize(width: number, height: number): Promise<void> {
  let last = "";
  await until(
    () => `pictures of ${width} × ${height} are recorded; ${last}`,
    async () => {
      const state = await recorder();
      const { sources } = await windows.client.call(listRecorderSources);
      last = JSON.stringify([state, sources.map(({ name, width, height }) => [name, width, height])]);
      const isThere = state.state === "recording" && state.width === width && state.height === height;
      return isThere;
    },
    500,
  );
}

/** Sends a trigger, and returns its saved clip. */
async function clipOf(eventId: string) {
  await setRule(scene(), eventId, seconds);
  assert.equal((await windows.trigger(eventId)).status, 202);
  let last = "";
  return until(
    () => `a saved clip; ${last}`,
    async () => {
      const { clips } = await windows.client.call(listClips, { query: {} });
      const clip = clips.find(({ events }) => events.some((event) => event.eventId === eventId));
      last = JSON.stringify([clip, await recorder()]);
      assert.notEqual(clip?.state, "failed", last);
      return clip?.state === "saved" ? clip : undefined;
    },
  );
}

/** Sends triggers until a clip has this size. The first clip after a change may begin with frames of the size before. */
async function clipOfSize(name: string, width: number, height: number): Promise<void> {
  const sizes: string[] = [];
  await until(
    () => `a clip of ${width} × ${height}, not of ${sizes.join(", ")}`,
    async () => {
      const clip = await clipOf(`${name}_${sizes.length}`);
      sizes.push(`${clip.width} × ${clip.height}`);
      return clip.width === width && clip.height === height;
    },
  );
}

test("a window that its game makes larger is recorded whole", { skip }, async (t) => {
  const run = startGame(windows, "saga", "saga_begun", ["Saga", green, 10, 320]);
  t.onTestFinished(() => void run.child.kill("SIGKILL"));
  await until("the window is shown", () => run.output().includes("shown"));
  await record(scene(), { picture: "window", window: "Saga", sound: "off" });
  const { width, height } = await recorder();
  const desktop = openOwnDesktop(windows, pathOf("Node.js for Windows"));
  assert.equal(await desktop.resize("Saga", 320 + 200, 240 + 100), 0);
  await recordsSize(width + 200, height + 100);
  await clipOfSize("saga_grown", width + 200, height + 100);
});

test("a screen with another resolution is recorded whole", { skip }, async () => {
  await record(scene(), { picture: "screen", window: null, sound: "off" });
  const modes = [["800x600", 800, 600] as const, ["1024x768", 960, 720] as const];
  for (const [mode, width, height] of modes) {
    display.resize(mode);
    await recordsSize(width, height);
    await clipOfSize(`screen_${mode}`, width, height);
  }
});
