// Tests of the capture of a game's own window, with a window manager, real windows and the real ffmpeg. Colours tell windows apart.
import assert from "node:assert/strict";
import {
  type Clip,
  hasCode,
  type listClips,
  type listLibrary,
  type listRecorderSources,
  type ReplyOf,
  textOf,
} from "@kit/contract";
import { afterAll, beforeAll, type TestContext, test } from "vitest";
import { type Display, openDisplay } from "../../../tools/engines/display.ts";
import { openJwm } from "../../../tools/engines/jwm.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { cursorPixelsMax, readColours } from "./colours.ts";
import { openPaintedWindow, type PaintedWindow, type PaintedWindowOptions } from "./painted-window.ts";

const skip = skipWithout("Xvfb", "JWM", "ffmpeg");
const green = { colour: 0x00e000, channel: 1 } as const;
const blue = { colour: 0x0000e0, channel: 2 } as const;
const red = 0xe00000;

/** Events of each of two games. */
const rounds = Number(process.env.KIT_GAME_ROUNDS ?? 3);
const betweenEventsMs = 1_700;

let display: Display;
let manager: { close(): Promise<void> };
let launcher: LauncherProcess;
beforeAll(async () => {
  if (skip) return;
  display = await openDisplay("1024x768");
  manager = await openJwm(display.name);
  launcher = await startLauncherProcess({ env: { DISPLAY: display.name } });
  await launcher.setRecorder({ height: 480, sound: "off", backend: "ffmpeg" });
});
afterAll(async () => {
  await launcher?.[Symbol.asyncDispose]();
  await manager?.close();
  await display?.close();
});

const recorder = async () => (await launcher.recorder()).state;
const url = () => `http://127.0.0.1:${launcher.port}/api/recording/trigger`;

function gameOptions(eventId: string, place: Partial<PaintedWindowOptions>): PaintedWindowOptions {
  const { name } = display;
  const base = { display: name, title: `Game ${eventId}`, colour: green.colour, width: 640, height: 480, x: 60, y: 60 };
  return { ...base, ...place };
}

/** A game with a green window that has sent its first event. `before` runs when the window is open. */
async function openGame(
  eventId: string,
  place: Partial<PaintedWindowOptions> = {},
  before?: () => Promise<unknown>,
): Promise<PaintedWindow> {
  const game = await openPaintedWindow(gameOptions(eventId, place));
  await before?.();
  await setRule(eventId, { preSeconds: 8, postSeconds: 1 });
  // Short, so that no other event joins its clip.
  await setRule(`${eventId}_hello`, { preSeconds: 1, postSeconds: 0.5 });
  await game.order({ do: "send", url: url(), eventId: `${eventId}_hello` });
  return game;
}

async function setRule(eventId: string, seconds: { preSeconds: number; postSeconds: number }): Promise<void> {
  const rule = { eventId, ...seconds, mergeGapSeconds: 0, cooldownSeconds: 0 };
  assert.equal((await launcher.api("PUT", "/api/recorder/rules", rule)).status, 200);
}

/** Waits until the recorder has recorded this window alone for some seconds, with what was chosen instead of a guess. */
async function recordsWindow(title: string, width: number, seconds = 1.5): Promise<void> {
  let sinceMs: number | undefined;
  let last = "";
  await until(
    () => `a recording of ${title}, ${width} wide; the recorder says ${last}`,
    async () => {
      const state = await recorder();
      last = JSON.stringify(state);
      const isRight = state.state === "recording" && state.source === `window "${title}"` && state.width === width;
      if (!isRight || hasCode(state.detail, "recorder.still_probing")) sinceMs = undefined;
      else sinceMs ??= performance.now();
      return sinceMs !== undefined && performance.now() - sinceMs > seconds * 1_000;
    },
  );
}

type Seen = { readonly clip: Clip } & Awaited<ReturnType<typeof readColours>>;

/** Sends the event, waits for its clip, and returns it with the colours of its frames. */
async function clipOf(game: PaintedWindow, eventId: string): Promise<Seen> {
  const event = await game.order({ do: "send", url: url(), eventId });
  const clip = await savedClip(event);
  assert.equal(clip.state, "saved", JSON.stringify(clip));
  return { clip, ...(await readColours(clip.path ?? "", green.channel)) };
}

function savedClip(event: string): Promise<Clip> {
  let last = "";
  return until(
    () => `a clip of ${event}: ${last}`,
    async () => {
      const { clips } = (await launcher.api("GET", `/api/clips?event=${event}`)).json<ReplyOf<typeof listClips>>();
      last = JSON.stringify(clips);
      return clips.find(({ state }) => state !== "pending");
    },
  );
}

/** Checks that the clip shows the game in all of its frames, and no other window in any. */
function assertOnlyGame({ clip, otherPixelsMax, foreignMax, frames }: Seen, framesMin: number): void {
  const facts = JSON.stringify({ otherPixelsMax, foreignMax, frames, notes: clip.notes });
  assert.equal(clip.state, "saved", textOf(clip.reason ?? ""));
  assert.equal(foreignMax, 0, facts);
  assert.ok(otherPixelsMax <= cursorPixelsMax && frames >= framesMin, facts);
}

