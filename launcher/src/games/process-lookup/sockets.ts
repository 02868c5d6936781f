// Finds the name of the socket at the other end of a connection: through netlink if possible, else in /proc/net/tcp.
import { readFile } from "node:fs/promises";
import { endianness } from "node:os";
import { getBuiltinModule } from "node:process";
import { tryRead } from "./processes.ts";

/** The two ends of a connection, as a Node socket describes them; undefined once the socket is closed. */
export type Connection = {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
};

/** Returns the name of the socket at the other end of a connection, as /proc/<pid>/fd shows it. */
type SockDiag = (connection: Connection) => string | undefined;

const netlink = { family: 16, type: 3, closedOnExec: 0o2_000_000, neverWaits: 0o4_000, sockDiag: 4 };
const inet = { v4: 2, v6: 10, tcp: 6 };
const socketByFamily = 20;
const headBytes = 16;
const questionBytes = headBytes + 56;
const answerBytes = headBytes + 72;
const anyCookie = 0xffff_ffff;

/** Parses only 127.0.0.1 and ::1, because Kit listens on no other address. */
function bytesOf(address: string): readonly number[] {
  if (address === "::1") return [...Array<number>(15).fill(0), 1];
  return address.replace("::ffff:", "").split(".").map(Number);
}

type Ends = { readonly [end in keyof Connection]-?: NonNullable<Connection[end]> };

/** Returns false for a closed connection. */
const hasEnds = (connection: Connection): connection is Ends =>
  connection.remoteAddress !== undefined && connection.localAddress !== undefined;

/** Writes struct nlmsghdr and struct inet_diag_req_v2, which ask for the socket at the other end of the connection. */
function writeQuestion(
  question: Buffer,
  number: number,
  { remoteAddress, remotePort, localAddress, localPort }: Ends,
): void {
  const own = bytesOf(remoteAddress);
  const other = bytesOf(localAddress);
  question.fill(0);
  question.writeUInt32LE(questionBytes, 0);
  question.writeUInt16LE(socketByFamily, 4);
  question.writeUInt16LE(1, 6);
  question.writeUInt32LE(number, 8);
  question.set([own.length === 4 ? inet.v4 : inet.v6, inet.tcp], headBytes);
  question.fill(0xff, headBytes + 4, headBytes + 8);
  question.writeUInt16BE(remotePort, headBytes + 8);
  question.writeUInt16BE(localPort, headBytes + 10);
  question.set(own, headBytes + 12);
  question.set(other, headBytes + 28);
  question.writeUInt32LE(anyCookie, headBytes + 48);
  question.writeUInt32LE(anyCookie, headBytes + 52);
}

/** Reads struct inet_diag_msg. Ignores a listening socket, which has no other end, and a closed one, which has no inode. */
function readAnswer(answer: Buffer, localPort: number): string | undefined {
  const isSocket = answer.readUInt16LE(4) === socketByFamily && answer.readUInt16BE(headBytes + 6) === localPort;
  const inode = answer.readUInt32LE(headBytes + 68);
  return isSocket && inode !== 0 ? `socket:[${inode}]` : undefined;
}

function openLibc() {
  const bytes = { arguments: ["i32", "buffer", "u64", "i32"], return: "i64" } as const;
  const socket = { arguments: ["i32", "i32", "i32"], return: "i32" } as const;
  return getBuiltinModule("node:ffi")?.dlopen(null, { socket, send: bytes, recv: bytes }).functions;
}

/**
 * Finds a socket by its two ends through the netlink interface, sock_diag(7). Takes microseconds, however many sockets exist.
 * Returns undefined if Node lacks node:ffi or the system forbids netlink.
 */
export function openSockDiag(): SockDiag | undefined {
  if (process.platform !== "linux" || endianness() !== "LE") return undefined;
  const libc = tryRead(openLibc);
  const { family, type, closedOnExec, neverWaits, sockDiag } = netlink;
  const fd = libc?.socket(family, type | closedOnExec | neverWaits, sockDiag) ?? -1;
  if (libc === undefined || fd < 0) return undefined;
  const question = Buffer.alloc(questionBytes);
  const answer = Buffer.alloc(answerBytes * 2);
  let number = 0;
  return (connection) => {
    if (!hasEnds(connection)) return undefined;
    number = (number + 1) % 2 ** 32;
    writeQuestion(question, number, connection);
    if (libc.send(fd, question, BigInt(questionBytes), 0) !== BigInt(questionBytes)) return undefined;
    // The kernel answers before `send` returns. Older answers, to earlier questions, are skipped.
    while (libc.recv(fd, answer, BigInt(answer.length), 0) >= headBytes)
      if (answer.readUInt32LE(8) === number) return readAnswer(answer, connection.localPort);
    return undefined;
  };
}

/**
 * Kit reads both tables, because an IPv6 socket can carry IPv4. This takes milliseconds, and more for each recently closed
 * connection.
 */
const tables = ["/proc/net/tcp", "/proc/net/tcp6"];

const hexOf = (port: number | undefined) => (port ?? 0).toString(16).toUpperCase().padStart(4, "0");

function socketIn(table: string, { remotePort, localPort }: Connection): string | undefined {
  const peer = `:${hexOf(remotePort)}`;
  const own = `:${hexOf(localPort)}`;
  for (let at = table.indexOf(`${peer} `); at >= 0; at = table.indexOf(`${peer} `, at + 1)) {
    const line = table.slice(table.lastIndexOf("\n", at) + 1, at + 200).split("\n", 1)[0] ?? "";
    const [, local, remote, , , , , , , inode] = line.trim().split(/\s+/);
    if (local?.endsWith(peer) && remote?.endsWith(own) && inode !== "0") return `socket:[${inode}]`;
  }
  return undefined;
}

export async function findSocketsInTables(
  connections: readonly Connection[],
): Promise<ReadonlyMap<Connection, string>> {
  const found = new Map<Connection, string>();
  const missing = new Set(connections);
  for (const table of tables) {
    if (missing.size === 0) break;
    const text = await readFile(table, "latin1").catch(() => "");
    for (const connection of missing) {
      const socket = socketIn(text, connection);
      if (socket !== undefined && missing.delete(connection)) found.set(connection, socket);
    }
  }
  return found;
}

/** Returns the name of the socket at the other end of each connection. Leaves out connections that have closed. */
export type FindSockets = (connections: readonly Connection[]) => Promise<ReadonlyMap<Connection, string>>;

export function createSocketFinder(): FindSockets {
  const sockDiag = openSockDiag();
  if (sockDiag === undefined) return findSocketsInTables;
  // A kernel without sock_diag answers as if no connection existed. So only a first success proves that it works.
  let isSupported = false;
  return async (connections) => {
    const found = new Map<Connection, string>();
    for (const connection of connections) {
      const socket = sockDiag(connection);
      if (socket !== undefined) found.set(connection, socket);
    }
    isSupported ||= found.size > 0;
    return isSupported ? found : findSocketsInTables(connections);
  };
}
