// A game's program is learnt from its events, and from then on its start and its end are noticed.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { GameProgram } from "./game-store.ts";
import type { ProcessTable, Program } from "./process-lookup/processes.ts";
import { ProgramWatcher } from "./programs.ts";

const saga: Program = { pid: 4_001, path: "/games/saga/saga", command: "/games/saga/saga --fullscreen" };
/** Every event was sent by it. */
const sentByProgram = {
  processOf: () => ({ ...saga, arguments: [], folder: "/games/saga", startedAt: "boot 1" }),
};
const lookEveryMs = 5_000;

const lookedAtByNobody: Pick<ProcessTable, "findHoldersAmong" | "findHolders"> = {
  findHoldersAmong: () => assert.fail("who sent an event is not its business"),
  findHolders: () => assert.fail("who sent an event is not its business"),
};

/** A machine whose processes are a list; time passes when the test says so. */
function machine(t: TestContext, known: GameProgram[] = []) {
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"] });
  const alive: Program[] = [];
  const said: string[] = [];
  const processes: ProcessTable = {
    ...lookedAtByNobody,
    findRunning: (paths) => alive.filter(({ path }) => paths.has(path)),
  };
  const written: unknown[] = [];
  const programs = new ProgramWatcher({
    processes,
    senders: sentByProgram,
    storage: { read: async () => known, write: async (...statements) => void written.push(...statements) },
    now: Date.now,
    gameSeen: (game) => said.push(`${game} runs`),
    gameEnded: (game) => said.push(`${game} ended`),
    onFailure: (error) => assert.fail(`${error}`),
  });
  const pass = (ms: number) => t.mock.timers.tick(ms);
  return { alive, said, written, programs, pass };
}

test("a program that sent an event and still runs is learnt, and its end is noticed", async (t) => {
  const { alive, said, written, programs, pass } = machine(t);
  alive.push(saga);
  programs.noteGameEvent("saga", 1);
  said.length = 0;
  pass(lookEveryMs);
  assert.equal(written.length, 2);
  assert.deepEqual(said, ["saga runs"]);
  alive.pop();
  pass(lookEveryMs);
  assert.deepEqual(said, ["saga runs", "saga ended"]);
});

test("a known game is noticed when it starts, before its first event", async (t) => {
  const { alive, said, programs, pass } = machine(t, [{ game: "saga", path: saga.path, command: saga.command }]);
  await programs.load();
  alive.push(saga);
  pass(lookEveryMs);
  assert.deepEqual(said, ["saga runs"]);
  pass(lookEveryMs);
  assert.deepEqual(said, ["saga runs", "saga runs"], "it is said again while it runs");
});

test("a known game that runs already is noticed when the launcher starts", async (t) => {
  const { alive, said, programs } = machine(t, [{ game: "saga", path: saga.path, command: saga.command }]);
  alive.push(saga);
  await programs.load();
  assert.deepEqual(said, ["saga runs"]);
});

test("when one of two games ends, it is said that the other one still runs", async (t) => {
  const quest = { pid: 4_002, path: "/games/quest/quest", command: "/games/quest/quest" };
  const known = [saga, quest].map(({ path, command }) => ({
    game: path.slice(path.lastIndexOf("/") + 1),
    path,
    command,
  }));
  const { alive, said, programs, pass } = machine(t, known);
  alive.push(saga, quest);
  await programs.load();
  assert.deepEqual(said.splice(0), ["saga runs", "quest runs"]);
  alive.shift();
  pass(lookEveryMs);
  assert.deepEqual(said, ["saga ended", "quest runs"]);
});

test("a look that fails is said, and the next one is taken all the same", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"] });
  let looks = 0;
  const failures: unknown[] = [];
  const programs = new ProgramWatcher({
    processes: {
      ...lookedAtByNobody,
      findRunning() {
        looks += 1;
        throw new Error("EMFILE");
      },
    },
    senders: { processOf: () => undefined },
    storage: { read: async () => [], write: async () => undefined },
    now: Date.now,
    gameSeen: () => undefined,
    gameEnded: () => undefined,
    onFailure: (error) => void failures.push(error),
  });
  await programs.load();
  t.mock.timers.tick(lookEveryMs);
  assert.deepEqual([looks, failures.length], [2, 2]);
  programs.stop();
});

test("another program of the same interpreter is not the game", async (t) => {
  const node = { pid: 7, path: "/usr/bin/node", command: "node server.js" };
  const { alive, said, programs, pass } = machine(t, [{ game: "saga", path: node.path, command: "node game.js" }]);
  await programs.load();
  alive.push(node);
  pass(lookEveryMs);
  assert.deepEqual(said, []);
});

test("a command line that sends one event and ends is no game", async (t) => {
  const { alive, said, written, programs, pass } = machine(t);
  alive.push(saga);
  programs.noteGameEvent("saga", 1);
  said.length = 0;
  alive.pop();
  pass(lookEveryMs);
  assert.deepEqual([written, said], [[], []]);
});
