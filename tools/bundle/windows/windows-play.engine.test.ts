// Tests Play, recording from the start of a known game, and the link of a dashboard that cannot be opened, with Kit for Windows under Wine.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  changeLibraryGame,
  changeRecorder,
  type GameSession,
  getRecorder,
  hasCode,
  ingestOperations,
  KitError,
  listClips,
  listLibrary,
  listRecorderSources,
  listSessions,
  playGame,
} from "@kit/contract";
import { afterAll, beforeAll, type TestContext, test } from "vitest";
import { setRule } from "../../../launcher/test/recording/scene.ts";
import { until } from "../../../launcher/test/support/until.ts";
import { readClock } from "../../engines/clock-reader.ts";
import { type ClockWindow, openClockWindow } from "../../engines/clock-window.ts";
import { type Display, openDisplay } from "../../engines/display.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { type OwnWindows, openOwnWindows, startKit } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows", "ffmpeg for Windows", "Xvfb");
const size = { width: 640, height: 360 };
let display: Display;
let clock: ClockWindow;
let windows: OwnWindows;
beforeAll(async () => {
  if (skip !== false) return;
  display = await openDisplay(`${size.width}x${size.height}`);
  clock = await openClockWindow({ display: display.name, ...size });
  windows = await openOwnWindows(display.name);
  windows.install("ffmpeg");
  mkdirSync(onLinux(games));
  await windows.begin();
});
afterAll(async () => {
  windows?.close();
  await clock?.close();
  await display?.close();
});

const games = "C:\\Jörgs Spiele & ゲーム";
const onLinux = (path: string) => join(windows.drive, path.slice(3).replaceAll("\\", "/"));

/** Writes how it was started, sends an event when told to, and ends when its file `end` exists. */
const script = `
  const { existsSync, renameSync, writeFileSync } = require("node:fs");
  const [place, ...words] = process.argv.slice(2);
  const facts = { words, folder: process.cwd(), kit: process.env.KIT_URL };
  writeFileSync(place + ".new", JSON.stringify(facts));
  renameSync(place + ".new", place + ".facts");
  let sent = false;
  const send = async (eventId) => {
    const body = JSON.stringify({ eventId, timestamp: new Date().toISOString() });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(process.argv[3] + "${ingestOperations.recording.path}", { method: "POST", headers, body });
    console.log(answer.status);
  };
  console.log("loading the vault");
  setInterval(() => {
    if (existsSync(place + ".end")) process.exit(3);
    if (existsSync(place + ".crash")) process.getBuiltinModule("node:ffi").getInt8(8n);
    if (!sent && existsSync(place + ".send")) {
      sent = true;
      void send(require("node:path").win32.basename(place) + "_won");
    }
  }, 20);`;

type Facts = { readonly words: readonly string[]; readonly folder: string; readonly kit?: string };

/** Installs a game of that name, which ends with the test. */
function gameAt(t: TestContext, name: string, folder = games) {
  const program = `${folder}\\${name}.exe`;
  mkdirSync(onLinux(folder), { recursive: true });
  if (!existsSync(onLinux(program))) copyFileSync(pathOf("Node.js for Windows"), onLinux(program));
  writeFileSync(onLinux(`${folder}\\game.cjs`), script);
  const place = `${folder}\\${name}`;
  const tell = (order: "send" | "end" | "crash") => writeFileSync(onLinux(`${place}.${order}`), "");
  const forget = () => {
    for (const left of ["facts", "send", "end", "crash"]) rmSync(onLinux(`${place}.${left}`), { force: true });
  };
  forget();
  t.onTestFinished(() => tell("end"));
  return {
    program,
    words: [`${folder}\\game.cjs`, place, windows.address],
    tell,
    forget,
    started: async () => {
      const facts = onLinux(`${place}.facts`);
      await until(`${name} runs; ${windows.launcher()?.output()}`, () => existsSync(facts));
      return JSON.parse(readFileSync(facts, "utf8")) as Facts;
    },
  };
}

const setCommand = (game: string, program: string, words: readonly string[] = []) =>
  windows.client.call(changeLibraryGame, {
    body: { game, command: { program, arguments: [...words], folder: games } },
  });
