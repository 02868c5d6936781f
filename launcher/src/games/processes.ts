// The machine's processes as Linux shows them in /proc: who holds the other end of a connection, and what runs now.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";

export type Program = {
  readonly pid: number;
  /** Of its executable. */
  readonly path: string;
  /** Its whole command line: an interpreter runs many a program. */
  readonly command: string;
};

export type Processes = {
  /** The process whose connection comes from `peerPort` of this machine; undefined when it is gone or another user's. */
  senderOf(peerPort: number): Promise<Program | undefined>;
  /** What runs now from one of these paths. */
  runningFrom(paths: ReadonlySet<string>): readonly Program[];
};

const isPid = (name: string) => /^\d+$/.test(name);
/** Arguments are separated by NUL there; the length is bounded so that what is kept of them is. */
const commandOf = (text: string) => text.replaceAll("\0", " ").trim().slice(0, 1_000);

/** Both tables: a game may hold an IPv6 socket that speaks IPv4. */
const tables = ["/proc/net/tcp", "/proc/net/tcp6"];

async function inodeOf(peerPort: number, ownPort: number): Promise<string | undefined> {
  const ends = [peerPort, ownPort].map((port) => port.toString(16).toUpperCase().padStart(4, "0"));
  for (const table of tables) {
    const text = await readFile(table, "latin1").catch(() => "");
    for (const line of text.split("\n")) {
      const [, local, remote, , , , , , , inode] = line.trim().split(/\s+/);
      if (local?.endsWith(`:${ends[0]}`) && remote?.endsWith(`:${ends[1]}`)) return inode;
    }
  }
  return undefined;
}

async function holds(pid: string, socket: string): Promise<boolean> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const file of files) {
    if ((await readlink(`/proc/${pid}/fd/${file}`).catch(() => "")) === socket) return true;
  }
  return false;
}

async function programOf(pid: string): Promise<Program | undefined> {
  const path = await readlink(`/proc/${pid}/exe`).catch(() => undefined);
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  return path === undefined || command === undefined
    ? undefined
    : { pid: Number(pid), path, command: commandOf(command) };
}

function runningAs(pid: string, paths: ReadonlySet<string>): Program | undefined {
  try {
    const path = readlinkSync(`/proc/${pid}/exe`);
    if (!paths.has(path)) return undefined;
    return { pid: Number(pid), path, command: commandOf(readFileSync(`/proc/${pid}/cmdline`, "utf8")) };
  } catch {
    return undefined; // It ended meanwhile, or is another user's.
  }
}

/** `ownPort` is the launcher's. Undefined on systems without /proc: there a game is known by its events alone. */
export function createProcesses(ownPort: number): Processes | undefined {
  if (process.platform !== "linux") return undefined;
  return {
    async senderOf(peerPort) {
      const inode = await inodeOf(peerPort, ownPort);
      if (inode === undefined || inode === "0") return undefined;
      // The newest first: a game is seldom older than the desktop around it.
      const pids = (await readdir("/proc")).filter(isPid).sort((one, other) => Number(other) - Number(one));
      for (const pid of pids) if (await holds(pid, `socket:[${inode}]`)) return programOf(pid);
      return undefined;
    },
    // At once, not in turns: two milliseconds every few seconds cost less than a thousand promises.
    runningFrom: (paths) =>
      paths.size === 0
        ? []
        : readdirSync("/proc")
            .filter(isPid)
            .flatMap((pid) => runningAs(pid, paths) ?? []),
  };
}
