// Tests the way of a player who presses a hotkey: real keys, real footage, a saved clip, and the desktop says so.
import assert from "node:assert/strict";
import { type Clip, hasCode, type listClips, type RecorderReport, type ReplyOf, textOf } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { type ClockWindow, openClockWindow } from "../../../tools/engines/clock-window.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { type Keyboard, openKeyboard } from "../../src/recording/shortcuts/test/keyboard.ts";
import { type StandInDesktop, standInDesktop } from "../monitor/stand-in-desktop.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const skip = skipWithout("Xvfb", "ffmpeg");

let screen: Keyboard;
let game: ClockWindow;
let desktop: StandInDesktop;
let launcher: LauncherProcess;
beforeAll(async () => {
  if (skip) return;
  screen = await openKeyboard("640x360");
  game = await openClockWindow({ display: screen.name, width: 512, height: 288, framesPerSecond: 30 });
  desktop = standInDesktop();
  const path = `${desktop.folder}:${process.env.PATH}`;
  launcher = await startLauncherProcess({ env: { DISPLAY: screen.name, PATH: path } });
});
afterAll(async () => {
  await launcher?.[Symbol.asyncDispose]();
  desktop?.[Symbol.dispose]();
  await game?.close();
  await screen?.close();
});

const recorder = () => launcher.recorder();
const clips = async (): Promise<Clip[]> =>
  (await launcher.api("GET", "/api/clips?game=saga&text=you")).json<ReplyOf<typeof listClips>>().clips;

test("a hotkey saves the last seconds of the game without disturbing the capture, and the desktop says so", {
  skip,
}, async () => {
  await launcher.trigger("saga_started");
  await until("footage of what was chosen", async () => {
    const { state } = await recorder();
    return state.state === "recording" && !hasCode(state.detail, "recorder.still_probing") && state.heldSeconds > 4;
  });
  const { restarts } = (await recorder()).state;
  const set = await launcher.api("PUT", "/api/recorder", { saveHotkey: "alt+ctrl+s", markHotkey: "F9" });
  const { settings } = set.json<RecorderReport>();
  assert.deepEqual([settings.saveHotkey, settings.markHotkey], ["Ctrl+Alt+S", "F9"]);
  await until("the hotkeys work", async () => {
    await screen.press("f9");
    return (await clips()).some(({ kind }) => kind === "marker");
  });
  const { trouble, state } = await recorder();
  assert.deepEqual(trouble, { clipNotice: null, saveHotkey: null, markHotkey: null, trayIcon: null });
  assert.equal(state.restarts, restarts, "the capture went on");
  await screen.press("ctrl", "alt", "s");
  const saved = await until("the clip is saved", async () => (await clips()).find((clip) => clip.state === "saved"));
  assert.match(saved.title, /^Saved by you, /u);
  assert.ok(saved.duration > 3);
  await until("the desktop says so", async () => desktop.calls().some((call) => call.join(" ").includes(saved.title)));
});

test("two equal hotkeys, and text that names no key, are refused with the field", { skip }, async () => {
  for (const [change, why] of [
    [{ saveHotkey: "F10", markHotkey: "f10" }, /must differ from the other hotkey/u],
    [{ saveHotkey: "S" }, /must be a function key, or a key with Ctrl, Alt or Super/u],
  ] as const) {
    const refused = await launcher.api("PUT", "/api/recorder", change);
    assert.equal(refused.status, 422);
    assert.match(textOf(refused.json<{ detail: string }>().detail), why);
  }
});
