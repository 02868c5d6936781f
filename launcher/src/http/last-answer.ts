// Which answer is the last of its connection. A client may send the next request without waiting; behind the last answer
// nothing is carried out, since nobody would learn of it.
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

const ending = new WeakSet<Socket>();

/**
 * Belongs to an answer that was given without reading the body: the connection cannot be used again. It can where the request
 * came whole, and must be, since the next one may be under way.
 */
export function lastAnswer({ complete, socket }: IncomingMessage): Readonly<Record<string, string>> {
  if (complete && !ending.has(socket)) return {};
  ending.add(socket);
  return { connection: "close" };
}

/** True for a request behind the last answer: it gets none. */
export const isBehindLast = ({ socket }: IncomingMessage): boolean => ending.has(socket);