const play = (game: string) => windows.client.call(playGame, { params: { game } });
const refusal = async (game: string): Promise<string> => {
  const error = await play(game).then(
    () => assert.fail(`${game} was started`),
    (why: unknown) => why,
  );
  assert.ok(error instanceof KitError, String(error));
  return error.message;
};
const inLibrary = async (name: string) =>
  (await windows.client.call(listLibrary)).games.find(({ game }) => game === name);
/** Looks into a copy of the database: SQLite of Linux knows no lock that Wine holds. A copy made while Kit writes may be torn. */
function hasLearned(program: string): boolean {
  const copy = join(windows.drive, "copy.db");
  try {
    for (const end of ["", "-wal"]) {
      rmSync(copy + end, { force: true });
      copyFileSync(join(windows.drive, `data/kit.db${end}`), copy + end);
    }
    using database = new DatabaseSync(copy);
    return database.prepare("SELECT 1 FROM game_program WHERE path = ?").get(program) !== undefined;
  } catch {
    return false;
  }
}
const sessionOf = (game: string, what: string, fits: (session: GameSession) => boolean) => {
  let last = "";
  return until(
    () => `a session of ${game} that ${what}; ${last}`,
    async () => {
      const { sessions } = await windows.client.call(listSessions, { query: { game } });
      last = JSON.stringify(sessions);
      return sessions.find(fits);
    },
  );
};

