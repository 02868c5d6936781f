// Reads what Windows writes into memory: tables of connections and processes, and command lines.
import { type Ends, parseArguments } from "./system-processes.ts";

/** MIB_TCPROW_OWNER_PID and MIB_TCP6ROW_OWNER_PID: the bytes of a row, and where in it the ports and the process are. */
const rows = {
  v4: { bytes: 24, localPort: 8, remotePort: 16, pid: 20 },
  v6: { bytes: 56, localPort: 20, remotePort: 44, pid: 52 },
} as const;

const keyOf = (localPort: number, remotePort: number) => localPort * 65_536 + remotePort;

/**
 * Returns the process ids of all connections in a table, by their two ports. Leaves out connections that a process has closed:
 * the system keeps them for a while, without a process.
 */
function readTable(table: Buffer, family: keyof typeof rows): ReadonlyMap<number, number> {
  const { bytes, localPort, remotePort, pid } = rows[family];
  const count = Math.min(table.readUInt32LE(0), Math.floor((table.length - 4) / bytes));
  const found = new Map<number, number>();
  for (let row = 0, at = 4; row < count; row += 1, at += bytes) {
    const owner = table.readUInt32LE(at + pid);
    if (owner !== 0) found.set(keyOf(table.readUInt16BE(at + localPort), table.readUInt16BE(at + remotePort)), owner);
  }
  return found;
}

/**
 * Returns the process id at the other end of each connection. Reads each table at most once. A dual-stack socket may be listed
 * in the other family's table.
 */
export function findPidsInTables(
  connections: readonly Ends[],
  tableOf: (family: keyof typeof rows) => Buffer,
): (number | null)[] {
  const tables = new Map<keyof typeof rows, ReadonlyMap<number, number>>();
  const pidIn = (family: keyof typeof rows, key: number) => {
    const table = tables.get(family) ?? readTable(tableOf(family), family);
    tables.set(family, table);
    return table.get(key);
  };
  return connections.map(({ remotePort, localPort, isIpv6 }) => {
    const key = keyOf(remotePort, localPort);
    const [own, other] = isIpv6 ? (["v6", "v4"] as const) : (["v4", "v6"] as const);
    return pidIn(own, key) ?? pidIn(other, key) ?? null;
  });
}

/** SYSTEM_PROCESS_INFORMATION: where in a row its length, its start time, its process and the parent of that are. */
const processRow = { startedAt: 32, pid: 80, parent: 88, bytes: 96 } as const;

type ProcessRow = { readonly parent: number; readonly startedAt: bigint };

/** Returns the parent and the start time of all processes, by their ids. */
export function readProcessTable(table: Buffer): ReadonlyMap<number, ProcessRow> {
  const { startedAt, pid, parent, bytes } = processRow;
  const found = new Map<number, ProcessRow>();
  for (let at = 0; at + bytes <= table.length; ) {
    const row = { parent: table.readUInt32LE(at + parent), startedAt: table.readBigInt64LE(at + startedAt) };
    found.set(table.readUInt32LE(at + pid), row);
    const rowBytes = table.readUInt32LE(at);
    if (rowBytes === 0) break;
    at += rowBytes;
  }
  return found;
}

const ancestorsMax = 32;

/**
 * Returns the ids of the processes that started this one, the nearest first. Windows keeps the id of a parent that has ended, and
 * gives it to later processes: a process that started after its supposed child is no parent.
 */
export function findAncestors(processes: ReadonlyMap<number, ProcessRow>, pid: number): readonly number[] {
  const found: number[] = [];
  for (let child = processes.get(pid); child !== undefined && found.length < ancestorsMax; ) {
    const parent = processes.get(child.parent);
    if (parent === undefined || parent.startedAt > child.startedAt || found.includes(child.parent)) break;
    found.push(child.parent);
    child = parent;
  }
  return found;
}

/**
 * Splits a command line as programs in C do: a quote begins or ends a part with spaces, two quotes in such a part are one, and
 * backslashes count double only before a quote. Returns null if the arguments are too long to store.
 */
export function splitCommandLine(line: string): readonly string[] | null {
  // In the program's own path, a backslash does not escape a quote.
  const rest = /^\s*(?:"[^"]*"?|[^\s"]*)+/.exec(line)?.[0].length ?? 0;
  const words: string[] = [];
  let word = "";
  let isIn = false;
  let isQuoted = false;
  for (const [part, slashes = "", quotes = ""] of line.slice(rest).matchAll(/(\\*)("+)|\\+|[^\\"]/g)) {
    if (quotes === "") {
      const isSpace = !isQuoted && (part === " " || part === "\t");
      if (!isSpace) word += part;
      else if (isIn) words.push(word);
      if (isSpace) word = "";
      isIn = !isSpace;
      continue;
    }
    isIn = true;
    word += "\\".repeat(slashes.length >> 1);
    let left = quotes.length;
    if (slashes.length % 2 === 1) {
      word += '"';
      left -= 1;
    }
    for (; left > 0; left -= 1) {
      if (isQuoted && left > 1) {
        word += '"';
        left -= 1;
      } else isQuoted = !isQuoted;
    }
  }
  if (isIn) words.push(word);
  return parseArguments(words);
}
