// A scripted forwarding target, which keeps every request and answers them in order.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { until } from "../support/until.ts";

export type Received = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The attachment of an envelope that has one and nothing else. */
  readonly video: ReceivedVideo | undefined;
  /** The client's port, which names the connection. */
  readonly port: number | undefined;
  readonly atMs: number;
};

export type ReceivedVideo = {
  readonly event: string;
  readonly item: Readonly<Record<string, unknown>>;
  readonly file: Buffer;
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
  /** The same for requests with a video, which are not in `script`. */
  videoScript: Scripted[];
  /** While true, requests are accepted but not read. */
  holds: boolean;
  readonly held: readonly IncomingMessage[];
  /** Resolves when there are this many requests. */
  have(count: number): Promise<readonly Received[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Parses an envelope with one attachment. Throws if its lengths are wrong. */
function videoIn(bytes: Buffer): ReceivedVideo | undefined {
  const headEnd = bytes.indexOf("\n");
  const itemEnd = bytes.indexOf("\n", headEnd + 1);
  const item = itemEnd < 0 ? {} : JSON.parse(bytes.toString("utf8", headEnd + 1, itemEnd));
  if (item.type !== "attachment") return undefined;
  const file = bytes.subarray(itemEnd + 1, itemEnd + 1 + item.length);
  assert.deepEqual([file.length, bytes.toString("utf8", itemEnd + 1 + file.length)], [item.length, "\n"]);
  return { event: JSON.parse(bytes.toString("utf8", 0, headEnd)).event_id, item, file };
}

export async function startForwardServer(port = 0): Promise<ForwardServer> {
  const received: Received[] = [];
  const held: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    if (started.holds) return void held.push(request);
    const sent = Buffer.concat(await request.toArray().catch(() => []));
    if (!request.complete) return;
    const bytes = headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    const video = url?.endsWith("/envelope/") ? videoIn(bytes) : undefined;
    const body = video === undefined ? bytes.toString() : "";
    received.push({ method, url, headers, body, video, port: request.socket.remotePort, atMs: Date.now() });
    const next = (video === undefined ? started.script : started.videoScript).shift() ?? { status: 200, body: "{}" };
    if (typeof next === "function") return next(response, request);
    response.writeHead(next.status, next.headers ?? {}).end(next.body ?? "");
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const started: ForwardServer = {
    port: (server.address() as { port: number }).port,
    received,
    script: [],
    videoScript: [],
    holds: false,
    held,
    have: (count) => until(`${count} requests`, () => received.length >= count && received),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return started;
}