test("Play starts a game once at a time, with its exact words and in its folder, and its exit code is recorded", {
  skip,
}, async (t) => {
  const saga = gameAt(t, "saga");
  const words = ["--windowed", "two words", 'a "quoted\\" one\\', "%PATH% & ö ゲーム", ""];
  await setCommand("saga", saga.program, [...saga.words, ...words]);
  const tries = await Promise.allSettled([play("saga"), play("saga")]);
  assert.deepEqual(tries.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  const facts = await saga.started();
  assert.deepEqual(facts, { words: [windows.address, ...words], folder: games, kit: windows.address });
  const { knownBy, program } = await sessionOf("saga", "runs", ({ ending }) => ending === "running");
  assert.deepEqual([knownBy, program, (await inLibrary("saga"))?.playing], ["run", "saga.exe", true]);
  saga.tell("send");
  await sessionOf("saga", "has its event", ({ events }) => events === 1);
  saga.tell("end");
  const ended = await sessionOf("saga", "ended", ({ ending }) => ending === "exited");
  assert.deepEqual([ended.exitCode, ended.events], [3, 1]);
});

test("a played game outlives the launcher, is not started twice, and its crash is reported with its last output", {
  skip,
}, async (t) => {
  const quest = gameAt(t, "quest");
  await setCommand("quest", quest.program, quest.words);
  await play("quest");
  await quest.started();
  await sessionOf("quest", "runs", ({ ending }) => ending === "running");
  await windows.kill();
  await windows.begin();
  assert.match(await refusal("quest"), /quest has been running since/);
  quest.tell("crash");
  const { crash, exitCode } = await sessionOf("quest", "has a crash report", (session) => session.crash !== null);
  assert.equal(exitCode, 0xc0000005);
  const { event } = await windows.read<{ event: { payload: { stackTrace: string } } }>(`/api/events/${crash}`);
  assert.match(event.payload.stackTrace, /loading the vault/);
});

test("a game goes on when the program that watches it is killed", { skip }, async (t) => {
  const yarn = gameAt(t, "yarn");
  await setCommand("yarn", yarn.program, yarn.words);
  const { pid } = await play("yarn");
  await yarn.started();
  await sessionOf("yarn", "runs", ({ ending }) => ending === "running");
  const killed = await windows.run("taskkill.exe", "/F", "/PID", String(pid));
  assert.equal(killed.code, 0, killed.output);
  yarn.tell("send");
  await sessionOf("yarn", "has its event", ({ events }) => events === 1);
  yarn.tell("end");
  await sessionOf("yarn", "ended", ({ endedAt }) => endedAt !== null);
});

test("Play runs a batch file, and refuses with the reason what Windows cannot start", { skip }, async (t) => {
  // A batch file gets no word with an &.
  const tale = gameAt(t, "tale", "C:\\Old games");
  const batch = `${games}\\tale.bat`;
  writeFileSync(onLinux(batch), `@"${tale.program}" %*\r\n@exit /b %errorlevel%\r\n`);
  await setCommand("tale", batch, [...tale.words, "two words"]);
  await play("tale");
  assert.deepEqual((await tale.started()).words, [windows.address, "two words"]);
  const { sources, why } = await windows.client.call(listRecorderSources);
  assert.equal(why, null);
  const shown = sources.flatMap(({ kind, name }) => (kind === "window" ? [name] : []));
  assert.deepEqual(shown, [], "a console window");
  tale.tell("end");
  const { exitCode } = await sessionOf("tale", "ended", ({ ending }) => ending === "exited");
  assert.equal(exitCode, 3);
  await setCommand("tale", batch, ["%PATH%"]);
  assert.match(await refusal("tale"), /tale did not start: .*cannot safely pass/);
  const broken = `${games}\\broken.exe`;
  writeFileSync(onLinux(broken), "no program");
  await setCommand("broken", broken);
  assert.match(await refusal("broken"), /broken did not start: .*cannot be run/);
  rmSync(onLinux(broken));
  assert.match(await refusal("broken"), /broken\.exe/);
  writeFileSync(onLinux(`${games}\\notes.txt`), "");
  await assert.rejects(setCommand("notes", `${games}\\notes.txt`), /notes\.txt/);
  assert.equal((await inLibrary("broken"))?.sessions, 0);
});

test("a known game is recorded from the start of its process, so that its first event has footage, until it ends", {
  skip,
}, async (t) => {
  const epic = gameAt(t, "epic");
  const start = () => windows.start(epic.program, epic.words);
  const recorder = async () => (await windows.client.call(getRecorder)).state;
  const recording = () =>
    until("the recorder records", async () => {
      const { state, detail, heldSeconds } = await recorder();
      return state === "recording" && !hasCode(detail, "recorder.still_probing") && heldSeconds >= 2;
    });
  const idle = () => until("the recorder waits for a game", async () => (await recorder()).state === "idle");
  await windows.client.call(changeRecorder, {
    body: { when: "automatic", picture: "screen", sound: "off", backend: "ffmpeg" },
  });
  await setRule(windows, "epic_won", { preSeconds: 2, postSeconds: 0, mergeGapSeconds: 0, cooldownSeconds: 0 });
  const first = start();
  epic.tell("send");
  await until("Kit learns the program of the game", () => hasLearned(epic.program));
  await recording();
  epic.tell("end");
  await first.ended;
  await idle();
  const before = new Set((await windows.client.call(listClips, { query: {} })).clips.map(({ id }) => id));
  epic.forget();
  const second = start();
  await recording();
  const { events } = await windows.read<{ events: unknown[] }>("/api/events?game=epic&limit=100");
  assert.equal(events.length, 1, "the second run has sent nothing yet");
  epic.tell("send");
  let last = "";
  const clip = await until(
    () => `the clip of the first event; ${last}`,
    async () => {
      const { clips } = await windows.client.call(listClips, { query: {} });
      last = JSON.stringify(clips);
      return clips.find(({ id, state }) => !before.has(id) && state !== "pending");
    },
  );
  assert.deepEqual([clip.kind, clip.state], ["clip", "saved"], last);
  const offsetMs = (clip.events[0]?.offset ?? 0) * 1_000;
  const frames = await readClock(onLinux(clip.path ?? ""));
  console.log(`${frames.length} frames, the event at ${offsetMs} ms`);
  assert.ok(offsetMs > 1_900 && frames.length > 15, JSON.stringify(clip));
  epic.tell("end");
  await second.ended;
  await idle();
});

test("kit open prints the link if PowerShell, which opens pages, ends with an error", { skip }, async () => {
  const powerShell = join(windows.drive, "windows/system32/WindowsPowerShell/v1.0/powershell.exe");
  rmSync(powerShell, { force: true });
  // It knows none of PowerShell's options.
  copyFileSync(pathOf("Node.js for Windows"), powerShell);
  const run = startKit(windows, ["open"], { ...windows.settings, CI: "" });
  assert.equal(await run.ended, 0, run.output());
  assert.match(run.output(), /^http:\/\/127\.0\.0\.1:\d+\/#t=/m);
});
