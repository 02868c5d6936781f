// Reads processes from Linux's /proc: which process holds a socket, and which programs run.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Returns undefined if the read fails. */
export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // The process has ended or belongs to another user, or the system forbids the read.
  }
}

/** For how many processes Kit remembers file descriptors, and how many for each process. */
const processesMax = 16;
const filesMax = 16;

/** Returns those of `sockets` that the process holds, and removes them from `sockets`. */
type ClaimSockets = (pid: string, sockets: Set<string>) => readonly string[];

/**
 * Checks descriptors that held a socket earlier first, from the lowest number, because a new connection usually gets the lowest
 * free descriptor of its process. This saves time: each check costs some, and a check of an unused descriptor costs most.
 */
export function createSocketClaimer(): ClaimSockets {
  const earlier = new Map<string, readonly string[]>();
  const remember = (pid: string, file: string) => {
    const others = (earlier.get(pid) ?? []).filter((other) => other !== file);
    earlier.delete(pid);
    earlier.set(pid, [file, ...others].slice(0, filesMax));
    const [oldest] = earlier.keys();
    if (earlier.size > processesMax && oldest !== undefined) earlier.delete(oldest);
  };
  return (pid, sockets) => {
    const held: string[] = [];
    const check = (files: Iterable<string>) => {
      for (const file of files) {
        if (sockets.size === 0) return;
        const name = tryRead(() => readlinkSync(`/proc/${pid}/fd/${file}`)) ?? "";
        if (!sockets.delete(name)) continue;
        held.push(name);
        remember(pid, file);
      }
    };
    check((earlier.get(pid) ?? []).toSorted((one, other) => Number(one) - Number(other)));
    if (sockets.size > 0) check(tryRead(() => readdirSync(`/proc/${pid}/fd`)) ?? []);
    return held;
  };
}

export type Program = {
  readonly pid: number;
  /** Path of the executable. */
  readonly path: string;
  /** The whole command line, because one interpreter can run many programs. */
  readonly command: string;
};

/** The process at the other end of a connection. */
export type PeerProcess = Program & {
  /** The arguments, or null if there are too many to store. */
  readonly arguments: readonly string[] | null;
  /** The working directory. */
  readonly folder: string;
  /** Start time. It tells this process from later ones with the same id, because the system reuses ids. */
  readonly startedAt: string;
  /** The processes that started it, the nearest first. Linux does not need them. */
  readonly ancestors?: readonly { readonly pid: number; readonly startedAt: string }[];
};

/** The process that holds a socket, and the main process of its program, which is usually the same. */
export type SocketHolder = { readonly pid: number; readonly peer: PeerProcess };

export type ProcessTable = {
  /** Finds which of these processes hold these sockets; the keys are socket names such as `socket:[123]`. */
  findHoldersAmong(pids: Iterable<number>, sockets: ReadonlySet<string>): Map<string, SocketHolder>;
  /**
   * Searches all processes of this user, with a pause every few milliseconds. Removes found sockets from `sockets`. The caller
   * can add sockets during the search.
   */
  findHolders(sockets: Set<string>): Promise<Map<string, SocketHolder>>;
  /**
   * Returns the processes with one of these executables that started since the last calls. Reads one line if no process started,
   * and otherwise only the new processes. A process may be returned more than once.
   */
  findStarted(paths: ReadonlySet<string>): Promise<readonly Program[]>;
  isRunning(program: Pick<Program, "pid" | "path">): Promise<boolean>;
  /** Returns the running processes with one of these executables. */
  findRunning(paths: ReadonlySet<string>): Promise<readonly Program[]>;
  /** Returns the main process of the program; undefined if it has ended or belongs to another user. */
  find(pid: number): Promise<PeerProcess | undefined>;
};

const isPid = (name: string) => /^\d+$/.test(name);
const argumentsMax = 100;
const argumentsCharsMax = 4_096;
/** Returns null if the arguments are too long or not UTF-8: a command line that was cut or altered would start something else. */
function parseArguments(text: string): readonly string[] | null {
  const words = text.replace(/\0$/, "").split("\0").slice(1);
  const fits =
    text !== "" && words.length <= argumentsMax && text.length <= argumentsCharsMax && !text.includes("\ufffd");
  return fits ? words : null;
}

/** Returns the arguments, which /proc separates by NUL, as one text of at most 1,000 characters. */
const joinCommand = (text: string) => text.replaceAll("\0", " ").trim().slice(0, 1_000);

