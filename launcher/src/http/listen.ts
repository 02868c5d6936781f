// Listens on both loopback addresses, and on no other. If Kit held the port on only one of them, another program could take
// the other.

import type { RequestListener, Server, ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { KitError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { ConnectionLimiter } from "./connection-limiter.ts";
import { rawProblemResponse, toKitError } from "./problem.ts";

// A named import would also load Node's fetch, which costs 40 ms of every start.
const { createServer } = process.getBuiltinModule("node:http");

const serverOptions: ServerOptions = {
  headersTimeout: 4_000,
  requestTimeout: 8_000,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 8_192,
  requireHostHeader: false,
};
/** Error codes on computers without IPv6, where Kit listens on one address. */
const absentFamily = ["EADDRNOTAVAIL", "EAFNOSUPPORT"];

export type Listeners = {
  readonly addresses: readonly string[];
  close(): Promise<void>;
};

function onClientError(
  error: Error,
  socket: Socket,
  connectionLimiter: ConnectionLimiter,
  refused: (error: KitError) => void,
): void {
  if (socket.destroyed || (error as NodeJS.ErrnoException).code === "ECONNRESET") return;
  // No game sent this: browsers and port checks open connections that they never use.
  if (socket.bytesRead === 0) return void socket.destroy();
  const answer = toKitError(error) ?? new KitError("malformed_request", message("request.not_http"));
  refused(answer);
  const pending = connectionLimiter.pendingAnswer(socket);
  // While Kit answers an earlier request of this connection, the error must not be written into that response.
  if (pending !== undefined) pending.once("finish", () => socket.destroy());
  else if (socket.writable) socket.end(rawProblemResponse(answer), () => socket.destroy());
  else socket.destroy();
}

function bind(server: Server, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (host === "::1" && absentFamily.includes(error.code ?? "")) resolve(undefined);
      else reject(error);
    });
    server.listen({ host, port, exclusive: true, ipv6Only: host === "::1" }, () => {
      const name = host === "::1" ? "[::1]" : host;
      resolve(`http://${name}:${port}`);
    });
  });
}

/** Resolves once it listens on every loopback address; rejects with EADDRINUSE if one is in use. */
export async function listenOnLoopback(
  port: number,
  listener: RequestListener,
  connectionLimiter: ConnectionLimiter,
  refused: (error: KitError) => void,
): Promise<Listeners> {
  const servers: Server[] = [];
  const close = async () => {
    const ended = servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const server of servers) server.closeAllConnections();
    await Promise.all(ended);
  };
  const addresses: string[] = [];
  try {
    for (const host of ["127.0.0.1", "::1"]) {
      const server = createServer(serverOptions, listener);
      connectionLimiter.watch(server);
      // Without this listener, Node would answer an unknown Expect header before the Host header is checked.
      server.on("checkExpectation", listener);
      server.on("clientError", (error, socket) => onClientError(error, socket as Socket, connectionLimiter, refused));
      const address = await bind(server, host, port);
      if (address === undefined) continue;
      servers.push(server);
      addresses.push(address);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { addresses, close };
}
