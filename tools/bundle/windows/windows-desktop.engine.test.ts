// Tests under Wine how Kit for Windows takes part in the desktop: it finds the window of a game that another program
// started, tells of saved clips, and puts their files on the clipboard.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Clip,
  changeRecorder,
  type GameSession,
  getRecorder,
  listRecorderSources,
  listSessions,
  saveRecording,
  textOf,
} from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { until } from "../../../launcher/test/support/until.ts";
import { type Display, openDisplay } from "../../engines/display.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { repositoryRoot } from "../../repository.ts";
import { type GameWindow, runBatchOfGame, startGame, startGameOfLauncher } from "./own-games.ts";
import { type OwnWindows, openOwnWindows } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows", "ffmpeg for Windows", "Xvfb");
let display: Display;
let windows: OwnWindows;
beforeAll(async () => {
  if (skip !== false) return;
  display = await openDisplay("640x360");
  windows = await openOwnWindows(display.name, { KIT_CLIPS_DIR: "C:\\Überraschung クリップ" });
  windows.install("ffmpeg");
  await windows.begin();
});
afterAll(async () => {
  windows?.close();
  await display?.close();
});

const recorder = async () => (await windows.client.call(getRecorder)).state;
const records = (source: string) => {
  let last = "";
  return until(
    () => `the recorder records ${source}; it says ${last}`,
    async () => {
      const state = await recorder();
      last = JSON.stringify([state.state, state.source, textOf(state.detail)]);
      return (state.state === "recording" && state.source === source) || undefined;
    },
  );
};

test("the window of a game that a launcher started is recorded as the game's, not the screen", { skip }, async () => {
  await windows.client.call(changeRecorder, { body: { when: "always", picture: "game", sound: "off" } });
  const run = startGameOfLauncher(windows, "saga", "saga_begun", ["Saga", "0x00e000", 10, 320]);
  await records('window "Saga"');
  run.child.kill("SIGKILL");
});

for (const [name, how, flags] of [
  ["fable", "kit run", []],
  ["legend", "Play", ["--unseen"]],
] as const)
  test(`the window of a game that a batch file of ${how} started is recorded, in the session of the run`, {
    skip,
  }, async () => {
    const run = runBatchOfGame(windows, name, flags, [name, "0x00e000", 10, 320]);
    await until("the window is shown", () => run.output().includes("shown"));
    await records(`window "${name}"`);
    const sessionOfRun = async (has: (session: GameSession) => boolean) => {
      const { sessions } = await windows.client.call(listSessions);
      const [found, ...more] = sessions.filter(
        ({ knownBy, program }) => knownBy === "run" && program === `${name}.bat`,
      );
      assert.equal(more.length, 0);
      return found !== undefined && has(found) ? found : undefined;
    };
    await until("the event belongs to the run", () => sessionOfRun(({ events }) => events === 1));
    for (const pid of windows.processesWith(`${name}.cjs`, `${name}.exe`)) process.kill(pid, "SIGKILL");
    await until("the session ends with the game", () => sessionOfRun(({ endedAt }) => endedAt !== null));
    await run.ended;
  });

async function saveClip(): Promise<Clip> {
  await until("there is enough footage", async () => (await recorder()).heldSeconds > 6 || undefined);
  const clip = await windows.client.call(saveRecording, { body: { seconds: 5 } });
  assert.equal(clip.state, "saved", textOf(clip.reason ?? ""));
  return clip;
}

const notifications = "HKCU\\Software\\Classes\\AppUserModelId\\Kit.Launcher";

test("with the default settings, Kit says nothing of a clip over a full-screen game, and tells of one beside a window", {
  skip,
}, async () => {
  const { trouble } = await windows.client.call(getRecorder);
  assert.equal(trouble.clipNotice, null);
  // Kit tells Windows its name right before each notification. Wine does not show it.
  const hasTold = async () => (await windows.run("reg", "query", notifications)).code === 0;
  assert.equal(await hasTold(), false);
  const saveIn = async (name: string, width: GameWindow[3]) => {
    const run = startGame(windows, name, `${name}_begun`, [name, "0x0000e0", 10, width]);
    await until("the window is in front", () => run.output().includes("in front"));
    await records(`window "${name}"`);
    assert.equal(await hasTold(), false);
    await saveClip();
    return run;
  };
  const filling = await saveIn("vast", "full screen");
  // The launcher asks about windows in turn: after this answer, it also knows whether the screen was filled.
  await windows.client.call(listRecorderSources);
  filling.child.kill("SIGKILL");
  const small = await saveIn("quest", 320);
  await until("Kit tells Windows its name", hasTold);
  small.child.kill("SIGKILL");
});

test("Kit knows whether the window in front fills the screen, which a maximised one with a title bar does not", {
  skip,
}, async (t) => {
  const desktop = join(repositoryRoot, "launcher/src/games/process-lookup/native/desktop-windows.ts");
  const script = `
    import { openDesktop } from "file:///Z:${desktop}";
    const desktop = openDesktop();
    setInterval(() => console.log(desktop.isScreenFilled()), 50);`;
  writeFileSync(join(windows.drive, "filled.mjs"), script);
  const watcher = windows.start(pathOf("Node.js for Windows"), [
    "--disable-warning=ExperimentalWarning",
    "C:\\filled.mjs",
  ]);
  t.onTestFinished(() => void watcher.child.kill("SIGKILL"));
  const said = () => watcher.output().split(/\s+/).filter(Boolean);
  /** What the watcher says in a look that begins from now on. */
  const judge = async () => {
    const before = said().length;
    return until(
      () => `the watcher looks; it says ${watcher.output().slice(-300)}`,
      () => said()[before + 1],
    );
  };
  for (const [name, width, expected] of [
    ["quest", 320, "false"],
    ["vast", "full screen", "true"],
    ["tall", "maximised", "false"],
  ] as const) {
    const game = startGame(windows, name, `${name}_begun`, [name, "0x00e000", 10, width]);
    t.onTestFinished(() => void game.child.kill("SIGKILL"));
    await until("the window is in front", () => game.output().includes("in front"));
    assert.equal(await judge(), expected, name);
  }
});
