// Asks macOS about processes, through functions of its libproc. Written after Apple's headers (bsd/sys/proc_info.h); nobody has run
// it on a Mac yet.
import { getBuiltinModule } from "node:process";
import {
  createSystemProcesses,
  type Ends,
  type ProcessReader,
  parseArguments,
  type SystemProcesses,
} from "./system-processes.ts";

const allPids = 1;
const listFiles = { flavor: 1, bytes: 8, kind: 4, socket: 2 };
/** struct socket_fdinfo. The ports are in network byte order, each in an int. */
const socketInfo = { flavor: 3, bytes: 792, kind: 256, remotePort: 264, localPort: 268, tcp: 2 };
/** struct proc_bsdinfo. */
const processInfo = { flavor: 3, bytes: 136, status: 4, parent: 16, seconds: 120, microseconds: 128, zombie: 5 };
/** struct proc_vnodepathinfo, which begins with the working folder. */
const folderInfo = { flavor: 9, bytes: 2_352, path: 152, pathBytes: 1_024 };
const pathBytesMax = 4_096;
const commandCharsMax = 1_000;
const argumentsOf = { kernel: 1, name: 49, bytesMax: 1_048_576 };
/** Maximum number of recent connection holders. They are searched first. */
const recentMax = 16;
/**
 * Pause after a search that did not find a connection's process, as a multiple of the search's duration. The process may belong
 * to another user, so the next search may fail too.
 */
const missedPause = 19;

const int = "i32";
const definitions = {
  proc_listpids: { arguments: ["u32", "u32", "buffer", int], return: int },
  proc_pidinfo: { arguments: [int, int, "u64", "buffer", int], return: int },
  proc_pidfdinfo: { arguments: [int, int, int, "buffer", int], return: int },
  proc_pidpath: { arguments: [int, "buffer", "u32"], return: int },
  sysctl: { arguments: ["buffer", "u32", "buffer", "buffer", "pointer", "u64"], return: int },
} as const;

/** The functions of the system that are called. */
export type Libproc = {
  proc_listpids(type: number, typeInfo: number, buffer: Buffer, bytes: number): number;
  proc_pidinfo(pid: number, flavor: number, argument: bigint, buffer: Buffer, bytes: number): number;
  proc_pidfdinfo(pid: number, file: number, flavor: number, buffer: Buffer, bytes: number): number;
  proc_pidpath(pid: number, buffer: Buffer, bytes: number): number;
  sysctl(name: Buffer, names: number, old: Buffer, oldBytes: Buffer, renewed: bigint, renewedBytes: bigint): number;
};

const textUntilNul = (buffer: Buffer, from: number, bytes: number) => {
  const end = buffer.indexOf(0, from);
  return buffer.toString("utf8", from, Math.min(end < 0 ? from + bytes : end, from + bytes));
};

/** Calls with growing memory until the list fits. */
function readList(itemBytes: number, call: (buffer: Buffer) => number): Buffer {
  for (let bytes = itemBytes * 512; ; bytes *= 2) {
    const buffer = Buffer.alloc(bytes);
    const used = call(buffer);
    if (used < bytes) return buffer.subarray(0, Math.max(0, used));
  }
}

const keyOf = (own: number, other: number) => own * 65_536 + other;

/** Finds the processes that hold connections: first among those that held one lately, then the newest first. */
function createHolderSearch(libproc: Libproc, listPids: () => readonly number[], now: () => number) {
  const info = Buffer.alloc(socketInfo.bytes);
  const recent = new Set<number>();
  let searchAgainAtMs = Number.NEGATIVE_INFINITY;

  function claim(pid: number, wanted: Map<number, number[]>, found: (number | null)[]): void {
    const { flavor, bytes, kind, socket } = listFiles;
    const files = readList(bytes, (buffer) => libproc.proc_pidinfo(pid, flavor, 0n, buffer, buffer.length));
    for (let at = 0; at + bytes <= files.length && wanted.size > 0; at += bytes) {
      if (files.readUInt32LE(at + kind) !== socket) continue;
      const read = libproc.proc_pidfdinfo(pid, files.readInt32LE(at), socketInfo.flavor, info, info.length);
      if (read !== socketInfo.bytes || info.readInt32LE(socketInfo.kind) !== socketInfo.tcp) continue;
      const key = keyOf(info.readUInt16BE(socketInfo.localPort), info.readUInt16BE(socketInfo.remotePort));
      const questions = wanted.get(key);
      if (questions === undefined) continue;
      wanted.delete(key);
      for (const question of questions) found[question] = pid;
      recent.delete(pid);
      recent.add(pid);
      const [oldest] = recent;
      if (recent.size > recentMax && oldest !== undefined) recent.delete(oldest);
    }
  }

  return (connections: readonly Ends[]): (number | null)[] => {
    const wanted = new Map<number, number[]>();
    for (const [index, { remotePort, localPort }] of connections.entries()) {
      const key = keyOf(remotePort, localPort);
      wanted.set(key, [...(wanted.get(key) ?? []), index]);
    }
    const found: (number | null)[] = connections.map(() => null);
    for (const pid of [...recent].reverse()) if (wanted.size > 0) claim(pid, wanted, found);
    const beganMs = now();
    if (wanted.size === 0 || beganMs < searchAgainAtMs) return found;
    const newestFirst = listPids().toSorted((one, other) => other - one);
    for (const pid of newestFirst) if (wanted.size > 0) claim(pid, wanted, found);
    if (wanted.size > 0) searchAgainAtMs = now() + (now() - beganMs) * missedPause;
    return found;
  };
}

