// What the launcher knows of processes on Windows and macOS, from the answers of the lookup process.
import { isBuiltin } from "node:module";
import type { ClipboardCopy } from "../../../process/windows-clipboard.ts";
import type { PeerProcess, ProcessTable, SocketHolder } from "../processes.ts";
import type { Connection, FindSockets } from "../sockets.ts";
import type { DesktopMonitor, DesktopWindow, OwnedWindow } from "./desktop-windows.ts";
import { createLookupClient, type LookupClient, LookupUnavailable } from "./lookup-client.ts";
import { macStartMs } from "./macos.ts";
import type { ProcessIdentity, SystemProcess } from "./system-processes.ts";
import { windowsStartMs } from "./windows.ts";

const processesMax = 2_000;
const runsMax = 500;
/** How long the first event of a process that `kit run` started waits until `kit run` has reported the run. */
const runReportMsMax = 1_000;
/** How long the launcher waits at its start for the lookup process, so that its first events have a sender, too. */
const readyMsMax = 1_000;

export type SystemLookup = {
  readonly processes: ProcessTable;
  readonly findSockets: FindSockets;
  readonly startedMs: (startedAt: string) => number | undefined;
  /** Returns when each process started, null for those that do not run; undefined if nothing is known at present. */
  readonly startTimes: (pids: readonly number[]) => Promise<readonly (string | null)[] | undefined>;
  /** Must be called when `kit run` has reported the process of a run. */
  readonly noteRun: (run: string, process: ProcessIdentity) => void;
  readonly runOf: (peer: PeerProcess) => string | undefined;
  /** Returns the process, and of those that it started, directly or not, the ones that send events or have a window. */
  readonly processesOf: (pid: number) => ReadonlySet<number>;
  /** What the lookup process reads from the desktop and does there. Each call rejects while that process is unavailable. */
  readonly desktop: {
    readonly listWindows: () => Promise<readonly DesktopWindow[]>;
    readonly listMonitors: () => Promise<readonly DesktopMonitor[]>;
    readonly isScreenFilled: () => Promise<boolean | null>;
    readonly copyFiles: (paths: readonly string[]) => Promise<ClipboardCopy>;
  };
  /** Resolves when the lookup process answers, or after a second. */
  readonly ready: () => Promise<void>;
  readonly stop: () => void;
};

export type SystemLookupDeps = {
  readonly client: LookupClient;
  /** Lists the windows in a process of its own, because a connection may end while a list delays its lookup. */
  readonly desktop: LookupClient;
  /** Called with the first failure of a question. More would only fill the log. */
  readonly onFailure: (error: unknown) => void;
  readonly own: { readonly pid: number; readonly path: string };
};

const nameOf = ({ pid, startedAt }: ProcessIdentity) => `${pid} ${startedAt}`;

function addBounded<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}

/** Remembers the runs that `kit run` reported, each by the process that it started. */
function createRuns(own: SystemLookupDeps["own"]) {
  const runs = new Map<string, string>();
  const waiting = new Set<() => void>();
  const runOf = (processes: readonly ProcessIdentity[]) =>
    processes.map((each) => runs.get(nameOf(each))).find((run) => run !== undefined);
  return {
    note(run: string, process: ProcessIdentity): void {
      addBounded(runs, nameOf(process), run, runsMax);
      for (const look of waiting) look();
    },
    runOf,
    /**
     * Resolves when the run of the process is known. Waits only if an ancestor below this launcher runs Kit's program, so it may
     * be a `kit run`.
     */
    async waitForRun(peer: SystemProcess): Promise<void> {
      const above = peer.ancestors.findIndex(({ pid }) => pid === own.pid);
      const others = above < 0 ? peer.ancestors : peer.ancestors.slice(0, above);
      const isKnown = () => runOf([peer, ...peer.ancestors]) !== undefined;
      if (isKnown() || !others.some(({ path }) => path === own.path)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => isKnown() && resolve();
      const timer = setTimeout(resolve, runReportMsMax);
      waiting.add(look);
      await promise;
      waiting.delete(look);
      clearTimeout(timer);
    },
  };
}

type Runs = ReturnType<typeof createRuns>;

/** Finds the process of each connection. Here, a socket is identified by its process. */
function createFinder({ client, onFailure }: SystemLookupDeps, runs: Runs) {
  let hasFailed = false;
  const reportOnce = (error: unknown) => {
    if (!hasFailed && !(error instanceof LookupUnavailable)) onFailure(error);
    hasFailed ||= !(error instanceof LookupUnavailable);
    return undefined;
  };
  const holders = new Map<string, SocketHolder>();

  async function keep(process: SystemProcess): Promise<string> {
    const name = nameOf(process);
    if (!holders.has(name)) await runs.waitForRun(process);
    const holder = holders.get(name) ?? { pid: process.pid, peer: process };
    addBounded(holders, name, holder, processesMax);
    return name;
  }
  async function findSockets(connections: readonly Connection[]): Promise<ReadonlyMap<Connection, string>> {
    const open = connections.filter(({ remotePort, localPort }) => remotePort !== undefined && localPort !== undefined);
    const ends = open.map(({ remotePort = 0, localPort = 0, remoteAddress = "" }) => {
      return { remotePort, localPort, isIpv6: remoteAddress === "::1" };
    });
    const found = await client.ask("findPeers", ends).catch(reportOnce);
    const names = await Promise.all(
      (found ?? []).map((peer) => (peer === null ? undefined : peer === "unknown" ? peer : keep(peer))),
    );
    return new Map(
      open.flatMap((connection, index) => {
        const name = names[index];
        return name === undefined ? [] : [[connection, name] as const];
      }),
    );
  }
  const take = (sockets: Iterable<string>) =>
    new Map(
      [...sockets].flatMap((name) => {
        const holder = holders.get(name);
        return holder === undefined ? [] : [[name, holder] as const];
      }),
    );
  return { findSockets, take, holders };
}

/** Turns the failure "nothing is known at present" into undefined. */
function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof LookupUnavailable)) throw error;
}

