// Tests of what the launcher makes of the answers of the lookup process.
import assert from "node:assert/strict";
import { test, vi } from "vitest";
import { createProcessLife } from "../../sessions/process-life.ts";
import type { OwnedWindow } from "./desktop-windows.ts";
import { type LookupClient, LookupUnavailable } from "./lookup-client.ts";
import { createSystemLookup } from "./system-lookup.ts";
import type { SystemProcess } from "./system-processes.ts";

const kit = "C:\\Kit\\kit.exe";
const saga: SystemProcess = {
  pid: 7,
  startedAt: "134401433541509580",
  path: "C:\\Games\\saga.exe",
  command: "saga.exe",
  arguments: [],
  folder: "C:\\Games",
  ancestors: [],
};

function machine() {
  const peers = new Map<number, SystemProcess | "unknown">();
  const starts = new Map<number, string>();
  const windows: OwnedWindow[] = [];
  const state = { isAvailable: true, isBroken: false };
  const failures: unknown[] = [];
  const answers = {
    findPeers: (connections: readonly { remotePort: number }[]) =>
      connections.map(({ remotePort }) => peers.get(remotePort) ?? null),
    listWindows: () => windows,
    startTimes: (pids: readonly number[]) => pids.map((pid) => starts.get(pid) ?? null),
  };
  const client = {
    async ask(name: keyof typeof answers, about: never) {
      if (!state.isAvailable) throw new LookupUnavailable("not now");
      if (state.isBroken) throw new Error("GetExtendedTcpTable failed with 5");
      return answers[name](about);
    },
    stop: () => undefined,
  } as unknown as LookupClient;
  const lookup = createSystemLookup({
    client,
    desktop: client,
    own: { pid: 1, path: kit },
    onFailure: (error) => failures.push(error),
  });
  const peerOf = async (remotePort: number) => {
    const connection = { remotePort, localPort: 9_876, remoteAddress: "127.0.0.1" };
    const name = (await lookup.findSockets([connection])).get(connection);
    return name === undefined ? "closed" : lookup.processes.findHoldersAmong([], new Set([name])).get(name)?.peer;
  };
  return { peers, starts, windows, state, failures, lookup, peerOf };
}

test("a connection has its process, a closed one has none, and a protected process stays unknown", async () => {
  const { peers, state, peerOf } = machine();
  peers.set(1, saga).set(2, "unknown");
  assert.equal(await peerOf(1), saga);
  assert.equal(await peerOf(2), undefined);
  assert.equal(await peerOf(3), "closed");
  state.isAvailable = false;
  assert.equal(await peerOf(1), "closed", "nothing is concluded while the system cannot be asked");
});

test("a system that refuses to answer is reported once, and its connections are unknown", async () => {
  const { peers, state, failures, peerOf } = machine();
  peers.set(1, saga);
  state.isBroken = true;
  for (let n = 0; n < 3; n += 1) assert.equal(await peerOf(1), "closed");
  assert.equal(failures.length, 1);
  state.isBroken = false;
  assert.equal(await peerOf(1), saga);
});

test("the run of a process is the one that kit run reported for it or for a process above it", async () => {
  const { peers, lookup, peerOf } = machine();
  const launched = { ...saga, pid: 8, ancestors: [{ pid: 7, startedAt: saga.startedAt, path: saga.path }] };
  lookup.noteRun("one", saga);
  peers
    .set(1, saga)
    .set(2, launched)
    .set(3, { ...saga, startedAt: "134401433541509581" });
  for (const port of [1, 2]) assert.equal(lookup.runOf((await peerOf(port)) as SystemProcess), "one");
  assert.equal(lookup.runOf((await peerOf(3)) as SystemProcess), undefined);
});

test("the first event of a process that kit run started waits for the report of kit run, for at most a second", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { peers, lookup, peerOf } = machine();
  const below = (pid: number, path: string) => ({ ...saga, pid, ancestors: [{ pid: 20 + pid, startedAt: "1", path }] });
  peers.set(1, below(1, kit)).set(2, below(2, kit)).set(3, below(3, "C:\\explorer.exe"));
  peers.set(4, { ...saga, pid: 4, ancestors: [{ pid: 1, startedAt: "1", path: kit }] });
  const aTurn = () => new Promise((resolve) => setImmediate(resolve));
  const reported = peerOf(1);
  const never = peerOf(2);
  const found: unknown[] = [];
  for (const each of [reported, never]) void each.then((peer) => found.push(peer));
  assert.equal(((await peerOf(3)) as SystemProcess).pid, 3, "no Kit started it");
  assert.equal(((await peerOf(4)) as SystemProcess).pid, 4, "this launcher started it, not kit run");
  await aTurn();
  assert.deepEqual(found, []);
  lookup.noteRun("one", below(1, kit));
  assert.equal(lookup.runOf((await reported) as SystemProcess), "one");
  vi.advanceTimersByTime(1_000);
  assert.equal(((await never) as SystemProcess).pid, 2);
});

test("the processes of a game are those below it that send events or have a window, as the newest list of windows says", async () => {
  const { peers, windows, lookup, peerOf } = machine();
  const window = { id: 1, title: "Saga", x: 0, y: 0, width: 640, height: 480, isShown: true };
  const parent = { pid: 7, startedAt: saga.startedAt, path: saga.path };
  peers.set(1, { ...saga, pid: 8, ancestors: [parent] }).set(2, { ...saga, pid: 10, ancestors: [parent] });
  assert.deepEqual([...lookup.processesOf(7)], [7]);
  await peerOf(1);
  assert.deepEqual([...lookup.processesOf(7)], [7, 8]);
  windows.push({ ...window, pid: 9, ancestors: [8, 7] }, { ...window, pid: 20, ancestors: [3] });
  await lookup.desktop.listWindows();
  assert.deepEqual([...lookup.processesOf(7)].toSorted(), [7, 8, 9]);
  // Process 7 has ended, and another one has its id.
  await peerOf(2);
  windows.push({ ...window, pid: 10, ancestors: [] });
  await lookup.desktop.listWindows();
  assert.deepEqual([...lookup.processesOf(7)].toSorted(), [7, 8, 9]);
});

test("a process lives until it ends or its id belongs to another one; start times are times of the clock", async () => {
  const { starts, state, lookup } = machine();
  const life = createProcessLife(Date.now, lookup);
  // The id of this process exists in any case.
  const own = { pid: process.pid, startedAt: "1" };
  starts.set(own.pid, "1");
  await life.look([own]);
  assert.deepEqual([life.isAlive(own), life.isAlive({ ...own, startedAt: "2" })], [true, false]);
  assert.deepEqual(await life.findProcess(own.pid), own);
  starts.delete(own.pid);
  await life.look([own]);
  assert.equal(life.isAlive(own), false);
  assert.equal(await life.findProcess(own.pid), undefined);
  state.isAvailable = false;
  await life.look([own]);
  assert.equal(life.isAlive(own), true, "without an answer, only the id counts");
  assert.equal(new Date(life.startedMs(saga) ?? 0).toISOString(), "2026-11-26T05:09:14.150Z");
});
