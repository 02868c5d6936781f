// What a process calls the other end of a connection: asked of the kernel where it can be, else read out of its tables.
import { readFile } from "node:fs/promises";
import type { Connection } from "./connection.ts";
import { openSockDiag } from "./sock-diag.ts";

// The kernel's tables of connections. Reading them takes milliseconds, and more with each connection that closed lately.

/** A game may hold an IPv6 socket that speaks IPv4. */
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

/** The name each connection's other end has among a process's open files. */
export async function socketsInTables(connections: readonly Connection[]): Promise<ReadonlyMap<Connection, string>> {
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

/** The names of the other ends among a process's open files; without those that are closed by now. */
export type FindSockets = (connections: readonly Connection[]) => Promise<ReadonlyMap<Connection, string>>;

export function createFindSockets(): FindSockets {
  const sockDiag = openSockDiag();
  if (sockDiag === undefined) return socketsInTables;
  // A kernel may be built without it, and says the same then as of a connection that is not there.
  let isProven = false;
  return async (connections) => {
    const found = new Map<Connection, string>();
    for (const connection of connections) {
      const socket = sockDiag(connection);
      if (socket !== undefined) found.set(connection, socket);
    }
    isProven ||= found.size > 0;
    return isProven ? found : socketsInTables(connections);
  };
}
