// Tests that the executable for Windows records with Kit's own ffmpeg, under Wine: a screen, and a window that a game opens. Wine has
// neither Desktop Duplication nor Windows.Graphics.Capture, so GDI captures here. The clips are kept on a share. Its sound is that of a real PulseAudio.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  changeClip,
  changeRecorder,
  exportClip,
  getRecorder,
  hasCode,
  ingestOperations,
  listClipExports,
  listClips,
  listRecorderSources,
  makeBackup,
  testRecorder,
  textOf,
} from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { readColours } from "../../../launcher/test/recording/colours.ts";
import { judgeClip, screenOf } from "../../../launcher/test/recording/judge.ts";
import { record, setRule } from "../../../launcher/test/recording/scene.ts";
import {
  loudness,
  openSoundProgram,
  readSound,
  type SoundProgram,
} from "../../../launcher/test/recording/sound-program.ts";
import { watchStarvation } from "../../../launcher/test/recording/starvation.ts";
import { until } from "../../../launcher/test/support/until.ts";
import { readClock } from "../../engines/clock-reader.ts";
import { type ClockWindow, openClockWindow } from "../../engines/clock-window.ts";
import { type Display, openDisplay } from "../../engines/display.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { openSoundServer, type SoundServer } from "../../engines/sound-server.ts";
import { startGame } from "./own-games.ts";
import { type OwnWindows, openOwnWindows } from "./own-windows.ts";

