// Keeps half-open connections from starving games: when too many are unfinished, the oldest one goes.
// The newcomer is never refused, since it may be the game.
import { readFileSync } from "node:fs";
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

const unfinishedMax = 512;
/** Left for files, threads, streams and children. */
const descriptorsReserved = 256;

function descriptorLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export type Governor = {
  watch(server: Server): void;
  /** Connections closed to make room, since the start. */
  evicted(): number;
};

/** One governor for all listeners: they share the process's descriptors. */
export function createGovernor(limit = Math.max(64, Math.min(unfinishedMax, descriptorLimit() - descriptorsReserved))): Governor {
  // In the order in which they began to wait. A finished request takes its connection out; the next begins anew.
  const unfinished = new Set<Socket>();
  let evicted = 0;

  const begin = (socket: Socket) => {
    unfinished.delete(socket);
    unfinished.add(socket);
    if (unfinished.size <= limit) return;
    const [oldest] = unfinished;
    if (oldest === undefined) return;
    unfinished.delete(oldest);
    evicted += 1;
    oldest.destroy();
  };
  const onRequest = (request: IncomingMessage) => {
    const { socket } = request;
    request.once("end", () => unfinished.delete(socket));
  };
  return {
    watch(server) {
      server.on("connection", (socket: Socket) => {
        begin(socket);
        socket.once("close", () => unfinished.delete(socket));
      });
      server.prependListener("request", (request, response) => {
        onRequest(request);
        response.once("finish", () => {
          if (!request.socket.destroyed) begin(request.socket);
        });
      });
    },
    evicted: () => evicted,
  };
}