export function createMacReader(libproc: Libproc, now: () => number): ProcessReader {
  const facts = Buffer.alloc(processInfo.bytes);
  const path = Buffer.alloc(pathBytesMax);
  const folder = Buffer.alloc(folderInfo.bytes);
  const listPids = () => {
    const list = readList(4, (buffer) => libproc.proc_listpids(allPids, 0, buffer, buffer.length));
    return Array.from({ length: list.length / 4 }, (_, index) => list.readInt32LE(index * 4)).filter((pid) => pid > 0);
  };
  /** Undefined if the process has ended, or belongs to another user. */
  const readFacts = (pid: number) => {
    const { flavor, bytes, status, zombie } = processInfo;
    const isRead = libproc.proc_pidinfo(pid, flavor, 0n, facts, bytes) === bytes;
    return isRead && facts.readUInt32LE(status) !== zombie ? facts : undefined;
  };
  /** The argument count, the path, and the arguments, each ended by NUL. The environment behind them is not read. */
  const readArguments = (pid: number): string[] => {
    const name = Buffer.alloc(12);
    for (const [index, part] of [argumentsOf.kernel, argumentsOf.name, pid].entries())
      name.writeInt32LE(part, index * 4);
    const text = Buffer.alloc(argumentsOf.bytesMax);
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(text.length));
    if (libproc.sysctl(name, 3, text, size, 0n, 0n) !== 0) return [];
    const end = Number(size.readBigUInt64LE());
    let at = Math.max(4, text.indexOf(0, 4));
    while (at < end && text[at] === 0) at += 1;
    const words: string[] = [];
    for (let left = text.readInt32LE(0); left > 0 && at < end; left -= 1) {
      const word = textUntilNul(text, at, end - at);
      words.push(word);
      at += Buffer.byteLength(word) + 1;
    }
    return words;
  };
  return {
    findPids: createHolderSearch(libproc, listPids, now),
    listPids,
    readPath(pid) {
      const bytes = libproc.proc_pidpath(pid, path, path.length);
      return bytes > 0 ? path.toString("utf8", 0, bytes) : undefined;
    },
    readStart(pid) {
      const found = readFacts(pid);
      if (found === undefined) return undefined;
      const microseconds = String(found.readBigUInt64LE(processInfo.microseconds)).padStart(6, "0");
      return `${found.readBigUInt64LE(processInfo.seconds)}.${microseconds}`;
    },
    readParent: (pid) => readFacts(pid)?.readUInt32LE(processInfo.parent),
    readCommand(pid) {
      const words = readArguments(pid);
      const command = words.join(" ").trim().slice(0, commandCharsMax);
      return { command, arguments: words.length === 0 ? null : parseArguments(words.slice(1)) };
    },
    readFolder(pid) {
      const { flavor, bytes, path: at, pathBytes } = folderInfo;
      const isRead = libproc.proc_pidinfo(pid, flavor, 0n, folder, bytes) === bytes;
      return isRead ? textUntilNul(folder, at, pathBytes) : "";
    },
    isEarlier: (startedAt, other) => Number(startedAt) <= Number(other),
  };
}

/** Returns undefined if this Node cannot call functions of the system. */
export function openMacProcesses(): SystemProcesses | undefined {
  const functions = getBuiltinModule("node:ffi")?.dlopen("/usr/lib/libSystem.B.dylib", definitions).functions;
  return functions && createSystemProcesses(createMacReader(functions, () => performance.now()));
}

/** The start times of macOS are seconds since 1970, with microseconds. */
export const macStartMs = (startedAt: string): number => Math.floor(Number(startedAt) * 1_000);