async function openChat(t: TestContext, place: Partial<PaintedWindowOptions> = {}): Promise<PaintedWindow> {
  const base = { display: display.name, title: "Chat", colour: red, width: 500, height: 400 };
  const chat = await openPaintedWindow({ ...base, ...place });
  t.onTestFinished(() => chat.end());
  return chat;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a game that sends nothing is recorded once its window was added, and again when it starts the next time", {
  skip,
}, async () => {
  const options = gameOptions("silent_win", {});
  const first = await openPaintedWindow(options);
  const { sources } = (await launcher.api("GET", "/api/recorder/sources")).json<ReplyOf<typeof listRecorderSources>>();
  const source = sources.find(({ name }) => name === options.title) ?? assert.fail(JSON.stringify(sources));
  assert.equal((await launcher.api("POST", "/api/library", { pid: source.pid, name: "Silent" })).status, 200);
  await recordsWindow(options.title, 640);
  await first.end();
  await until("the recorder no longer records", async () => (await recorder()).state !== "recording");
  const second = await openPaintedWindow(options);
  await recordsWindow(options.title, 640);
  const clip = (await launcher.api("POST", "/api/recording/save", { seconds: 5 })).json<Clip>();
  await second.end();
  assertOnlyGame({ clip, ...(await readColours(clip.path ?? "", green.channel)) }, 10);
  assert.equal(clip.game, "silent");
});

test("a window that is covered, moved and partly off the screen is recorded alone", { skip }, async (t) => {
  const game = await openGame("covered_win");
  t.onTestFinished(() => game.end());
  await recordsWindow("Game covered_win", 640);
  const chat = await openChat(t, { x: 100, y: 100 });
  await chat.order({ do: "raise" });
  await pause(500);
  await game.order({ do: "move", x: 600, y: 400 });
  await chat.order({ do: "move", x: 620, y: 420 });
  await pause(500);
  assertOnlyGame(await clipOf(game, "covered_win"), 60);
});

test("a window that was covered before its first event is recorded alone", { skip }, async (t) => {
  const chat = await openChat(t, { x: 40, y: 40, width: 700, height: 600 });
  const game = await openGame("hidden_win", { x: 60, y: 60 }, () => chat.order({ do: "raise" }));
  t.onTestFinished(() => game.end());
  await recordsWindow("Game hidden_win", 640);
  assertOnlyGame(await clipOf(game, "hidden_win"), 30);
});

test("the window of a program's child process is the window of the game", { skip }, async (t) => {
  await openChat(t);
  const game = await openGame("child_win", { inChild: true });
  t.onTestFinished(() => game.end());
  await recordsWindow("Game child_win", 640);
});

test("the capture follows a new size and full screen, and keeps the footage before", { skip }, async (t) => {
  const game = await openGame("sized_win");
  t.onTestFinished(() => game.end());
  await recordsWindow("Game sized_win", 640, 3);
  await openChat(t, { x: 300, y: 200 });
  const event = await game.order({ do: "send", url: url(), eventId: "sized_win" });
  await game.order({ do: "resize", width: 480, height: 360 });
  const before = await savedClip(event);
  assertOnlyGame({ clip: before, ...(await readColours(before.path ?? "", green.channel)) }, 60);
  assert.deepEqual([before.width, before.height], [640, 480], "the footage before the new size is kept");
  await recordsWindow("Game sized_win", 480);
  assertOnlyGame(await clipOf(game, "sized_small"), 30);
  await game.order({ do: "fullscreen" });
  await recordsWindow("Game sized_win", 640 /* 1024 × 768 scaled to 480 lines */);
  assertOnlyGame(await clipOf(game, "sized_full"), 30);
});

test("a minimised window pauses the capture, which goes on when it is shown", { skip }, async (t) => {
  const game = await openGame("small_win");
  t.onTestFinished(() => game.end());
  await recordsWindow("Game small_win", 640);
  await openChat(t, { x: 60, y: 60 });
  await game.order({ do: "minimise" });
  await until("the recorder says why it pauses", async () => hasCode((await recorder()).detail, "window.minimised"));
  assert.equal((await recorder()).state, "idle");
  await pause(1_000);
  await game.order({ do: "show" });
  await recordsWindow("Game small_win", 640);
  assertOnlyGame(await clipOf(game, "small_win"), 20);
});

