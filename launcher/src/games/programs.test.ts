// Tests of programs: Kit learns a game's program from its events, and then notices when it starts and ends.
import assert from "node:assert/strict";
import { test, vi } from "vitest";
import type { GameProgram } from "./game-store.ts";
import type { ProcessTable, Program } from "./process-lookup/processes.ts";
import { ProgramWatcher } from "./programs.ts";

const saga: Program = { pid: 4_001, path: "/games/saga/saga", command: "/games/saga/saga --fullscreen" };
/** Names `saga` as the sender of every event. */
const sentByProgram = {
  processOf: (sender: number | null) =>
    sender === null ? undefined : { ...saga, arguments: [], folder: "/games/saga", startedAt: "boot 1" },
};
const lookEveryMs = 5_000;

const lookupForbidden: Pick<ProcessTable, "findHoldersAmong" | "findHolders" | "find"> = {
  find: () => assert.fail("the watcher must not look up a process by itself"),
  findHoldersAmong: () => assert.fail("the watcher must not look up senders"),
  findHolders: () => assert.fail("the watcher must not look up senders"),
};

const aTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A machine with a list of processes and simulated time. */
function machine(known: GameProgram[] = []) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "Date"] });
  const alive: Program[] = [];
  const started: Program[] = [];
  const reported: string[] = [];
  const processes: ProcessTable = {
    ...lookupForbidden,
    findRunning: async (paths) => alive.filter(({ path }) => paths.has(path)),
    findStarted: async () => started.splice(0),
    isRunning: async ({ pid }) => alive.some((program) => program.pid === pid),
    find: async (pid) => (pid === saga.pid ? sentByProgram.processOf(1) : undefined),
  };
  const written: unknown[] = [];
  const programs = new ProgramWatcher({
    processes,
    senders: sentByProgram,
    storage: { read: async () => known, write: async (...statements) => void written.push(...statements) },
    now: Date.now,
    gameSeen: (game) => reported.push(`${game} seen`),
    gameRuns: (game) => reported.push(`${game} runs`),
    gameEnded: (game) => reported.push(`${game} ended`),
    onFailure: (error) => assert.fail(`${error}`),
  });
  /** One look at a time, because each waits for the answer of the system. */
  const advance = async (ms: number) => {
    for (let left = ms; left > 0; left -= 200) {
      vi.advanceTimersByTime(200);
      await aTurn();
    }
  };
  return { alive, started, reported, written, programs, advance };
}

test("a program that sent an event and still runs is saved, and its end is noticed", async () => {
  const { alive, reported, written, programs, advance } = machine();
  alive.push(saga);
  programs.noteGameEvent("saga", 1, "recording");
  reported.length = 0;
  await advance(lookEveryMs);
  assert.equal(written.length, 2);
  assert.deepEqual(reported, ["saga runs"]);
  alive.pop();
  await advance(lookEveryMs);
  assert.deepEqual(reported, ["saga runs", "saga ended"]);
});

test("a running program that a person adds as a game is saved, recorded at once, and known from then on", async () => {
  const { alive, reported, written, programs, advance } = machine();
  alive.push(saga);
  assert.equal(await programs.find(1), undefined);
  const found = (await programs.find(saga.pid)) ?? assert.fail();
  assert.equal(programs.gameOf(found), undefined);
  await programs.add("saga", found);
  assert.equal(written.length, 2);
  assert.deepEqual([programs.gameOf(found), reported], ["saga", ["saga seen"]]);
  alive.pop();
  await advance(lookEveryMs);
  assert.deepEqual(reported, ["saga seen", "saga ended"]);
});

