// Runs the stand-in of a network on a real TLS socket, and makes it fail in a given way.
import { once } from "node:events";
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { createServer as createPlainHttp } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createSockets, type Server, type Socket } from "node:net";
import type { Certificates } from "./certificates.ts";

export type WireRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Behaviour of a network according to its documentation. */
export type StandIn = {
  answer(asked: WireRequest): Promise<Answer>;
  /** Whether this request creates a post. */
  isMaking(asked: WireRequest): boolean;
  /** Posts created so far. */
  readonly made: number;
};

export type Turn = {
  /** Lets the stand-in handle the request. */
  take(): Promise<Answer>;
  readonly response: ServerResponse;
  readonly socket: Socket;
};

/** What happens to the request that creates a post. */
export type Act = (turn: Turn) => unknown;

/** How the server accepts connections. */
export type Presence =
  | "there"
  | "expired"
  | "otherName"
  | "selfSigned"
  | "plain"
  | "closed"
  | "resets"
  | "mute"
  | "wants-certificate";

export type Wire = {
  readonly origin: string;
  act: Act | null;
  [Symbol.asyncDispose](): Promise<void>;
};

export const answerWith = (response: ServerResponse, { status, headers = {}, body = "" }: Answer) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);

function serverOf(presence: Presence, certificates: Certificates, listener: RequestListener): Server {
  if (presence === "plain") return createPlainHttp(listener);
  if (presence === "resets" || presence === "closed") return createSockets((socket) => void socket.resetAndDestroy());
  if (presence === "mute") return createSockets(() => {});
  if (presence === "wants-certificate")
    return createServer(
      { ...certificates.good, requestCert: true, rejectUnauthorized: true, ca: certificates.ca },
      listener,
    );
  return createServer(presence === "there" ? certificates.good : certificates[presence], listener);
}

export async function startWire(
  standIn: StandIn,
  certificates: Certificates,
  presence: Presence = "there",
): Promise<Wire> {
  const sockets = new Set<Socket>();
  const server = serverOf(presence, certificates, async (request, response) => {
    const { method = "", url = "/", headers } = request;
    const body = Buffer.concat(await request.toArray().catch(() => []));
    const asked: WireRequest = { method, url: new URL(url, wire.origin), headers, body };
    const take = () => standIn.answer(asked);
    if (wire.act === null || !standIn.isMaking(asked)) return answerWith(response, await take());
    response.on("error", () => {});
    return wire.act({ take, response, socket: request.socket });
  });
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
  };
  server
    .on("connection", keep)
    .on("secureConnection", keep)
    .on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server.close(), "close");
  };
  const wire: Wire = {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    act: null,
    [Symbol.asyncDispose]: stop,
  };
  if (presence === "closed") await stop();
  return wire;
}
