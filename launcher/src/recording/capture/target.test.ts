// Tests of the choice of what is captured, with windows that the test opens and closes.
import assert from "node:assert/strict";
import { hasCode, type RecorderSettings, recorderDefaults } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type TestContext, test, vi } from "vitest";
import { type CaptureTarget, subjectOf, TargetChooser } from "./target.ts";
import type { CapturedWindow, WindowEvents, WindowWish } from "./window.ts";

const window: CapturedWindow = { id: 7, title: "Saga", width: 640, height: 480, isShown: true };
const times = { openingMs: 20, endedMs: 20, refollowMs: 20 };

function open(t: TestContext, changes: Partial<RecorderSettings> = {}) {
  const followed: { wish: WindowWish; events: WindowEvents; isStopped: boolean }[] = [];
  const settings = { ...recorderDefaults, ...changes };
  const facts = { isRecording: false, children: [] as number[] };
  let waiting: { holds: (target: CaptureTarget) => boolean; done: () => void } | undefined;
  const chooser = new TargetChooser({
    settings: () => settings,
    follow(wish, events) {
      const entry = { wish, events, isStopped: false };
      followed.push(entry);
      return {
        stop() {
          entry.isStopped = true;
        },
      };
    },
    processesOf: (pid) => new Set([pid, ...facts.children]),
    isRecording: () => facts.isRecording,
    mayRecordScreen: () => true,
    onGame: () => undefined,
    onChanged: () => waiting?.holds(chooser.current()) && waiting.done(),
    times,
  });
  t.onTestFinished(() => chooser.stop());
  chooser.applySettings();
  return {
    chooser,
    followed,
    settings,
    facts,
    newest: () => followed.at(-1)?.events as WindowEvents,
    becomes: (holds: (target: CaptureTarget) => boolean) =>
      holds(chooser.current())
        ? Promise.resolve()
        : new Promise<void>((done) => {
            waiting = { holds, done };
          }),
  };
}
const isNothing = (target: CaptureTarget, code: string) => target.kind === "nothing" && hasCode(target.why, code);
const isScreen = (target: CaptureTarget) => target.kind === "screen" && target.why !== null;

test("nothing is captured until the window of a game is found, then only that window", (t) => {
  const { chooser, newest, followed } = open(t);
  assert.ok(isScreen(chooser.current()));
  chooser.gameRuns("saga", { pid: 42, hasJustStarted: false });
  assert.ok(isNothing(chooser.current(), "window.searching"));
  const { wish } = followed[0] ?? {};
  assert.deepEqual(wish && "processes" in wish && [...wish.processes()], [42]);
  newest().onWindow(window);
  assert.deepEqual(chooser.current(), { kind: "window", window, subject: "game saga 42" });
  chooser.gameRuns("saga", { pid: 42, hasJustStarted: false });
  assert.equal(followed.length, 1, "the same process is followed once");
});

test("a game that another program started is followed as one with it", (t) => {
  const { chooser, newest, followed, facts } = open(t);
  chooser.gameRuns("saga", { pid: 42, hasJustStarted: true });
  newest().onWindow(window);
  facts.children.push(50);
  chooser.gameRuns("saga", { pid: 50, hasJustStarted: false });
  assert.deepEqual([followed.length, chooser.current()], [1, { kind: "window", window, subject: "game saga 42" }]);
  chooser.gameRuns("saga", { pid: 77, hasJustStarted: false });
  assert.equal(followed.length, 2, "a process of another start of the game is followed anew");
});

test("a game without a window is recorded with the whole screen, at once if it already sends events", async (t) => {
  const { chooser, newest, becomes } = open(t);
  chooser.gameRuns("saga", { pid: 42, hasJustStarted: false });
  newest().onWindow(undefined);
  assert.ok(isScreen(chooser.current()));
  chooser.gameRuns("epic", { pid: 43, hasJustStarted: true });
  newest().onWindow(undefined);
  assert.ok(isNothing(chooser.current(), "window.searching"), "a game that just started may still open its window");
  await becomes(isScreen);
});

test("a screen that is recorded all the time is recorded until the window is found", (t) => {
  const { chooser, newest, facts } = open(t, { when: "always" });
  facts.isRecording = true;
  chooser.gameRuns("saga", { pid: 42, hasJustStarted: true });
  assert.equal(chooser.current().kind, "screen");
  newest().onWindow(window);
  assert.equal(chooser.current().kind, "window");
});

test("a minimised or closed window pauses the capture, and the screen never takes its place", (t) => {
  const { chooser, newest } = open(t);
  chooser.gameRuns("saga", { pid: 42, hasJustStarted: false });
  newest().onWindow(window);
  newest().onWindow({ ...window, isShown: false });
  assert.ok(isNothing(chooser.current(), "window.minimised"));
  newest().onWindow(undefined);
  assert.ok(isNothing(chooser.current(), "window.closed"));
  chooser.gameEnded("saga");
  assert.ok(isNothing(chooser.current(), "window.game_ended"));
});

