// Tests of the list of monitors and windows that can be recorded, with real windows and the real ffmpeg.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clip, hasCode, type listRecorderSources, type ReplyOf, textOf } from "@kit/contract";
import { test } from "vitest";
import { openDisplay, openMonitors } from "../../../tools/engines/display.ts";
import { openJwm } from "../../../tools/engines/jwm.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { cursorPixelsMax, readColours } from "./colours.ts";
import { openPaintedWindow } from "./painted-window.ts";

const skip = skipWithout("Xvfb", "JWM", "ffmpeg");
const green = { colour: 0x00e000, channel: 1 } as const;
const red = { colour: 0xe00000, channel: 0 } as const;

const list = async (launcher: LauncherProcess) =>
  (await launcher.api("GET", "/api/recorder/sources")).json<ReplyOf<typeof listRecorderSources>>();

test("monitors and windows are listed with their own picture, even if another window covers them", {
  skip,
}, async (t) => {
  const display = await openDisplay("1024x768");
  t.onTestFinished(() => display.close());
  const manager = await openJwm(display.name);
  t.onTestFinished(() => manager.close());
  await using launcher = await startLauncherProcess({ env: { DISPLAY: display.name } });
  const place = { display: display.name, x: 100, y: 100 };
  const game = await openPaintedWindow({ ...place, title: "Saga", colour: green.colour, width: 640, height: 480 });
  t.onTestFinished(() => game.end());
  const chat = await openPaintedWindow({ ...place, title: "Chat", colour: red.colour, width: 500, height: 400 });
  t.onTestFinished(() => chat.end());
  await chat.order({ do: "raise" });
  const { sources, why } = await until("the window manager shows both windows", async () => {
    const listed = await list(launcher);
    return ["Saga", "Chat"].every((title) => listed.sources.some(({ name }) => name === title)) && listed;
  });
  assert.equal(why, null);
  const [monitor, ...windows] = sources.filter(({ name }) => name !== "tray");
  assert.deepEqual([monitor?.kind, monitor?.width, monitor?.height], ["monitor", 1024, 768]);
  assert.deepEqual(
    windows.map(({ kind, name, width, height, pid }) => [kind, name, width, height, pid]),
    [
      ["window", "Saga", 640, 480, game.pid],
      ["window", "Chat", 500, 400, chat.pid],
    ],
  );
  for (const [index, { channel }] of [green, red].entries()) {
    const file = join(launcher.dataDir, `picture-${index}.jpg`);
    const [, base64 = ""] = /^data:image\/jpeg;base64,(.+)$/.exec(windows[index]?.picture ?? "") ?? [];
    await writeFile(file, Buffer.from(base64, "base64"));
    const { otherPixelsMax, foreignMax } = await readColours(file, channel);
    assert.ok(
      otherPixelsMax <= cursorPixelsMax && foreignMax === 0,
      JSON.stringify({ index, otherPixelsMax, foreignMax }),
    );
  }
  const name = monitor?.name ?? null;
  const chosen = { picture: "screen", monitor: name, when: "always", backend: "ffmpeg", sound: "off" } as const;
  await launcher.setRecorder(chosen);
  const state = async () => (await launcher.recorder()).state;
  await until("the chosen monitor is recorded", async () => {
    const { state: now, source } = await state();
    return now === "recording" && source === `screen ${display.name}, monitor ${monitor?.name}`;
  });
  await launcher.setRecorder({ monitor: "HDMI-7" });
  await until("the recorder says that the monitor is missing, and records the primary one", async () => {
    const { state: now, detail, source } = await state();
    const isPrimary = source === `screen ${display.name}`;
    return now === "recording" && isPrimary && /HDMI-7 is not connected/.test(textOf(detail));
  });
});

test("of two monitors the chosen one is recorded, and a recording survives that it is disconnected", {
  skip: skip || skipWithout("Xorg"),
}, async (t) => {
  const display = await openMonitors();
  t.onTestFinished(() => display.close());
  await using launcher = await startLauncherProcess({ env: { DISPLAY: display.name } });
  const covering = { display: display.name, y: 0, width: 1024, height: 768 };
  const other = await openPaintedWindow({ ...covering, x: 0, title: "Chat", colour: red.colour });
  t.onTestFinished(() => other.end());
  const game = await openPaintedWindow({ ...covering, x: 1024, title: "Saga", colour: green.colour });
  t.onTestFinished(() => game.end());
  const { sources } = await list(launcher);
  assert.deepEqual(
    sources.filter(({ kind }) => kind === "monitor").map(({ name, width, height }) => [name, width, height]),
    [
      ["DUMMY0", 1024, 768],
      ["DUMMY1", 800, 600],
    ],
  );
  await launcher.setRecorder({ picture: "screen", monitor: "DUMMY1", when: "always", backend: "ffmpeg", sound: "off" });
  const state = async () => (await launcher.recorder()).state;
  const isRecorded = async () => {
    const { state: now, source, heldSeconds, detail } = await state();
    const isChosen = now === "recording" && source === `screen ${display.name}, monitor DUMMY1`;
    return isChosen && heldSeconds > 5 && !hasCode(detail, "recorder.still_probing");
  };
  const save = async () => {
    const reply = await launcher.api("POST", "/api/recording/save", { seconds: 5 });
    assert.equal(reply.status, 200, reply.text);
    return reply.json<Clip>();
  };
  await until("the second monitor is recorded", isRecorded);
  const isOnly = async ({ path }: Clip, channel: 0 | 1) => {
    const { otherPixelsMax, foreignMax, frames } = await readColours(String(path), channel);
    return otherPixelsMax <= cursorPixelsMax && foreignMax === 0 && frames > 10;
  };
  assert.ok(await isOnly(await save(), green.channel));
  display.plug(false);
  await until("the recorder says that the monitor is missing, and records the primary one", async () => {
    const { state: now, detail } = await state();
    return now === "recording" && /DUMMY1 is not connected/.test(textOf(detail));
  });
  await until("a clip shows only the primary monitor", async () => isOnly(await save(), red.channel));
  display.plug(true);
  await until("the monitor is recorded again without being asked", isRecorded);
  await until("a clip shows only the chosen monitor again", async () => isOnly(await save(), green.channel));
});

test("without an X11 display, the list is empty and says why", async () => {
  await using launcher = await startLauncherProcess({ env: { DISPLAY: "" } });
  const { sources, why } = await list(launcher);
  assert.deepEqual(sources, []);
  assert.match(textOf(why ?? ""), /X11/);
});
