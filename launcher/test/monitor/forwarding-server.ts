// A scripted forwarding target, which keeps every request and answers them in order.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import type { Invitation } from "@kit/contract";
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
  /** When each request arrived, also those for its time. */
  readonly arrivedMs: readonly number[];
  /** How far its clock is ahead of this computer's. Requests for its time are neither kept nor in `script`. */
  aheadMs: number;
  /** While true, requests are accepted but not read. */
  holds: boolean;
  readonly held: readonly IncomingMessage[];
  /** Bytes that arrived, whether or not they made a request. */
  readonly bytes: number;
  /**
   * How many connections were made to it so far, and over how many of them more may still arrive, as the operating system says: it sends
   * what a program left behind. Only Linux tells.
   */
  connections(): { readonly made: number; readonly live: number };
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

/** Counts the clients' ends that are open, or closed with bytes that were not sent or not confirmed. */
export function liveConnectionsTo(port: number): number {
  if (process.platform !== "linux") return 0;
  const remote = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = readFileSync("/proc/net/tcp", "utf8").trim().split("\n").slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , to = "", state = "", queues = ""]) => {
      const isOpen = ["01", "02", "08"].includes(state);
      return to.endsWith(remote) && (isOpen || Number.parseInt(queues, 16) > 1);
    }).length;
}

export async function startForwardServer(port = 0): Promise<ForwardServer> {
  const received: Received[] = [];
  const arrivedMs: number[] = [];
  const held: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    arrivedMs.push(performance.now());
    const date = new Date(Date.now() + started.aheadMs).toUTCString();
    if (method === "HEAD") return void response.writeHead(405, { date }).end();
    if (started.holds) return void held.push(request);
    const sent = Buffer.concat(await request.toArray().catch(() => []));
    if (!request.complete) return;
    const bytes = headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    const video = url?.endsWith("/envelope/") ? videoIn(bytes) : undefined;
    const body = video === undefined ? bytes.toString() : "";
    received.push({ method, url, headers, body, video, port: request.socket.remotePort, atMs: Date.now() });
    const next = (video === undefined ? started.script : started.videoScript).shift() ?? { status: 200, body: "{}" };
    if (typeof next === "function") return next(response, request);
    response.writeHead(next.status, { date, ...next.headers }).end(next.body ?? "");
  });
  const sockets: Socket[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const started: ForwardServer = {
    port: (server.address() as { port: number }).port,
    received,
    arrivedMs,
    script: [],
    videoScript: [],
    aheadMs: 0,
    holds: false,
    held,
    get bytes() {
      return sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    },
    connections: () => ({ made: sockets.length, live: liveConnectionsTo(started.port) }),
    have: (count) => until(`${count} requests`, () => received.length >= count && received),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return started;
}

/** The key of the address in `invitationTo`. */
export const invitedKey = "fedcba9876543210fedcba9876543210";

/** A studio's invitation to the target on this port. It asks for everything. */
export const invitationTo = (port: number): Invitation => ({
  version: 1,
  studio: "Lantern Games",
  text: "",
  kind: "sentry",
  address: `http://${invitedKey}@localhost:${port}/7`,
  game: null,
  environment: null,
  asks: ["earlierEvents", "installation", "videos"],
});