test("after a captured game, the screen is recorded only for a game without a process, or if a person records all the time", (t) => {
  for (const [when, after] of [
    ["automatic", "nothing"],
    ["always", "screen"],
  ] as const) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { chooser, newest } = open(t, { when });
    chooser.gameRuns("saga", { pid: 42, hasJustStarted: false });
    newest().onWindow(window);
    chooser.gameEnded("saga");
    assert.ok(isNothing(chooser.current(), "window.game_ended"));
    vi.advanceTimersByTime(times.endedMs);
    assert.equal(chooser.current().kind, after);
    chooser.unknownGameRuns();
    assert.ok(isScreen(chooser.current()));
  }
});

test("of two games the newer is followed, and the older again when the newer ends", (t) => {
  const { chooser, newest, followed } = open(t);
  chooser.gameRuns("saga", { pid: 42, hasJustStarted: false });
  chooser.gameRuns("epic", { pid: 43, hasJustStarted: false });
  assert.equal(followed[0]?.isStopped, true);
  newest().onWindow(window);
  chooser.gameRuns("saga", { pid: 42, hasJustStarted: false });
  assert.equal(followed.length, 2, "an event of the older game changes nothing");
  chooser.gameEnded("epic");
  newest().onWindow(window);
  assert.deepEqual(chooser.current(), { kind: "window", window, subject: "game saga 42" });
});

test("when a window cannot be followed any more, nothing is captured until it is followed again", async (t) => {
  const { chooser, newest, followed, becomes } = open(t);
  chooser.gameRuns("saga", { pid: 42, hasJustStarted: false });
  newest().onWindow(window);
  newest().onLost(message("display.closed_connection"));
  assert.equal(chooser.current().kind, "nothing");
  const before = followed.length;
  const again = becomes(({ kind }) => kind === "window");
  while (followed.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  newest().onWindow(window);
  await again;
});

test("a title selects the window, and without one the refusal of the capture says so", (t) => {
  const { chooser, newest, settings } = open(t, { picture: "window", window: "Map" });
  newest().onWindow(undefined);
  assert.deepEqual(chooser.current(), { kind: "title", title: "Map" });
  newest().onWindow(window);
  assert.equal(chooser.current().kind, "window");
  settings.picture = "screen";
  chooser.applySettings();
  assert.deepEqual(chooser.current(), { kind: "screen", why: null });
});

test("a chosen window holds for its game: without it, the own window of a game is captured, and never the screen", (t) => {
  const { chooser, followed, settings } = open(t, { picture: "window", window: "Saga" });
  const last = (kind: "title" | "processes") => followed.findLast(({ wish }) => kind in wish)?.events as WindowEvents;
  chooser.gameRuns("saga", { pid: 42, hasJustStarted: false });
  last("title").onWindow({ ...window, pid: 42 });
  assert.equal(followed.length, 1, "no other window is looked for");
  last("title").onWindow(undefined);
  last("processes").onWindow(undefined);
  assert.deepEqual(chooser.current(), { kind: "title", title: "Saga" }, "without any window, nothing takes its place");
  chooser.gameEnded("saga");
  chooser.gameRuns("epic", { pid: 43, hasJustStarted: false });
  const own = { ...window, id: 9, title: "Epic", pid: 43 };
  last("processes").onWindow(own);
  assert.deepEqual(chooser.current(), { kind: "window", window: own, subject: "game epic 43" });
  const again = { ...window, pid: 42 };
  last("title").onWindow(again);
  assert.equal(subjectOf(chooser.current()), "game epic 43", "a window of another game that is open, too");
  chooser.gameRuns("saga", { pid: 42, hasJustStarted: false });
  assert.deepEqual(chooser.current(), { kind: "window", window: again, subject: "window Saga" });
  settings.window = "Map";
  chooser.applySettings();
  last("title").onWindow({ ...window, title: "Map", pid: 7 });
  assert.equal(subjectOf(chooser.current()), "window Map", "a window of no game holds for each");
});

test("a window that cannot be captured gives way to the screen, which says why, until another game runs", (t) => {
  const { chooser, newest, followed } = open(t);
  chooser.gameRuns("saga", { pid: 42, hasJustStarted: false });
  newest().onWindow(window);
  chooser.refuseWindow(message("source.window_is_black"));
  const target = chooser.current();
  assert.ok(target.kind === "screen" && hasCode(target.why ?? "", "source.window_is_black"));
  assert.equal(followed[0]?.isStopped, true);
  chooser.gameRuns("quest", { pid: 50, hasJustStarted: false });
  newest().onWindow({ ...window, id: 8 });
  assert.equal(chooser.current().kind, "window");
});
