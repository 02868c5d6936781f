// Tests of the assignment of games to captures, with windows and backends that the test controls.
import assert from "node:assert/strict";
import { hasCode, type RecorderSettings, type RecorderState, recorderDefaults } from "@kit/contract";
import { type TestContext, test } from "vitest";
import { planOf } from "../plans/test/plan-of.ts";
import { GameCaptures } from "./game-captures.ts";
import type { CaptureTarget } from "./target.ts";
import { idleCaptureState } from "./thread/ffmpeg-state.ts";
import type { WindowEvents } from "./window.ts";

function open(t: TestContext, changes: Partial<RecorderSettings> = {}, sees = true) {
  const settings = { ...recorderDefaults, ...changes };
  const clock = { nowMs: 0 };
  const cuts: number[] = [];
  const ended = new Set<number>();
  let started = 0;
  const targets: (() => CaptureTarget)[] = [];
  const recording = new Set<number>();
  /** The newest search for a window of each process. */
  const searches = new Map<number | undefined, WindowEvents>();
  const follow = (wish: { processes?: () => ReadonlySet<number> }, events: WindowEvents) => {
    const [pid] = wish.processes?.() ?? [];
    searches.set(pid, events);
    return { stop: () => void searches.delete(pid) };
  };
  const captures = new GameCaptures({
    settings: () => settings,
    follow: sees ? (follow as never) : undefined,
    processesOf: (pid) => new Set([pid]),
    isProcessRunning: (pid) => !ended.has(pid),
    now: () => clock.nowMs,
    onChanged: () => undefined,
    createBackend(number, target) {
      targets[number] = target;
      const nothing = async () => undefined;
      return {
        name: "ffmpeg",
        state: (): RecorderState => ({
          ...idleCaptureState,
          restarts: 0,
          lostSeconds: 0,
          state: recording.has(number) ? "recording" : "idle",
          detail: `capture ${number}`,
        }),
        start: nothing,
        stop: nothing,
        hold: () => undefined,
        release: () => undefined,
        cut: async () => void cuts.push(number) as never,
        probeResults: () => [],
        killOrphans: nothing,
        search: nothing,
        prepare: nothing,
        missing: () => undefined,
        updateSound: () => undefined,
      };
    },
  });
  t.onTestFinished(() => captures.close());
  captures.applySettings();
  /** A program with a window. It runs until `end`. */
  const run = (game: string, hasWindow = true) => {
    started += 1;
    const pid = started;
    captures.gameRuns(game, { pid, hasJustStarted: false });
    const window = { id: pid, title: game, width: 640, height: 480, isShown: true };
    searches.get(pid)?.onWindow(hasWindow ? window : undefined);
    return { pid, end: () => void ended.add(pid) };
  };
  const cutOf = async (game: string | null, fromMs = 0) => {
    await captures.cut({ ...planOf(fromMs, fromMs + 1_000), game }, "clip.mp4");
    return cuts.at(-1);
  };
  const shows = () =>
    targets.map((target) => {
      const current = target();
      return current.kind === "window" ? current.window.title : current.kind;
    });
  return { captures, clock, recording, run, cutOf, shows, settings };
}

test("each of two games has a capture of its own, and its clips are cut from it", async (t) => {
  const { captures, run, cutOf, shows } = open(t);
  const saga = run("saga");
  const quest = run("quest");
  assert.deepEqual(shows(), ["saga", "quest"]);
  assert.deepEqual([await cutOf("saga"), await cutOf("quest")], [0, 1]);
  captures.gameRuns("saga", { pid: saga.pid, hasJustStarted: false });
  captures.gameRuns("quest", { pid: quest.pid, hasJustStarted: false });
  assert.deepEqual(shows(), ["saga", "quest"], "events change nothing");
});

test("a third game gets no clip of another, and gets a capture when one ends", async (t) => {
  const { captures, run, cutOf, shows } = open(t);
  run("saga");
  run("quest");
  const epic = run("epic");
  await assert.rejects(cutOf("epic"), (error: { detail?: unknown; message: string }) =>
    /another game/.test(error.message),
  );
  captures.gameEnded("saga");
  captures.gameRuns("epic", { pid: epic.pid, hasJustStarted: false });
  assert.equal(await cutOf("epic"), 0);
  assert.equal(shows()[1], "quest");
});

test("a game whose process is unknown gets no clip of another game's window", async (t) => {
  const { captures, run, cutOf } = open(t);
  run("saga");
  captures.gameRuns("epic", undefined);
  await assert.rejects(cutOf("epic"), /another game/);
  assert.equal(await cutOf("saga"), 0);
});

