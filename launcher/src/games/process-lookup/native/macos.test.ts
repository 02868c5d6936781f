// Tests of how answers of macOS are read, on made-up ones with the layout of Apple's headers. Nobody has run this on a Mac.
import assert from "node:assert/strict";
import { test } from "vitest";
import { createMacReader, type Libproc, macStartMs } from "./macos.ts";
import { createSystemProcesses } from "./system-processes.ts";

type Connection = readonly [localPort: number, remotePort: number];
type Run = {
  parent: number;
  path: string;
  seconds: number;
  words: readonly string[];
  connections: readonly Connection[];
  isZombie?: boolean;
};

const connectionKind = 2;
/** A Mac with these processes. Its other users' processes are listed, but tell nothing. */
function macWith(runs: Record<number, Run>, others: readonly number[] = []) {
  const asked = { lists: 0, sockets: 0 };
  let nowMs = 0;
  const fill = (buffer: Buffer, items: readonly Buffer[]) => {
    const all = Buffer.concat(items);
    return all.copy(buffer);
  };
  const int = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    return bytes;
  };
  const facts = ({ parent, seconds, isZombie }: Run) => {
    const info = Buffer.alloc(136);
    info.writeUInt32LE(isZombie ? 5 : 2, 4);
    info.writeUInt32LE(parent, 16);
    info.writeBigUInt64LE(BigInt(seconds), 120);
    info.writeBigUInt64LE(42n, 128);
    return info;
  };
  const folder = Buffer.alloc(2_352);
  folder.write("/Applications/Saga.app", 152);
  const libproc: Libproc = {
    proc_listpids(_type, _info, buffer) {
      asked.lists += 1;
      nowMs += 10;
      return fill(buffer, [...others, ...Object.keys(runs).map(Number)].map(int));
    },
    proc_pidinfo(pid, flavor, _argument, buffer) {
      const run = runs[pid];
      if (run === undefined) return 0;
      if (flavor === 3) return fill(buffer, [facts(run)]);
      if (flavor === 9) return fill(buffer, [folder]);
      // A file, then the sockets.
      const files = [[0, 1], ...run.connections.map((_, index) => [index + 3, 2])];
      return fill(buffer, files.flat().map(int));
    },
    proc_pidfdinfo(pid, file, flavor, buffer) {
      assert.equal(flavor, 3);
      asked.sockets += 1;
      const [localPort, remotePort] = runs[pid]?.connections[file - 3] ?? assert.fail("no such file");
      buffer.fill(0);
      buffer.writeInt32LE(connectionKind, 256);
      buffer.writeUInt16BE(remotePort, 264);
      buffer.writeUInt16BE(localPort, 268);
      return 792;
    },
    proc_pidpath: (pid, buffer) => buffer.write(runs[pid]?.path ?? ""),
    sysctl(name, _names, old, size) {
      const run = runs[name.readInt32LE(8)];
      if (run === undefined) return -1;
      const words = [run.path, "\0\0", ...run.words.map((word) => `${word}\0`), "SECRET=1\0"];
      size.writeBigUInt64LE(BigInt(fill(old, [int(run.words.length), Buffer.from(words.join(""))])));
      return 0;
    },
  };
  const processes = createSystemProcesses(createMacReader(libproc, () => nowMs));
  const find = (...ports: number[]) =>
    processes.findPeers(ports.map((remotePort) => ({ remotePort, localPort: 9_876, isIpv6: false })));
  return { processes, find, asked, advance: (ms: number) => (nowMs += ms) };
}

const saga: Run = {
  parent: 1,
  path: "/Applications/Saga.app/Contents/MacOS/saga",
  seconds: 1_764_133_754,
  words: ["saga", "--windowed", "ünïcode"],
  connections: [
    [50_000, 443],
    [50_001, 9_876],
  ],
};

test("a process is found by its connection, with its arguments, folder and start time, and without its environment", () => {
  const { find } = macWith({ 500: saga, 400: { ...saga, connections: [[9_876, 50_001]] } }, [1, 2]);
  assert.deepEqual(find(50_001, 50_009), [
    {
      pid: 500,
      startedAt: "1764133754.000042",
      path: saga.path,
      command: "saga --windowed ünïcode",
      arguments: ["--windowed", "ünïcode"],
      folder: "/Applications/Saga.app",
      ancestors: [],
    },
    null,
  ]);
  assert.equal(macStartMs("1764133754.000042"), 1_764_133_754_000);
});

test("a process that held a connection is looked at first, without a search of all", () => {
  const { find, asked } = macWith({
    500: {
      ...saga,
      connections: [
        [1, 9_876],
        [2, 9_876],
      ],
    },
    600: { ...saga, path: "/usr/x" },
  });
  find(1);
  const before = { ...asked };
  assert.notEqual(find(2)[0], null);
  assert.deepEqual([asked.lists, asked.sockets - before.sockets], [before.lists, 2]);
});

test("after a search that missed a connection, none follows for nineteen times as long", () => {
  const { find, asked, advance } = macWith({ 500: saga });
  find(1);
  find(2);
  assert.equal(asked.lists, 1);
  advance(10 * 19);
  find(2);
  assert.equal(asked.lists, 2);
});

test("a process that has ended but is still listed does not run", () => {
  const { processes } = macWith({ 500: saga, 501: { ...saga, isZombie: true } }, [7]);
  assert.deepEqual(processes.startTimes([500, 501, 7]), ["1764133754.000042", null, null]);
  assert.deepEqual(
    processes.findRunning([saga.path]).map(({ pid }) => pid),
    [500],
  );
});
