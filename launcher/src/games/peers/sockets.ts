// What a process calls the other end of a connection: asked of the kernel where it can be, else read out of its tables.
import type { Connection } from "./connection.ts";
import { openSockDiag } from "./sock-diag.ts";
import { socketsInTables } from "./tcp-tables.ts";

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
