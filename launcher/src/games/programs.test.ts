// A game's program is learnt from its events, and from then on its start and its end are noticed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { createProcesses, type Processes, type Program } from "./processes.ts";
import type { KnownProgram } from "./program-store.ts";
import { createPrograms } from "./programs.ts";

const saga: Program = { pid: 4_001, path: "/games/saga/saga", command: "/games/saga/saga --fullscreen" };
const lookEveryMs = 5_000;

/** A machine whose processes are a list; time passes when the test says so. */
function machine(t: TestContext, known: KnownProgram[] = []) {
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"] });
  const alive: Program[] = [];
  const said: string[] = [];
  let looks = 0;
  const processes: Processes = {
    async senderOf() {
      looks += 1;
      return alive[0];
    },
    runningFrom: (paths) => alive.filter(({ path }) => paths.has(path)),
  };
  const written: unknown[] = [];
  const programs = createPrograms({
    processes,
    load: async () => known,
    write: async (...statements) => void written.push(...statements),
    now: Date.now,
    onRunning: (game) => said.push(`${game} runs`),
    onEnded: (game) => said.push(`${game} ended`),
    onFailure: (error) => assert.fail(`${error}`),
  });
  const pass = (ms: number) => t.mock.timers.tick(ms);
  return { alive, said, written, programs, pass, looks: () => looks };
}

test("a program that sent an event and still runs is learnt, and its end is noticed", async (t) => {
  const { alive, said, written, programs, pass } = machine(t);
  alive.push(saga);
  await programs.sent("saga", 40_000);
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
  const programs = createPrograms({
    processes: {
      senderOf: async () => undefined,
      runningFrom() {
        looks += 1;
        throw new Error("EMFILE");
      },
    },
    load: async () => [],
    write: async () => undefined,
    now: Date.now,
    onRunning: () => undefined,
    onEnded: () => undefined,
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
  await programs.sent("saga", 40_000);
  alive.pop();
  pass(lookEveryMs);
  assert.deepEqual([written, said], [[], []]);
});

test("a sender that cannot be found is not looked for at every event", async (t) => {
  const { programs, pass, looks } = machine(t);
  for (let event = 0; event < 100; event += 1) await programs.sent("saga", 40_000);
  assert.equal(looks(), 1);
  pass(30_000);
  await programs.sent("saga", 40_000);
  assert.equal(looks(), 2);
});

test("an answer waits a tenth of a second for the look, and no longer", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"] });
  const programs = createPrograms({
    processes: { senderOf: () => new Promise(() => undefined), runningFrom: () => [] },
    load: async () => [],
    write: async () => undefined,
    now: Date.now,
    onRunning: () => undefined,
    onEnded: () => undefined,
    onFailure: (error) => assert.fail(`${error}`),
  });
  const waited = programs.sent("saga", 40_000);
  t.mock.timers.tick(100);
  await waited;
});

test("Linux names the process at the other end of a connection, also where IPv6 speaks IPv4", async (t) => {
  if (process.platform !== "linux") return t.skip("only Linux shows connections in /proc");
  for (const host of ["127.0.0.1", "::ffff:127.0.0.1"]) {
    const server = createServer().listen(0, host === "127.0.0.1" ? host : "::");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const script = `require("net").connect(${port}, ${JSON.stringify(host)}); setInterval(() => {}, 1000)`;
    const child = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
    try {
      const [socket] = await once(server, "connection");
      const processes = createProcesses(port);
      const program = await processes?.senderOf(socket.remotePort);
      assert.equal(program?.pid, child.pid);
      assert.ok(program?.command.includes(`net`));
      assert.deepEqual(
        processes?.runningFrom(new Set([program?.path ?? ""])).filter(({ pid }) => pid === child.pid),
        [program],
      );
      socket.destroy();
    } finally {
      child.kill("SIGKILL");
      server.close();
    }
  }
});