export function createSystemLookup(deps: SystemLookupDeps): SystemLookup {
  const { client, desktop, own } = deps;
  const runs = createRuns(own);
  const { findSockets, take, holders } = createFinder(deps, runs);
  let windows: readonly OwnedWindow[] = [];
  return {
    findSockets,
    processes: {
      findHoldersAmong: (_, sockets) => take(sockets),
      async findHolders(sockets) {
        const found = take(sockets);
        for (const name of found.keys()) sockets.delete(name);
        return found;
      },
      findStarted: async (paths) => (paths.size === 0 ? [] : client.ask("findStarted", [...paths])),
      isRunning: ({ pid, path }) => client.ask("isRunning", { pid, path }),
      find: async (pid) => (await client.ask("readProcess", pid)) ?? undefined,
      findRunning: async (paths) => (paths.size === 0 ? [] : client.ask("findRunning", [...paths])),
    },
    startedMs(startedAt) {
      if (/^\d+$/.test(startedAt)) return windowsStartMs(startedAt);
      return /^\d+\.\d{6}$/.test(startedAt) ? macStartMs(startedAt) : undefined;
    },
    startTimes: (pids) => client.ask("startTimes", pids).catch(unlessUnavailable),
    noteRun: runs.note,
    runOf: (peer) => runs.runOf([peer, ...(peer.ancestors ?? [])]),
    processesOf(pid) {
      const found = new Set([pid]);
      for (const { peer } of holders.values())
        if (peer.ancestors?.some((ancestor) => ancestor.pid === pid)) found.add(peer.pid);
      // The list is newer than what is known of a sender, whose parent may have ended and left its id to another process.
      for (const window of windows) {
        if (window.ancestors.includes(pid)) found.add(window.pid);
        else if (window.pid !== pid) found.delete(window.pid);
      }
      return found;
    },
    desktop: {
      async listWindows() {
        windows = await desktop.ask("listWindows", null);
        return windows;
      },
      listMonitors: () => desktop.ask("listMonitors", null),
      isScreenFilled: () => desktop.ask("isScreenFilled", null),
      copyFiles: (paths) => desktop.ask("copyFiles", paths),
    },
    async ready() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, readyMsMax);
      client.ask("startTimes", []).then(() => resolve(), resolve);
      await promise;
      clearTimeout(timer);
    },
    stop() {
      client.stop();
      desktop.stop();
    },
  };
}

/** Starts the lookup process at once: it starts beside the launcher. */
export function openSystemLookup(onFailure: (error: unknown) => void): SystemLookup | undefined {
  const isNeeded = process.platform === "win32" || process.platform === "darwin";
  // Older Node cannot call functions of the system.
  if (!isNeeded || !isBuiltin("node:ffi")) return undefined;
  const client = createLookupClient({ onFailure });
  client.ask("startTimes", []).catch(() => undefined); // The client reports the failure.
  const desktop = createLookupClient({ onFailure });
  return createSystemLookup({ client, desktop, onFailure, own: { pid: process.pid, path: process.execPath } });
}
