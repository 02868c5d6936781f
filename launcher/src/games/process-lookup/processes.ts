// The machine's processes as Linux shows them in /proc: who holds the other end of a connection, and what runs now.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setImmediate as aTurn } from "node:timers/promises";
import { attempt } from "./attempt.ts";

// Which sockets a process holds, by its open files in /proc.

/** Processes whose files are remembered, and files of each. */
const processesMax = 16;
const filesMax = 16;

/** Takes what the process holds out of `sockets`, and returns it. */
type TakeHeld = (pid: string, sockets: Set<string>) => readonly string[];

/**
 * A process mostly gives a new connection the number of one that it closed, and the lowest of those: they are looked at first and
 * upwards, as each look costs, most of all one at a number that is free.
 */
export function createTakeHeld(): TakeHeld {
  const usual = new Map<string, readonly string[]>();
  const remember = (pid: string, file: string) => {
    const others = (usual.get(pid) ?? []).filter((other) => other !== file);
    usual.delete(pid);
    usual.set(pid, [file, ...others].slice(0, filesMax));
    const [oldest] = usual.keys();
    if (usual.size > processesMax && oldest !== undefined) usual.delete(oldest);
  };
  return (pid, sockets) => {
    const held: string[] = [];
    const lookAt = (files: Iterable<string>) => {
      for (const file of files) {
        if (sockets.size === 0) return;
        const name = attempt(() => readlinkSync(`/proc/${pid}/fd/${file}`)) ?? "";
        if (!sockets.delete(name)) continue;
        held.push(name);
        remember(pid, file);
      }
    };
    lookAt((usual.get(pid) ?? []).toSorted((one, other) => Number(one) - Number(other)));
    if (sockets.size > 0) lookAt(attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []);
    return held;
  };
}

export type Program = {
  readonly pid: number;
  /** Of its executable. */
  readonly path: string;
  /** Its whole command line: an interpreter runs many a program. */
  readonly command: string;
};

/** A program at the other end of a connection. */
export type Peer = Program & {
  /** The words behind its program; null where they are too many to be kept. */
  readonly arguments: readonly string[] | null;
  /** Where it was started. */
  readonly folder: string;
  /** The same for as long as it runs, and never again: a process id alone comes back. */
  readonly startedAt: string;
};

/** The process that holds a socket, and the program it is of: mostly the same. */
export type Holder = { readonly pid: number; readonly peer: Peer };

export type Processes = {
  /** Which of these processes hold these sockets, by the names these have among open files. */
  holdersAmong(pids: Iterable<number>, sockets: ReadonlySet<string>): Map<string, Holder>;
  /**
   * The same of all processes of this user, with a pause every few milliseconds. Takes what it finds out of `sockets`; what is put in
   * meanwhile is looked for from there on.
   */
  holders(sockets: Set<string>): Promise<Map<string, Holder>>;
  /** What runs now from one of these paths. */
  runningFrom(paths: ReadonlySet<string>): readonly Program[];
};

const isPid = (name: string) => /^\d+$/.test(name);
const wordsMax = 100;
const wordCharsMax = 4_096;
/** A shortened command line would start another program. */
function wordsOf(text: string): readonly string[] | null {
  const words = text.replace(/\0$/, "").split("\0").slice(1);
  const fits = text !== "" && words.length <= wordsMax && text.length <= wordCharsMax && !text.includes("\ufffd");
  return fits ? words : null;
}

/** Arguments are separated by NUL there; the length is bounded so that what is kept of them is. */
const commandOf = (text: string) => text.replaceAll("\0", " ").trim().slice(0, 1_000);

const lineOf = (pid: string) => attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "";

function programOf(pid: string, line = lineOf(pid)): Program | undefined {
  const path = attempt(() => readlinkSync(`/proc/${pid}/exe`));
  return path === undefined ? undefined : { pid: Number(pid), path, command: commandOf(line) };
}

/** Its state, its parent and its start, from the fields behind its name, which may hold anything. */
export function statOf(pid: string): { state: string; parent: string; startedAt: string } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields && { state: fields[0] ?? "", parent: fields[1] ?? "", startedAt: fields[19] ?? "" };
}

/** The program as its user knows it: Chromium, and so NW.js, has its connections in a process of its own (`--type=`). */
function peerOf(pid: string, boot: string): Peer | undefined {
  const line = lineOf(pid);
  const program = programOf(pid, line);
  const stat = statOf(pid);
  if (program === undefined || stat === undefined) return undefined;
  if (program.command.includes(" --type=") && programOf(stat.parent)?.path === program.path)
    return peerOf(stat.parent, boot);
  const folder = attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? "";
  return { ...program, arguments: wordsOf(line), folder, startedAt: `${boot} ${stat.startedAt}` };
}

/** The same until the machine starts anew. */
export const bootId = (): string =>
  attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()) ?? "";

/** Taking events in waits this long for a search. A pause after each process would cost more on a busy machine: who is looked for sends on. */
const searchMsAtOnce = 2;

/** Well below the time in which a system can run out of process ids and give one a second time. */
const peerMsMax = 1_000;

/** A program that opens a connection for each event is not read anew for each. */
function createPeersOfNow(boot: string) {
  let peers = new Map<string, Peer>();
  let untilMs = 0;
  return (pid: string): Peer | undefined => {
    if (performance.now() >= untilMs) {
      peers = new Map();
      untilMs = performance.now() + peerMsMax;
    }
    const peer = peers.get(pid) ?? peerOf(pid, boot);
    if (peer !== undefined) peers.set(pid, peer);
    return peer;
  };
}

/** Undefined on systems without /proc: there a game is known by its events alone. */
export function createProcesses(): Processes | undefined {
  if (process.platform !== "linux") return undefined;
  const peerNow = createPeersOfNow(bootId());
  const takeHeld = createTakeHeld();
  const takeFrom = (pid: string, sockets: Set<string>, found: Map<string, Holder>) => {
    const held = takeHeld(pid, sockets);
    const peer = held.length === 0 ? undefined : peerNow(pid);
    if (peer !== undefined) for (const socket of held) found.set(socket, { pid: Number(pid), peer });
  };
  return {
    holdersAmong(pids, sockets) {
      const found = new Map<string, Holder>();
      const missing = new Set(sockets);
      for (const pid of pids) if (missing.size > 0) takeFrom(String(pid), missing, found);
      return found;
    },
    async holders(sockets) {
      const found = new Map<string, Holder>();
      // The newest first: a game is seldom older than the desktop around it.
      const pids = readdirSync("/proc")
        .filter(isPid)
        .sort((one, other) => Number(other) - Number(one));
      let pauseAtMs = performance.now() + searchMsAtOnce;
      for (const pid of pids) {
        if (sockets.size === 0) return found;
        takeFrom(pid, sockets, found);
        if (performance.now() < pauseAtMs) continue;
        await aTurn();
        pauseAtMs = performance.now() + searchMsAtOnce;
      }
      return found;
    },
    // At once, not in turns: two milliseconds every few seconds cost less than a thousand promises.
    runningFrom: (paths) =>
      paths.size === 0
        ? []
        : readdirSync("/proc")
            .filter((pid) => isPid(pid) && paths.has(attempt(() => readlinkSync(`/proc/${pid}/exe`)) ?? ""))
            .flatMap((pid) => programOf(pid) ?? []),
  };
}