const skip = skipWithout(
  ...([
    "Wine",
    "Node.js for Windows",
    "ffmpeg for Windows",
    "kit-sound for Windows",
    "Xvfb",
    "ffmpeg",
    "PulseAudio",
  ] as const),
);
const playedTone = 440;
const voiceTone = 2_600;
const size = { width: 640, height: 360 };
const seconds = { preSeconds: 2, postSeconds: 1, mergeGapSeconds: 0, longestSeconds: 10, cooldownSeconds: 0 };
let display: Display;
let clock: ClockWindow;
let windows: OwnWindows;
let soundServer: SoundServer;
/** All clips go to a share. */
const clipsFolder = "\\\\server\\share\\Jörgs ゲーム";
let shareFolder: string;
const programs: SoundProgram[] = [];
beforeAll(async () => {
  if (skip !== false) return;
  display = await openDisplay(`${size.width}x${size.height}`);
  clock = await openClockWindow({ display: display.name, ...size });
  soundServer = await openSoundServer();
  for (const order of [{ hertz: playedTone }, { hertz: voiceTone, device: "voice" }]) {
    const program = await openSoundProgram(soundServer.address);
    programs.push(program);
    await program.order({ do: "play", ...order });
  }
  windows = await openOwnWindows(display.name, { PULSE_SERVER: soundServer.address, KIT_CLIPS_DIR: clipsFolder });
  shareFolder = windows.openShare("share");
  windows.install("ffmpeg", "kit-sound");
  await windows.begin();
});
afterAll(async () => {
  windows?.close();
  for (const program of programs) await program.end();
  await soundServer?.close();
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

const onLinux = (path: string) =>
  path.startsWith("\\\\server\\share\\")
    ? join(shareFolder, path.slice(15).replaceAll("\\", "/"))
    : join(windows.drive, path.replace(/^C:\\/i, "").replaceAll("\\", "/"));

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
  assert.ok(path.startsWith(clipsFolder), path);
  return onLinux(path);
}

test("a clip of the screen has the requested seconds without a gap, from the ffmpeg that came with Kit", {
  skip,
}, async () => {
  const { ffmpeg } = await windows.client.call(getRecorder);
  assert.deepEqual([ffmpeg?.from, ffmpeg?.path], ["kit", "C:\\kit\\ffmpeg.exe"]);
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
  console.log(`${source}, ${encoder}, ${frameRate.toFixed(1)} frames a second: ${JSON.stringify(verdict)}`);
  assert.deepEqual(verdict.faults, []);
});

test("each encoder of a graphics card is left out with a reason where none is, and x264 encodes", {
  skip,
}, async () => {
  const { ok, says, tried } = await windows.client.call(testRecorder);
  assert.ok(ok, textOf(says));
  const encoders = tried.filter(({ what }) => /^(h264_\w+|libx264 \w+)$/.test(textOf(what)));
  assert.deepEqual(
    encoders.map(({ what, ok: works }) => [textOf(what).split(" ")[0], works]),
    [
      ["h264_nvenc", false],
      ["h264_amf", false],
      ["h264_qsv", false],
      ["h264_mf", false],
      ["libx264", true],
    ],
  );
  const [nvenc, amf, quickSync, mediaFoundation] = encoders.map(({ why }) => textOf(why));
  assert.match(nvenc ?? "", /nvcuda|CUDA/i);
  assert.equal(amf, "this ffmpeg was built without it");
  assert.match(quickSync ?? "", /MFX/);
  assert.match(mediaFoundation ?? "", /MFT|encoder/i);
});

test("a clip becomes a GIF, an animated WebP, a smaller MP4 and a picture with the ffmpeg that came with Kit", {
  skip,
}, async () => {
  const { clips } = await windows.client.call(listClips, { query: {} });
  const clip = clips.find(({ state }) => state === "saved")?.id ?? assert.fail("no clip");
  let made = 0;
  const make = async (...words: string[]): Promise<string> => {
    made += 1;
    const out = `C:\\made-${made}`;
    const { code, output } = await windows.kit("api", ...words, "--out", out);
    assert.equal(code, 0, output);
    return readFileSync(onLinux(out)).toString("latin1", 0, 12);
  };
  const exported = async (preset: "gif" | "webp" | "vertical"): Promise<string> => {
    const range = { fromSeconds: 0, toSeconds: 1 };
    const { id } = await windows.client.call(exportClip, { body: { clip, preset, range } });
    await until("the copy is ready", async () => {
      const { exports } = await windows.client.call(listClipExports, { query: { clip } });
      return exports.find((one) => one.id === id)?.state === "ready" || undefined;
    });
    return make("getClipExportFile", `id=${id}`);
  };
  assert.match(await exported("gif"), /^GIF89a/);
  assert.match(await exported("webp"), /^RIFF....WEBP/s);
  assert.match(await exported("vertical"), /^....ftyp/s);
  assert.match(await make("getClipFrame", `id=${clip}`, "at=1"), /^.PNG/);
});

const isPainted = async (picture: string | null, channel: 0 | 1): Promise<boolean> => {
  const file = join(windows.drive, "picture.jpg");
  writeFileSync(file, Buffer.from(picture?.split(",")[1] ?? "", "base64"));
  const { ownMin, foreignMax } = await readColours(file, channel);
  return ownMin > 0.9 && foreignMax === 0;
};

test("the windows of games are listed with pictures, and recorded by title or as the game's, with sound and microphone", {
  skip,
}, async () => {
  const name = "Saga: the window";
  const run = startGame(windows, "saga", "saga_begun", [name, "0x00e000", 10, 320], ["Quest", "0x0000e0", 340, 280]);
  const listed = await until("both windows are listed with what they show", async () => {
    const { sources } = await windows.client.call(listRecorderSources);
    const [saga, quest] = [name, "Quest"].map((title) => sources.find((source) => source.name === title)?.picture);
    if (!saga || !quest) return undefined;
    return (await isPainted(saga, 1)) && (await isPainted(quest, 0)) ? sources : undefined;
  }).catch((error) => assert.fail(`${error.message}: ${run.output()}`));
  const [screen, saga] = listed;
  assert.deepEqual([screen?.kind, screen?.name, screen?.width, screen?.height], ["monitor", "DISPLAY1", 640, 360]);
  assert.deepEqual([saga?.kind, saga?.name], ["window", name]);
  assert.ok(saga !== undefined && saga.width > 250 && saga.height > 150, JSON.stringify(saga));
  await record(scene(), { picture: "window", window: "the WINDOW" });
  assert.equal((await recorder()).source, `window "${name}"`);
  await record(scene(), { picture: "game", window: null, sound: "game", microphone: true }, 3);
  const { source, detail } = await recorder();
  assert.equal(source, `window "${name}"`);
  // Wine has no process loopback, as old versions of Windows.
  assert.match(textOf(detail), /every program, because this Windows does not record a single one \(0x80070002\)/);
  await setRule(scene(), "saga_heard", seconds);
  await send("saga_heard", Date.now());
  const clip = await savedClip("saga_heard");
  const [sound, voice] = await Promise.all([readSound(clip, 0), readSound(clip, 1)]);
  const tones = [sound, voice].map((track) => [loudness(track, playedTone), loudness(track, voiceTone)]);
  console.log(`loudness of both tones in both tracks: ${JSON.stringify(tones)}`);
  const [[played = 0, leaked = 1] = [], [echoed = 1, spoken = 0] = []] = tones;
  assert.ok(played > 0.2 && spoken > 0.2 && leaked < 0.02 && echoed < 0.02, JSON.stringify(tones));
  run.child.kill("SIGKILL");
});

test("a window whose picture is black is refused with the reason, the screen is recorded instead, and another window is not black", {
  skip,
}, async () => {
  // As GDI sees a window that the graphics card draws.
  const run = startGame(windows, "dusk", "dusk_begun", ["Dusk", "0x000000", 10, 320], ["Lamp", "0x00e000", 340, 280]);
  await until("the window is shown", () => run.output().includes("shown"));
  await windows.client.call(changeRecorder, {
    body: { picture: "window", window: "Dusk", sound: "off", microphone: false },
  });
  const isBlack = async () =>
    /could not record the window: the picture of the window is black/.test(textOf((await recorder()).detail));
  await until("the black window is refused", async () => (await isBlack()) && recorder());
  await record(scene(), { picture: "game", window: null });
  await until(
    () => "the screen is recorded, and the recorder says why",
    async () => {
      const { state, source } = await recorder();
      return state === "recording" && /desktop|monitor/.test(source ?? "") && (await isBlack());
    },
  );
  await record(scene(), { picture: "window", window: "Lamp" });
  const { source, detail } = await recorder();
  assert.equal(source, 'window "Lamp"');
  assert.ok(!hasCode(detail, "source.window_is_black"), textOf(detail));
  run.child.kill("SIGKILL");
});

test("a monitor that is not connected is named, and the one that is chosen is recorded", { skip }, async () => {
  await windows.client.call(changeRecorder, { body: { picture: "screen", monitor: "DISPLAY7" } });
  await until("the recorder says what is missing", async () => {
    const { detail } = await recorder();
    return /DISPLAY7 is not connected/.test(textOf(detail)) || undefined;
  });
  await record(scene(), { monitor: "DISPLAY1", sound: "system" });
  await until("the chosen monitor is recorded", async () => {
    const { source } = await recorder();
    return source === "monitor DISPLAY1" || undefined;
  });
});

/** Prints how many handles a process has open. GetProcessHandleCount answers 0 under Wine. */
const countHandles = `
  const { functions } = require("node:ffi").dlopen("ntdll.dll", {
    NtQuerySystemInformation: { arguments: ["u32", "buffer", "u32", "buffer"], return: "i32" },
  });
  const table = Buffer.alloc(8 * 1024 * 1024);
  const extendedHandles = 64;
  if (functions.NtQuerySystemInformation(extendedHandles, table, table.length, Buffer.alloc(4)) !== 0) throw new Error();
  const rowBytes = 40;
  let count = 0;
  for (let row = 0, at = 16; row < Number(table.readBigUInt64LE(0)); row += 1, at += rowBytes)
    if (Number(table.readBigUInt64LE(at + 8)) === Number(process.argv[2])) count += 1;
  console.log(count);`;

test("twenty backups, twenty renamed clips and five new clips leave no handle open in the launcher", {
  skip,
}, async () => {
  writeFileSync(join(windows.drive, "handles.cjs"), countHandles);
  const { pid } = JSON.parse(readFileSync(join(windows.drive, "data/running.json"), "utf8")) as { pid: number };
  /** The fewest of some counts: connections and threads come and go. */
  const handles = async () => {
    const counts: number[] = [];
    for (let look = 0; look < 5; look += 1) {
      const words = ["--disable-warning=ExperimentalWarning", "C:\\handles.cjs", `${pid}`];
      counts.push(Number((await windows.run(pathOf("Node.js for Windows"), ...words)).output));
    }
    return Math.min(...counts);
  };
  const { clips } = await windows.client.call(listClips, { query: {} });
  const id = clips.find(({ state }) => state === "saved")?.id ?? assert.fail("no clip");
  const backAndForth = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      await windows.client.call(makeBackup);
      await windows.client.call(changeClip, { params: { id }, body: { title: `Round ${round} of ${rounds}` } });
      if (round % 4 > 0) continue;
      const eventId = `handle_${rounds}_${round}`;
      await setRule(scene(), eventId, { ...seconds, preSeconds: 1 });
      await send(eventId, Date.now());
      await savedClip(eventId);
    }
  };
  await record(scene(), {}, 2);
  // What is opened once, and stays, is open after these.
  await backAndForth(3);
  const before = await handles();
  const rounds = 20;
  await backAndForth(rounds);
  const grown = (await handles()) - before;
  console.log(`${before} handles, ${grown} more after ${rounds} rounds`);
  assert.ok(before > 50 && grown < rounds / 2, `${before} handles, ${grown} more`);
});

test("a launcher that is killed leaves nothing behind that records", { skip }, async () => {
  await record(scene(), { sound: "system" });
  const recording = () => ["ffmpeg.exe", "kit-sound.exe"].flatMap((name) => windows.processesWith(name));
  assert.notDeepEqual(recording(), []);
  await windows.kill();
  await until("all has ended", async () => recording().length === 0 || undefined);
});
