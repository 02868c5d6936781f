// Finds the name of the socket at the other end of a connection: through netlink if possible, else in /proc/net/tcp.
import { readFile } from "node:fs/promises";
import { type Connection, openSockDiag } from "./sock-diag.ts";

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