const readCommandLine = (pid: string) => tryRead(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "";

function readProgram(pid: string, line = readCommandLine(pid)): Program | undefined {
  const path = tryRead(() => readlinkSync(`/proc/${pid}/exe`));
  return path === undefined ? undefined : { pid: Number(pid), path, command: joinCommand(line) };
}

/** Reads state, parent and start time from the fields after the process name, which can contain any character. */
export function readProcessStat(pid: string): { state: string; parent: string; startedAt: string } | undefined {
  const text = tryRead(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields && { state: fields[0] ?? "", parent: fields[1] ?? "", startedAt: fields[19] ?? "" };
}

/** Returns the main process: Chromium and NW.js hold their connections in a child process, which has an argument `--type=`. */
function readPeer(pid: string, boot: string): PeerProcess | undefined {
  const line = readCommandLine(pid);
  const program = readProgram(pid, line);
  const stat = readProcessStat(pid);
  if (program === undefined || stat === undefined) return undefined;
  if (program.command.includes(" --type=") && readProgram(stat.parent)?.path === program.path)
    return readPeer(stat.parent, boot);
  const folder = tryRead(() => readlinkSync(`/proc/${pid}/cwd`)) ?? "";
  return { ...program, arguments: parseArguments(line), folder, startedAt: `${boot} ${stat.startedAt}` };
}

/** Returns an id that changes when the computer restarts. */
export const readBootId = (): string =>
  tryRead(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()) ?? "";

/** How long a search runs between two pauses. Ingest waits meanwhile, but more pauses would slow the search on a busy computer. */
const searchMsAtOnce = 2;

/** How long processes are remembered. The system does not reuse a process id so soon. */
const peerMsMax = 1_000;

/** Reads processes, and remembers them briefly for programs that open a connection for each event. */
function createPeerCache(boot: string) {
  let peers = new Map<string, PeerProcess>();
  let untilMs = 0;
  return (pid: string): PeerProcess | undefined => {
    if (performance.now() >= untilMs) {
      peers = new Map();
      untilMs = performance.now() + peerMsMax;
    }
    const peer = peers.get(pid) ?? readPeer(pid, boot);
    if (peer !== undefined) peers.set(pid, peer);
    return peer;
  };
}

/** Wine's server holds a copy of every socket of its programs, and may be newer than they are. An update may delete its file. */
const wineServer = /\/wineserver(?:32|64)?(?: \(deleted\))?$/;

const descendantsMax = 500;

/** Returns the ids of the processes that one of the threads of the process started. */
function readChildren(pid: number): number[] {
  const threads = tryRead(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  return threads.flatMap((thread) =>
    (tryRead(() => readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1")) ?? "")
      .split(" ")
      .filter(isPid)
      .map(Number),
  );
}

/** Returns the process and all that it started, directly or not. On systems without /proc, only the process: see `SystemLookup`. */
export function findProcessTree(pid: number): ReadonlySet<number> {
  const found = new Set([pid]);
  // The set grows while the loop runs.
  for (const process of found) {
    if (found.size > descendantsMax) break;
    for (const child of readChildren(process)) found.add(child);
  }
  return found;
}

/** How long a new process is looked at again: it starts as a copy of the program that starts it. */
const startingMsMax = 3_000;

/** Returns the id that the system gave to its newest process or thread. */
const readNewestId = () =>
  tryRead(() => readFileSync("/proc/loadavg", "latin1"))
    ?.split(" ")
    .at(-1) ?? "";

const readPath = (pid: number | string) => tryRead(() => readlinkSync(`/proc/${pid}/exe`)) ?? "";

function createStartFinder(): ProcessTable["findStarted"] {
  /** All processes of the last look, with when they were seen first. */
  let seen: ReadonlyMap<string, number> | undefined;
  let newestId = "";
  return async (paths) => {
    const nowMs = performance.now();
    const isStarting = (sinceMs: number) => nowMs - sinceMs < startingMsMax;
    const before = newestId;
    newestId = readNewestId();
    const isQuiet = newestId === before && ![...(seen?.values() ?? [])].some(isStarting);
    if (paths.size === 0 || (seen !== undefined && isQuiet)) return [];
    const earlier = seen;
    const pids = readdirSync("/proc").filter(isPid);
    seen = new Map(pids.map((pid) => [pid, earlier?.get(pid) ?? (earlier === undefined ? -Infinity : nowMs)]));
    return [...seen]
      .filter(([pid, sinceMs]) => isStarting(sinceMs) && paths.has(readPath(pid)))
      .flatMap(([pid]) => readProgram(pid) ?? []);
  };
}

/** Returns undefined on systems without /proc. */
export function createProcessTable(elapsedMs = () => performance.now()): ProcessTable | undefined {
  if (process.platform !== "linux") return undefined;
  const cachedPeer = createPeerCache(readBootId());
  const claimSockets = createSocketClaimer();
  const collect = (pid: string, sockets: Set<string>, found: Map<string, SocketHolder>) => {
    const held = claimSockets(pid, sockets);
    const peer = held.length === 0 ? undefined : cachedPeer(pid);
    if (peer === undefined) return;
    for (const socket of held)
      if (wineServer.test(peer.path)) sockets.add(socket);
      else found.set(socket, { pid: Number(pid), peer });
  };
  return {
    findHoldersAmong(pids, sockets) {
      const found = new Map<string, SocketHolder>();
      const missing = new Set(sockets);
      for (const pid of pids) if (missing.size > 0) collect(String(pid), missing, found);
      return found;
    },
    async findHolders(sockets) {
      const found = new Map<string, SocketHolder>();
      // Newest first, because a game usually starts after the programs of the desktop.
      const pids = readdirSync("/proc")
        .filter(isPid)
        .sort((one, other) => Number(other) - Number(one));
      let pauseAtMs = elapsedMs() + searchMsAtOnce;
      for (const pid of pids) {
        if (sockets.size === 0) return found;
        collect(pid, sockets, found);
        if (elapsedMs() < pauseAtMs) continue;
        await nextTurn();
        pauseAtMs = elapsedMs() + searchMsAtOnce;
      }
      return found;
    },
    findStarted: createStartFinder(),
    isRunning: async ({ pid, path }) => readPath(pid) === path,
    find: async (pid) => cachedPeer(String(pid)),
    // Runs without pauses, because it takes only two milliseconds, once every few seconds.
    findRunning: async (paths) =>
      paths.size === 0
        ? []
        : readdirSync("/proc")
            .filter((pid) => isPid(pid) && paths.has(readPath(pid)))
            .flatMap((pid) => readProgram(pid) ?? []),
  };
}
