// Limits the number of connections, so that half-open ones cannot lock out games: above the limit, it closes the oldest
// unfinished connection. It never refuses a new connection, which may be the game.
import { readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const connectionsWanted = 512;
/** File descriptors left for files, threads, streams and child processes. */
const descriptorsReserved = 256;

function descriptorLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export type ConnectionLimiter = {
  watch(server: Server): void;
  /** Returns the pending response to the last request that arrived completely. */
  pendingAnswer(socket: Socket): ServerResponse | undefined;
  /** Number of connections closed because of the limit since the start. */
  evictedCount(): number;
};

type Exchange = {
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** The response to the previous request, which may still be in progress when the next request arrives. */
  earlier: ServerResponse | undefined;
};

const isUnfinished = ({ request }: Exchange) => request?.complete !== true;
const isIdle = ({ response }: Exchange) => response?.writableFinished === true;

/** One limiter serves all listeners, because they share the process's file descriptors. */
export function createConnectionLimiter(
  limit = Math.max(64, Math.min(connectionsWanted, descriptorLimit() - descriptorsReserved)),
): ConnectionLimiter {
  // The connections in the order of their arrival. They are searched only above the limit, so a request costs almost nothing.
  const connections = new Map<Socket, Exchange>();
  let evicted = 0;

  const oldest = (fits: (exchange: Exchange) => boolean) => {
    for (const [socket, exchange] of connections) if (fits(exchange)) return socket;
    return undefined;
  };
  const makeRoom = () => {
    // A connection that waits for its response is never closed.
    const leaving = oldest(isUnfinished) ?? oldest(isIdle);
    if (leaving === undefined) return;
    connections.delete(leaving);
    evicted += 1;
    leaving.destroy();
  };
  return {
    watch(server) {
      server.on("connection", (socket: Socket) => {
        if (connections.size >= limit) makeRoom();
        connections.set(socket, { request: undefined, response: undefined, earlier: undefined });
        socket.once("close", () => connections.delete(socket));
      });
      server.prependListener("request", (request, response) => {
        const exchange = connections.get(request.socket);
        if (exchange === undefined) return;
        exchange.earlier = exchange.response;
        exchange.request = request;
        exchange.response = response;
      });
    },
    pendingAnswer(socket) {
      const { request, response, earlier } = connections.get(socket) ?? {};
      const awaited = request?.complete ? response : earlier;
      return awaited?.writableFinished === false ? awaited : undefined;
    },
    evictedCount: () => evicted,
  };
}