test("the first event of a known game has footage from before it, because its process is noticed", {
  skip,
}, async (t) => {
  const first = await openGame("first_win", { width: 320, height: 240 });
  await recordsWindow("Game first_win", 320);
  await until("the program of the game", async () => {
    const { games } = (await launcher.api("GET", "/api/library")).json<ReplyOf<typeof listLibrary>>();
    return games.find(({ game }) => game === "first")?.commandFrom === "program";
  });
  await first.end();
  await until("the end of the game", async () => (await recorder()).state === "idle");
  const spawnedMs = Date.now();
  const again = await openPaintedWindow(gameOptions("first_win", { width: 320, height: 240 }));
  t.onTestFinished(() => again.end());
  await recordsWindow("Game first_win", 320, 0.5);
  const seen = await clipOf(again, "first_win");
  console.log(`first kept frame ${Date.parse(seen.clip.startedAt) - spawnedMs} ms after the start of the process`);
  assertOnlyGame(seen, 20);
  assert.ok((seen.clip.events[0]?.offset ?? 0) > 0.3, JSON.stringify(seen.clip));
});

test("the last seconds of a game that crashes are kept", { skip }, async (t) => {
  const game = await openGame("crash_win");
  t.onTestFinished(() => game.end());
  await recordsWindow("Game crash_win", 640, 3);
  await openChat(t, { x: 60, y: 60 });
  const event = await game.order({ do: "send", url: url(), eventId: "crash_win" });
  // On a busy machine ffmpeg is behind: frames that it has not yet taken end with the window.
  const { heldSeconds } = await recorder();
  await until("frames from after the moment", async () => (await recorder()).heldSeconds > heldSeconds + 0.5);
  await game.end("SIGKILL");
  const clip = await savedClip(event);
  assertOnlyGame({ clip, ...(await readColours(clip.path ?? "", green.channel)) }, 10);
  await until("the recorder to stop after the game", async () => {
    const { state, detail } = await recorder();
    return hasCode(detail, "window.game_ended") || state === "idle";
  });
});

test("a window that its game closes during a clip ends the clip, and the next window of the game is recorded", {
  skip,
}, async (t) => {
  const game = await openGame("closed_win");
  t.onTestFinished(() => game.end());
  await recordsWindow("Game closed_win", 640);
  await setRule("closed_win", { preSeconds: 1, postSeconds: 8 });
  const event = await game.order({ do: "send", url: url(), eventId: "closed_win" });
  const { heldSeconds } = await recorder();
  await until("frames from after the moment", async () => (await recorder()).heldSeconds > heldSeconds + 0.5);
  await openChat(t, { x: 60, y: 60 });
  await game.order({ do: "close" });
  await until("the recorder says why it pauses", async () => hasCode((await recorder()).detail, "window.closed"));
  const clip = await savedClip(event);
  assertOnlyGame({ clip, ...(await readColours(clip.path ?? "", green.channel)) }, 20);
  assert.deepEqual(
    clip.notes.map((note) => textOf(note).replace(/\d+(?:\.\d)? s/, "7.0 s")),
    ["ends 7.0 s early: nothing was recorded after that"],
  );
  await game.order({ do: "reopen" });
  await recordsWindow("Game closed_win", 640);
  assertOnlyGame(await clipOf(game, "closed_again"), 30);
});

test("two games that run at once get clips of their own, and no clip shows the other game", { skip }, async (t) => {
  const left = await openGame("left_win");
  t.onTestFinished(() => left.end());
  await recordsWindow("Game left_win", 640);
  const right = await openGame("right_win", { x: 240, y: 160, width: 480, height: 360, colour: blue.colour });
  t.onTestFinished(() => right.end());
  await until("both windows are recorded", async () => {
    const detail = textOf((await recorder()).detail);
    return detail.includes("Game left_win") && detail.includes("Game right_win");
  });
  for (const eventId of ["left_win", "right_win"]) await setRule(eventId, { preSeconds: 1, postSeconds: 0.4 });
  const sent: { event: string; channel: 1 | 2 }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await pause(betweenEventsMs);
    sent.push({ event: await left.order({ do: "send", url: url(), eventId: "left_win" }), channel: 1 });
    sent.push({ event: await right.order({ do: "send", url: url(), eventId: "right_win" }), channel: 2 });
  }
  for (const { event, channel } of sent) {
    const clip = await savedClip(event);
    assertOnlyGame({ clip, ...(await readColours(clip.path ?? "", channel)) }, 10);
  }
});

test("without a window of the game the whole screen is recorded, and the recorder says so", { skip }, async () => {
  await launcher.trigger("plain_event");
  await until("the screen", async () => {
    const { state, source, detail } = await recorder();
    return state === "recording" && source === `screen ${display.name}` && /No window of a game/.test(textOf(detail));
  });
});

test("a person chooses a window by its title, or the whole screen", { skip }, async (t) => {
  await openChat(t, { title: "Editor of maps", width: 320, height: 240 });
  await launcher.setRecorder({ window: "of maps" });
  await launcher.trigger("chosen_event");
  await recordsWindow("Editor of maps", 320, 0.2);
  await launcher.setRecorder({ picture: "screen" });
  await until("the screen", async () => {
    const { state, source, detail } = await recorder();
    return state === "recording" && source === `screen ${display.name}` && !/No window/.test(textOf(detail));
  });
  await launcher.setRecorder({ window: null, picture: "game" });
});
