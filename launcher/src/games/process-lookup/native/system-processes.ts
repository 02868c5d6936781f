// What Kit asks Windows and macOS about processes. These systems answer only through functions of their libraries.

import type { ClipboardCopy } from "../../../process/windows-clipboard.ts";
import type { DesktopMonitor, OwnedWindow } from "./desktop-windows.ts";

/** The two ends of a connection, as the launcher sees them. */
export type Ends = { readonly remotePort: number; readonly localPort: number; readonly isIpv6: boolean };

/** A process and its start time, which tells it from later ones with the same id. */
export type ProcessIdentity = { readonly pid: number; readonly startedAt: string };

type SystemProgram = ProcessIdentity & {
  readonly path: string;
  /** The command line; empty if the system does not tell it. */
  readonly command: string;
};

export type SystemProcess = SystemProgram & {
  readonly arguments: readonly string[] | null;
  readonly folder: string;
  /** The processes that started it, the nearest first, as far as they still run. */
  readonly ancestors: readonly (ProcessIdentity & { readonly path: string })[];
};

export type SystemProcesses = {
  /**
   * Returns the process at the other end of each connection: null if the connection has closed, and "unknown" if the system does
   * not tell about its process.
   */
  findPeers(connections: readonly Ends[]): readonly (SystemProcess | "unknown" | null)[];
  /** Returns the running processes with one of these executables. */
  findRunning(paths: readonly string[]): readonly SystemProgram[];
  /** Returns those of `findRunning` that were not there at the last call; none at the first call. Reads only new processes. */
  findStarted(paths: readonly string[]): readonly SystemProgram[];
  /** Returns whether a process with this id and this executable runs. */
  isRunning(program: { readonly pid: number; readonly path: string }): boolean;
  /** Returns the main process of the program; null if it has ended or belongs to another user. */
  readProcess(pid: number): SystemProcess | null;
  /** Returns when each process started, and null if it does not run. */
  startTimes(pids: readonly number[]): readonly (string | null)[];
  /** Returns the windows on the desktop, the one in front first. None on macOS. */
  listWindows(about: null): readonly OwnedWindow[];
  listMonitors(about: null): readonly DesktopMonitor[];
  /** Returns whether a program fills the screen; null if that is not known. */
  isScreenFilled(about: null): boolean | null;
  /** Puts files on the clipboard. */
  copyFiles(paths: readonly string[]): ClipboardCopy;
};

/** What the system can do, from which `createSystemProcesses` makes the rest. */
export type ProcessReader = {
  /** The process id at the other end of each connection; null if the connection has closed. */
  findPids(connections: readonly Ends[]): readonly (number | null)[];
  listPids(): readonly number[];
  /** Undefined if the process has ended, or belongs to another user. */
  readPath(pid: number): string | undefined;
  readStart(pid: number): string | undefined;
  readParent(pid: number): number | undefined;
  readCommand(pid: number): { readonly command: string; readonly arguments: readonly string[] | null };
  readFolder(pid: number, path: string): string;
  /**
   * Returns true if the first process did not start after the second one. A supposed parent that started later is another process
   * that reuses the parent's id.
   */
  isEarlier(startedAt: string, other: string): boolean;
  listWindows?(): readonly OwnedWindow[];
  listMonitors?(): readonly DesktopMonitor[];
  isScreenFilled?(): boolean | undefined;
  copyFiles?(paths: readonly string[]): ClipboardCopy;
};

const argumentsMax = 100;
const argumentsCharsMax = 4_096;
/** Returns null for arguments that are too long to store. */
export const parseArguments = (words: readonly string[]): readonly string[] | null =>
  words.length <= argumentsMax && words.join(" ").length <= argumentsCharsMax ? words : null;

const ancestorsMax = 8;
const rememberedMax = 200;

export function createSystemProcesses(reader: ProcessReader): SystemProcesses {
  const remembered = new Map<string, SystemProcess>();
  let knownPids: ReadonlySet<number> | undefined;

  function readRun(pid: number): (ProcessIdentity & { readonly path: string }) | undefined {
    const startedAt = reader.readStart(pid);
    const path = reader.readPath(pid);
    return startedAt === undefined || path === undefined ? undefined : { pid, startedAt, path };
  }

  function readAncestors(pid: number, startedAt: string): (ProcessIdentity & { readonly path: string })[] {
    const found: (ProcessIdentity & { readonly path: string })[] = [];
    for (let child = { pid, startedAt }; found.length < ancestorsMax; ) {
      const parent = readRun(reader.readParent(child.pid) ?? 0);
      if (parent === undefined || !reader.isEarlier(parent.startedAt, child.startedAt)) break;
      found.push(parent);
      child = parent;
    }
    return found;
  }

  /** Returns the main process: Chromium and NW.js hold their connections in a child process, which has an argument `--type=`. */
  function readProcess(pid: number): SystemProcess | undefined {
    const run = readRun(pid);
    if (run === undefined) return undefined;
    const command = reader.readCommand(pid);
    const ancestors = readAncestors(pid, run.startedAt);
    const [parent] = ancestors;
    if (command.command.includes(" --type=") && parent?.path === run.path) return readProcess(parent.pid);
    return { ...run, ...command, folder: reader.readFolder(pid, run.path), ancestors };
  }

  /** Reads each run once, because many programs open a connection for each event. */
  function rememberedProcess(pid: number, startedAt: string | undefined): SystemProcess | undefined {
    if (startedAt === undefined) return undefined;
    const name = `${pid} ${startedAt}`;
    const process = remembered.get(name) ?? readProcess(pid);
    if (process === undefined) return undefined;
    remembered.set(name, process);
    const [oldest] = remembered.keys();
    if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest);
    return process;
  }

  const programsAmong = (pids: readonly number[], paths: readonly string[]): SystemProgram[] => {
    const wanted = new Set(paths);
    return pids.flatMap((pid) => {
      const path = reader.readPath(pid);
      const run = path !== undefined && wanted.has(path) ? readRun(pid) : undefined;
      return run === undefined ? [] : [{ ...run, command: reader.readCommand(pid).command }];
    });
  };

  return {
    findPeers(connections) {
      const starts = new Map<number, string | undefined>();
      return reader.findPids(connections).map((pid) => {
        if (pid === null) return null;
        if (!starts.has(pid)) starts.set(pid, reader.readStart(pid));
        return rememberedProcess(pid, starts.get(pid)) ?? "unknown";
      });
    },
    findRunning: (paths) => (paths.length === 0 ? [] : programsAmong(reader.listPids(), paths)),
    findStarted(paths) {
      const pids = reader.listPids();
      const before = knownPids;
      knownPids = new Set(pids);
      return before === undefined
        ? []
        : programsAmong(
            pids.filter((pid) => !before.has(pid)),
            paths,
          );
    },
    isRunning: ({ pid, path }) => reader.readPath(pid) === path,
    readProcess: (pid) => readProcess(pid) ?? null,
    startTimes: (pids) => pids.map((pid) => reader.readStart(pid) ?? null),
    listWindows: () => reader.listWindows?.() ?? [],
    listMonitors: () => reader.listMonitors?.() ?? [],
    isScreenFilled: () => reader.isScreenFilled?.() ?? null,
    copyFiles: (paths) => reader.copyFiles?.(paths) ?? "refused",
  };
}
