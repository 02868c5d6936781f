// Which answer is the last of its connection. A client may send the next request without waiting; behind the last answer
// nothing is carried out, since nobody would learn of it.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const requestsPerSocketMax = 1_000;
const ending = new WeakSet<Socket>();
const requests = new WeakMap<Socket, number>();

/**
 * Belongs to an answer that was given without reading the body: the connection cannot be used again. It can where the request
 * came whole, and must be, since the next one may be under way.
 */
export function lastAnswer({ complete, socket }: IncomingMessage): Readonly<Record<string, string>> {
  if (complete && !ending.has(socket)) return {};
  ending.add(socket);
  return { connection: "close" };
}

/** True for a request behind the last answer: it gets none. The thousandth answer of a connection is its last. */
export function isBehindLast({ socket }: IncomingMessage, response: ServerResponse): boolean {
  if (ending.has(socket)) return true;
  const count = (requests.get(socket) ?? 0) + 1;
  requests.set(socket, count);
  if (count === requestsPerSocketMax) {
    ending.add(socket);
    response.shouldKeepAlive = false;
  }
  return false;
}
