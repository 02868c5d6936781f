// Tests of what Kit makes of the answers of a system, on a made-up system.
import assert from "node:assert/strict";
import { test } from "vitest";
import { createSystemProcesses } from "./system-processes.ts";

type Run = { path: string; startedAt: string; parent?: number; command?: string };

function machine() {
  const runs = new Map<number, Run>();
  const holders = new Map<number, number>();
  let reads = 0;
  const processes = createSystemProcesses({
    findPids: (connections) => connections.map(({ remotePort }) => holders.get(remotePort) ?? null),
    listPids: () => [...runs.keys()],
    readPath: (pid) => runs.get(pid)?.path,
    readStart: (pid) => runs.get(pid)?.startedAt,
    readParent: (pid) => runs.get(pid)?.parent,
    readCommand(pid) {
      reads += 1;
      return { command: runs.get(pid)?.command ?? "", arguments: [] };
    },
    readFolder: () => "C:\\Games",
    isEarlier: (one, other) => Number(one) <= Number(other),
  });
  const find = (...ports: number[]) =>
    processes.findPeers(ports.map((remotePort) => ({ remotePort, localPort: 9_876, isIpv6: false })));
  return { runs, holders, processes, find, reads: () => reads };
}
const saga: Run = { path: "C:\\Games\\saga.exe", startedAt: "100" };
const facts = { command: "", arguments: [], folder: "C:\\Games", ancestors: [] };

test("a process is read once for all its connections, and again when its id has another start time", () => {
  const { runs, holders, processes, find, reads } = machine();
  runs.set(7, saga);
  for (const port of [1, 2, 3]) holders.set(port, 7);
  const found = { pid: 7, ...saga, ...facts };
  assert.deepEqual(find(1, 2, 3, 4), [found, found, found, null]);
  find(1);
  assert.equal(reads(), 1);
  runs.set(7, { path: "C:\\Games\\quest.exe", startedAt: "200" });
  const next = { pid: 7, path: "C:\\Games\\quest.exe", startedAt: "200", ...facts };
  assert.deepEqual(find(1), [next]);
  assert.deepEqual([processes.readProcess(7), processes.readProcess(8)], [next, null]);
});

test("a process that has ended since, or belongs to another user, is unknown", () => {
  const { runs, holders, find } = machine();
  holders.set(1, 7).set(2, 8);
  const { path, ...protectedRun } = saga;
  runs.set(8, protectedRun as Run);
  assert.deepEqual(find(1, 2), ["unknown", "unknown"]);
});

test("the ancestors of a process are named, but not a later process with the id of one", () => {
  const { runs, holders, find } = machine();
  runs.set(5, { path: "C:\\Kit\\kit.exe", startedAt: "10", parent: 4 });
  runs.set(6, { path: "C:\\Kit\\kit.exe", startedAt: "50", parent: 5 });
  runs.set(7, { ...saga, parent: 6 }).set(4, { path: "C:\\other.exe", startedAt: "11" });
  holders.set(1, 7);
  const [peer] = find(1);
  assert.ok(peer && peer !== "unknown");
  assert.deepEqual(
    peer.ancestors.map(({ pid }) => pid),
    [6, 5],
  );
});

test("a program with its connections in a child process, as Chromium has them, is found as the parent", () => {
  const { runs, holders, find } = machine();
  runs.set(7, saga).set(8, { ...saga, startedAt: "101", parent: 7, command: "saga --type=utility" });
  holders.set(1, 8);
  assert.deepEqual(find(1), [{ pid: 7, ...saga, ...facts }]);
});

test("a program that has ended does not run, even if another one has its process id", () => {
  const { runs, processes } = machine();
  runs.set(7, saga);
  assert.equal(processes.isRunning({ pid: 7, path: saga.path }), true);
  runs.set(7, { path: "C:\\other.exe", startedAt: "200" });
  assert.equal(processes.isRunning({ pid: 7, path: saga.path }), false);
  runs.delete(7);
  assert.equal(processes.isRunning({ pid: 7, path: saga.path }), false);
});

test("programs that start are found among the new processes", () => {
  const { runs, processes } = machine();
  runs.set(7, saga);
  assert.deepEqual(processes.findStarted([saga.path]), []);
  runs.set(8, { ...saga, startedAt: "300" }).set(9, { path: "C:\\other.exe", startedAt: "300" });
  const started = { pid: 8, ...saga, startedAt: "300", command: "" };
  assert.deepEqual(processes.findStarted([saga.path]), [started]);
  assert.deepEqual(processes.findStarted([saga.path]), []);
  assert.deepEqual(processes.findRunning([saga.path]), [{ pid: 7, ...saga, command: "" }, started]);
  assert.deepEqual(processes.startTimes([7, 8, 10]), ["100", "300", null]);
});
