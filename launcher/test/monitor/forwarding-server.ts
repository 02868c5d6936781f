// A scripted forwarding target, which keeps every request and answers them in order.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { until } from "../support/until.ts";

export type Received = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The client's port, which names the connection. */
  readonly port: number | undefined;
  readonly atMs: number;
};

/** Status and headers, or a function that handles the response. */
export type Scripted =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | ((response: ServerResponse, request: IncomingMessage) => void);

export type ForwardServer = {
  readonly port: number;
  readonly received: readonly Received[];
  /** One answer for each request, in this order; afterwards 200 to all. */
  script: Scripted[];
  /** Resolves when there are this many requests. */
  have(count: number): Promise<readonly Received[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startForwardServer(port = 0): Promise<ForwardServer> {
  const received: Received[] = [];
  const script: Scripted[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const bytes = Buffer.concat(await request.toArray().catch(() => []));
    const body = (headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
    received.push({ method, url, headers, body, port: request.socket.remotePort, atMs: Date.now() });
    const next = started.script.shift() ?? { status: 200, body: "{}" };
    if (typeof next === "function") return next(response, request);
    response.writeHead(next.status, next.headers ?? {}).end(next.body ?? "");
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const started: ForwardServer = {
    port: (server.address() as { port: number }).port,
    received,
    script,
    have: (count) => until(`${count} requests`, () => received.length >= count && received),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return started;
}
