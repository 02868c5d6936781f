// Keeps half-open connections from starving games: when there are too many, the oldest unfinished one goes.
// The newcomer is never refused, since it may be the game.
import { readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const connectionsWanted = 512;
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
  /** The last answer a connection waits for whose request came whole. */
  pendingAnswer(socket: Socket): ServerResponse | undefined;
  /** Connections closed to make room, since the start. */
  evicted(): number;
};

type Exchange = {
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** The answer to the request before, which may still be under way when the next one comes. */
  earlier: ServerResponse | undefined;
};

const isUnfinished = ({ request }: Exchange) => request?.complete !== true;
const isIdle = ({ response }: Exchange) => response?.writableFinished === true;

/** One governor for all listeners: they share the process's descriptors. */
export function createGovernor(
  limit = Math.max(64, Math.min(connectionsWanted, descriptorLimit() - descriptorsReserved)),
): Governor {
  // In the order in which they came. Only looked through when there are too many, so a request costs next to nothing.
  const connections = new Map<Socket, Exchange>();
  let evicted = 0;

  const oldest = (fits: (exchange: Exchange) => boolean) => {
    for (const [socket, exchange] of connections) if (fits(exchange)) return socket;
    return undefined;
  };
  const makeRoom = () => {
    // Connections that wait for their answer stay, however many.
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
    evicted: () => evicted,
  };
}
