// Tracks which response is the last of a connection. A client may send the next request early; Kit ignores requests that
// arrive after the last response, because the client would never learn their result.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { bodyBytesMax } from "@kit/contract";

const requestsPerSocketMax = 1_000;
const ending = new WeakSet<Socket>();
const requests = new WeakMap<Socket, number>();

/**
 * Returns the headers of a response that was sent without reading the body: the connection must close, unless the request
 * had arrived completely. Then the connection must stay open, because the next request may already be on its way.
 */
export function closingHeaders({ complete, socket }: IncomingMessage): Readonly<Record<string, string>> {
  if (complete && !ending.has(socket)) return {};
  ending.add(socket);
  return { connection: "close" };
}

/** Whether a request that only reads announces a body that is large or of unknown length. Node would read it to its end to find the next request. */
function hasUselessBody({ method, headers }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > bodyBytesMax;
}

/**
 * Returns true for a request that gets no response because its connection is ending. The 1,000th response ends a connection, and so
 * does the response to a request with a large body that nobody reads.
 */
export function isAfterLastAnswer(request: IncomingMessage, response: ServerResponse): boolean {
  const { socket } = request;
  if (ending.has(socket)) return true;
  const count = (requests.get(socket) ?? 0) + 1;
  requests.set(socket, count);
  if (count === requestsPerSocketMax || hasUselessBody(request)) {
    ending.add(socket);
    response.shouldKeepAlive = false;
  }
  return false;
}
