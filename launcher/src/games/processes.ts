// The machine's processes as Linux shows them in /proc: who holds the other end of a connection, and what runs now.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setImmediate as aTurn } from "node:timers/promises";

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

export type Processes = {
  /** Which of these processes hold connections from these ports of this machine, by port. */
  holdersAmong(pids: Iterable<number>, peerPorts: ReadonlySet<number>): Promise<Map<number, Peer>>;
  /** The same of all processes of this user, with a pause after each. */
  holders(peerPorts: ReadonlySet<number>): Promise<Map<number, Peer>>;
  /** What runs now from one of these paths. */
  runningFrom(paths: ReadonlySet<string>): readonly Program[];
};

const isPid = (name: string) => /^\d+$/.test(name);
const wordsMax = 100;
const wordCharsMax = 4_096;
/** A shortened command line would start another program. */
function wordsOf(pid: string): readonly string[] | null {
  const text = attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "";
  const words = text.replace(/\0$/, "").split("\0").slice(1);
  const fits = text !== "" && words.length <= wordsMax && text.length <= wordCharsMax && !text.includes("\ufffd");
  return fits ? words : null;
}

/** Arguments are separated by NUL there; the length is bounded so that what is kept of them is. */
const commandOf = (text: string) => text.replaceAll("\0", " ").trim().slice(0, 1_000);
const hexOf = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");

export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // It ended meanwhile, or is another user's.
  }
}

/** A game may hold an IPv6 socket that speaks IPv4. Each takes the kernel milliseconds, which must not be this thread's. */
const tables = ["/proc/net/tcp", "/proc/net/tcp6"];

function inodeIn(table: string, peerPort: number, ownPort: number): string | undefined {
  const [peer, own] = [`:${hexOf(peerPort)}`, `:${hexOf(ownPort)}`];
  for (let at = table.indexOf(`${peer} `); at >= 0; at = table.indexOf(`${peer} `, at + 1)) {
    const line = table.slice(table.lastIndexOf("\n", at) + 1, at + 200).split("\n", 1)[0] ?? "";
    const [, local, remote, , , , , , , inode] = line.trim().split(/\s+/);
    if (local?.endsWith(peer) && remote?.endsWith(own) && inode !== "0") return inode;
  }
  return undefined;
}

/** The ports by the name their socket has among a process's open files. */
async function socketsOf(peerPorts: ReadonlySet<number>, ownPort: number): Promise<Map<string, number>> {
  const sockets = new Map<string, number>();
  const missing = new Set(peerPorts);
  for (const table of tables) {
    if (missing.size === 0) break;
    const text = await readFile(table, "latin1").catch(() => "");
    for (const port of missing) {
      const inode = inodeIn(text, port, ownPort);
      if (inode !== undefined && missing.delete(port)) sockets.set(`socket:[${inode}]`, port);
    }
  }
  return sockets;
}

/** Takes what the process holds out of `sockets`. */
function takeHeld(pid: string, sockets: Map<string, number>): number[] {
  const files = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return files.flatMap((file) => {
    const name = attempt(() => readlinkSync(`/proc/${pid}/fd/${file}`)) ?? "";
    const port = sockets.get(name);
    return port !== undefined && sockets.delete(name) ? [port] : [];
  });
}

function programOf(pid: string): Program | undefined {
  return attempt(() => {
    const path = readlinkSync(`/proc/${pid}/exe`);
    return { pid: Number(pid), path, command: commandOf(readFileSync(`/proc/${pid}/cmdline`, "utf8")) };
  });
}

/** Its state, its parent and its start, from the fields behind its name, which may hold anything. */
export function statOf(pid: string): { state: string; parent: string; startedAt: string } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields && { state: fields[0] ?? "", parent: fields[1] ?? "", startedAt: fields[19] ?? "" };
}

/** The program as its user knows it: Chromium, and so NW.js, has its connections in a process of its own (`--type=`). */
function peerOf(pid: string, boot: string): Peer | undefined {
  const [program, stat] = [programOf(pid), statOf(pid)];
  if (program === undefined || stat === undefined) return undefined;
  if (program.command.includes(" --type=") && programOf(stat.parent)?.path === program.path)
    return peerOf(stat.parent, boot);
  const folder = attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? "";
  return { ...program, arguments: wordsOf(pid), folder, startedAt: `${boot} ${stat.startedAt}` };
}

/** The same until the machine starts anew. */
export const bootId = (): string =>
  attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()) ?? "";

/** `ownPort` is the launcher's. Undefined on systems without /proc: there a game is known by its events alone. */
export function createProcesses(ownPort: number): Processes | undefined {
  if (process.platform !== "linux") return undefined;
  const boot = bootId();
  const takeFrom = (pid: string, sockets: Map<string, number>, found: Map<number, Peer>) => {
    const ports = takeHeld(pid, sockets);
    const peer = ports.length === 0 ? undefined : peerOf(pid, boot);
    if (peer !== undefined) for (const port of ports) found.set(port, peer);
  };
  return {
    async holdersAmong(pids, peerPorts) {
      const found = new Map<number, Peer>();
      const among = [...pids];
      if (among.length === 0) return found;
      const sockets = await socketsOf(peerPorts, ownPort);
      for (const pid of among) if (sockets.size > 0) takeFrom(String(pid), sockets, found);
      return found;
    },
    async holders(peerPorts) {
      const found = new Map<number, Peer>();
      const sockets = await socketsOf(peerPorts, ownPort);
      // The newest first: a game is seldom older than the desktop around it.
      const pids = readdirSync("/proc")
        .filter(isPid)
        .sort((one, other) => Number(other) - Number(one));
      for (const pid of pids) {
        if (sockets.size === 0) return found;
        takeFrom(pid, sockets, found);
        await aTurn();
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