test("a late event or a crash report of a run that has ended does not say that the game runs", async () => {
  const { alive, reported, programs, advance } = machine();
  alive.push(saga);
  programs.noteGameEvent("saga", 1, "recording");
  await advance(lookEveryMs);
  alive.pop();
  await advance(lookEveryMs);
  reported.length = 0;
  programs.noteGameEvent("saga", 1, "recording");
  programs.noteGameEvent("saga", null, "recording");
  await advance(4 * lookEveryMs);
  programs.noteGameEvent("saga", null, "monitor");
  assert.deepEqual(reported, []);
  // The same game may run in a browser, where Kit sees no program.
  programs.noteGameEvent("saga", null, "recording");
  assert.deepEqual(reported, ["saga seen"]);
});

test("a known game is noticed when it starts, before its first event", async () => {
  const { alive, reported, programs, advance } = machine([{ game: "saga", path: saga.path, command: saga.command }]);
  await programs.load();
  await aTurn();
  alive.push(saga);
  await advance(lookEveryMs);
  assert.deepEqual(reported, ["saga runs"]);
  await advance(lookEveryMs);
  assert.deepEqual(reported, ["saga runs", "saga runs"], "it is reported again while it runs");
});

test("the start and the end of a known game are noticed within a fifth of a second", async () => {
  const known = [{ game: "saga", path: saga.path, command: saga.command }];
  const { alive, started, reported, programs, advance } = machine(known);
  await programs.load();
  await aTurn();
  alive.push(saga);
  started.push(saga);
  await advance(200);
  assert.deepEqual(reported, ["saga seen"]);
  alive.pop();
  await advance(200);
  assert.deepEqual(reported, ["saga seen", "saga ended"]);
});

test("a known game that runs already is noticed when the launcher starts", async () => {
  const { alive, reported, programs } = machine([{ game: "saga", path: saga.path, command: saga.command }]);
  alive.push(saga);
  await programs.load();
  await aTurn();
  assert.deepEqual(reported, ["saga runs"]);
});

test("when one of two games ends, the other is reported as running", async () => {
  const quest = { pid: 4_002, path: "/games/quest/quest", command: "/games/quest/quest" };
  const known = [saga, quest].map(({ path, command }) => ({
    game: path.slice(path.lastIndexOf("/") + 1),
    path,
    command,
  }));
  const { alive, reported, programs, advance } = machine(known);
  alive.push(saga, quest);
  await programs.load();
  await aTurn();
  assert.deepEqual(reported.splice(0), ["saga runs", "quest runs"]);
  alive.shift();
  await advance(lookEveryMs);
  assert.deepEqual(reported, ["saga ended", "quest runs"]);
});

test("a failed look is reported, and the next look happens anyway", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "Date"] });
  let looks = 0;
  const failures: unknown[] = [];
  const programs = new ProgramWatcher({
    processes: {
      ...lookupForbidden,
      findStarted: async () => [],
      isRunning: async () => true,
      async findRunning() {
        looks += 1;
        throw new Error("EMFILE");
      },
    },
    senders: { processOf: () => undefined },
    storage: { read: async () => [], write: async () => undefined },
    now: Date.now,
    gameSeen: () => undefined,
    gameRuns: () => undefined,
    gameEnded: () => undefined,
    onFailure: (error) => void failures.push(error),
  });
  await programs.load();
  await aTurn();
  vi.advanceTimersByTime(lookEveryMs);
  await aTurn();
  assert.deepEqual([looks, failures.length], [2, 2]);
  programs.stop();
});

test("another program of the same interpreter is not the game", async () => {
  const node = { pid: 7, path: "/usr/bin/node", command: "node server.js" };
  const { alive, reported, programs, advance } = machine([{ game: "saga", path: node.path, command: "node game.js" }]);
  await programs.load();
  await aTurn();
  alive.push(node);
  await advance(lookEveryMs);
  assert.deepEqual(reported, []);
});

test("a program that ended soon after its event is not a game", async () => {
  const { alive, reported, written, programs, advance } = machine();
  alive.push(saga);
  programs.noteGameEvent("saga", 1, "recording");
  reported.length = 0;
  alive.pop();
  await advance(lookEveryMs);
  assert.deepEqual([written, reported], [[], []]);
});