test("whose picture a clip would show is decided by its time: a game that has ended since gets no clip of another", async (t) => {
  const { captures, clock, run, cutOf } = open(t);
  run("saga");
  run("quest");
  run("epic");
  captures.gameRuns("web", undefined);
  // The clips are cut later, when nothing of all that runs.
  clock.nowMs = 60_000;
  for (const game of ["epic", "web", "saga", "quest"]) captures.gameEnded(game);
  for (const game of ["epic", "web"]) await assert.rejects(cutOf(game), /another game/);
  assert.deepEqual([await cutOf("saga"), await cutOf("quest")], [0, 1]);
});

test("a game whose process is unknown gets the screen once the game before it has ended, and no clip of that one", async (t) => {
  const { captures, clock, run, cutOf, shows } = open(t);
  run("saga");
  clock.nowMs = 500;
  captures.gameEnded("saga");
  assert.deepEqual(shows(), ["nothing", "nothing"]);
  captures.gameRuns("web", undefined);
  assert.equal(shows()[0], "screen");
  await assert.rejects(cutOf("web"), /another game/);
  clock.nowMs = 60_000;
  assert.equal(await cutOf("web", 59_000), 0);
});

test("a program that sends events of several games has one capture", async (t) => {
  const { captures, run, cutOf, shows } = open(t);
  const saga = run("saga");
  captures.gameRuns("demo", { pid: saga.pid, hasJustStarted: false });
  assert.deepEqual(shows(), ["saga", "nothing"]);
  assert.deepEqual([await cutOf("saga"), await cutOf("demo"), await cutOf(null)], [0, 0, 0]);
});

test("a game without a window beside another game records nothing, not the screen with the other game", async (t) => {
  const { captures, run, shows } = open(t);
  run("saga");
  captures.gameRuns("tool", { pid: 900, hasJustStarted: false });
  assert.deepEqual(shows(), ["saga", "nothing"]);
});

test("a program that ended unseen leaves its capture to the next game", async (t) => {
  const { run, cutOf } = open(t);
  const saga = run("saga");
  run("quest");
  saga.end();
  run("epic");
  assert.equal(await cutOf("epic"), 0);
});

test("footage that a clip of an ended game still needs is not given up for the next game", async (t) => {
  const { captures, run, cutOf } = open(t);
  run("saga");
  captures.hold("clip", 0);
  captures.gameEnded("saga");
  run("quest");
  assert.deepEqual([await cutOf("saga"), await cutOf("quest")], [0, 1]);
});

test("a game without a window records the screen, even if a clip of the game before it is unfinished", async (t) => {
  const { captures, run, shows } = open(t);
  const saga = run("saga");
  captures.hold("clip", 0);
  captures.gameEnded("saga");
  saga.end();
  const tool = run("tool", false);
  assert.deepEqual(shows(), ["nothing", "screen"]);
  tool.end();
  captures.gameEnded("tool");
  assert.equal(shows()[1], "nothing");
});

test("while one capture runs a game, the other does not record the screen, and the state is of the game's", async (t) => {
  const { captures, run, shows, recording } = open(t, { when: "always" });
  run("saga");
  run("quest");
  captures.gameEnded("saga");
  assert.deepEqual(shows(), ["nothing", "quest"]);
  assert.equal(captures.state().detail, "capture 1");
  recording.add(0);
  assert.equal(captures.state().detail, "capture 0");
  recording.add(1);
  assert.ok(!hasCode(captures.state().detail, "window.searching"));
  assert.match(JSON.stringify(captures.state().detail), /capture 0.*capture 1/);
});

test("where windows cannot be followed, or the screen is chosen, all games share one capture", async (t) => {
  for (const [changes, sees] of [
    [{ picture: "screen" }, true],
    [{}, false],
  ] as const) {
    const { run, cutOf, shows } = open(t, changes, sees);
    run("saga");
    run("quest");
    assert.deepEqual([await cutOf("saga"), await cutOf("quest")], [0, 0]);
    assert.deepEqual(shows(), ["screen", "nothing"]);
  }
});

test("a person who chooses the screen or a window while two games run gets one capture", async (t) => {
  const { captures, run, cutOf, shows, settings } = open(t);
  run("saga");
  run("quest");
  for (const change of [{ picture: "screen" }, { picture: "window", window: "Chat" }] as const) {
    Object.assign(settings, change);
    captures.applySettings();
    assert.equal(shows()[1], "nothing", change.picture);
    captures.gameRuns("quest", { pid: 900, hasJustStarted: false });
    assert.equal(await cutOf("quest"), 0, change.picture);
  }
});
