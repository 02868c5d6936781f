// Tests of what Windows writes into memory. The tables have the layout of its documentation; tools/bundle/windows/windows-launcher.alone.test.ts reads real ones.
import assert from "node:assert/strict";
import { test } from "vitest";
import { findAncestors, findPidsInTables, readProcessTable, splitCommandLine } from "./windows-tables.ts";

type Row = { readonly localPort: number; readonly remotePort: number; readonly pid: number };

/** A table of connections with owners, in MIB_TCPTABLE_OWNER_PID or MIB_TCP6TABLE_OWNER_PID. */
function tableOf(family: "v4" | "v6", rows: readonly Row[]): Buffer {
  const [bytes, local, remote, owner] = family === "v4" ? [24, 8, 16, 20] : [56, 20, 44, 52];
  const table = Buffer.alloc(4 + rows.length * bytes);
  table.writeUInt32LE(rows.length);
  for (const [index, { localPort, remotePort, pid }] of rows.entries()) {
    const at = 4 + index * bytes;
    table.writeUInt16BE(localPort, at + local);
    table.writeUInt16BE(remotePort, at + remote);
    table.writeUInt32LE(pid, at + owner);
  }
  return table;
}
const launcherPort = 9_876;
const toLauncher = (remotePort: number, isIpv6 = false) => ({ remotePort, localPort: launcherPort, isIpv6 });

test("the process at the other end is found among 5,000 connections, with one look at each table", () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => [
    { localPort: 10_000 + index, remotePort: launcherPort, pid: 20_000 + index },
    { localPort: launcherPort, remotePort: 10_000 + index, pid: 4 },
  ]).flat();
  let looks = 0;
  const find = findPidsInTables(
    Array.from({ length: 5_000 }, (_, index) => toLauncher(10_000 + index, index % 2 === 1)),
    (family) => {
      looks += 1;
      return tableOf(family, rows);
    },
  );
  assert.deepEqual(
    find,
    Array.from({ length: 5_000 }, (_, index) => 20_000 + index),
  );
  assert.equal(looks, 2);
});

test("a socket for both families is found in the table of the other one", () => {
  const tables = {
    v4: tableOf("v4", []),
    v6: tableOf("v6", [{ localPort: 50_000, remotePort: launcherPort, pid: 7 }]),
  };
  assert.deepEqual(
    findPidsInTables([toLauncher(50_000)], (family) => tables[family]),
    [7],
  );
});

test("a connection that was closed, and is kept without a process, has no process", () => {
  const table = tableOf("v4", [{ localPort: 50_000, remotePort: launcherPort, pid: 0 }]);
  assert.deepEqual(
    findPidsInTables([toLauncher(50_000), toLauncher(50_001)], (family) =>
      family === "v4" ? table : tableOf("v6", []),
    ),
    [null, null],
  );
});

test("a command line is split as programs in C split it", () => {
  const splits: readonly (readonly [string, readonly string[]])[] = [
    ["game.exe", []],
    ['"C:\\My Games\\game.exe"  one   two ', ["one", "two"]],
    ['"C:\\My Games\\"game.exe one', ["one"]],
    ['game "two words" ""', ["two words", ""]],
    ["game C:\\saves\\ \\\\server\\x", ["C:\\saves\\", "\\\\server\\x"]],
    ['game "C:\\my saves\\\\" next', ["C:\\my saves\\", "next"]],
    ['game a\\"b "c\\\\\\"d"', ['a"b', 'c\\"d']],
    ['game "say ""hi""" x', ['say "hi"', "x"]],
    ["game\ttab", ["tab"]],
    ["game ünïcode 日本", ["ünïcode", "日本"]],
  ];
  for (const [line, words] of splits) assert.deepEqual(splitCommandLine(line), words, line);
  assert.equal(splitCommandLine(`game ${"x ".repeat(101)}`), null);
  assert.equal(splitCommandLine(`game ${"x".repeat(4_097)}`), null);
});

type Run = { readonly pid: number; readonly parent: number; readonly startedAt: bigint };

/** SYSTEM_PROCESS_INFORMATION, each row with the rows of its threads behind it. */
function processTableOf(runs: readonly Run[]): Buffer {
  const rows = runs.map(({ pid, parent, startedAt }, index) => {
    const row = Buffer.alloc(256 + 80 * (index + 1));
    row.writeUInt32LE(index === runs.length - 1 ? 0 : row.length, 0);
    row.writeBigInt64LE(startedAt, 32);
    row.writeBigUInt64LE(BigInt(pid), 80);
    row.writeBigUInt64LE(BigInt(parent), 88);
    return row;
  });
  return Buffer.concat(rows);
}

test("the processes above another are found to the first, and a later process with the id of an ended parent is none", () => {
  const processes = readProcessTable(
    processTableOf([
      { pid: 0, parent: 0, startedAt: 0n },
      { pid: 8, parent: 4, startedAt: 20n },
      { pid: 12, parent: 8, startedAt: 30n },
      { pid: 16, parent: 12, startedAt: 30n },
      // Its parent has ended, and 24 is a new process.
      { pid: 20, parent: 24, startedAt: 40n },
      { pid: 24, parent: 8, startedAt: 50n },
    ]),
  );
  assert.equal(processes.size, 6);
  assert.deepEqual(
    [16, 12, 24, 20, 0, 99].map((pid) => findAncestors(processes, pid)),
    [[12, 8], [8], [8], [], [0], []],
  );
});
