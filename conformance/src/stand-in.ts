// The stand-in launcher: behaves according to a state and records all requests.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { defaultPort } from "@kit/contract";
import type { LauncherState } from "./case.ts";
import { treat } from "./launcher-states.ts";
import { openRefusingPort, type RefusingPort } from "./refusing-port.ts";
import { openUnansweredPort } from "./unanswered-port.ts";

export type Arrival = {
  readonly method: string;
  readonly target: string;
  /** Header names are in lower case. Repeated headers are separate entries. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly atMs: number;
  /** Time at which the connection closed before the response was complete; undefined while it is open. */
  closedAtMs: number | undefined;
  /** Bytes of the response accepted by the client or by buffers. */
  answeredBytes: number;
};

export type StandIn = {
  readonly url: string;
  /** All requests except CORS preflights. */
  readonly arrivals: readonly Arrival[];
  /** Requests at the second address, to which a response redirected. */
  readonly followed: readonly Arrival[];
  /** Resolves when every connection that was opened before is accepted and none is open, or after `ms`. */
  idle(ms: number): Promise<void>;
  close(): Promise<void>;
};

type Ear = { readonly arrivals: Arrival[]; readonly sockets: Set<Socket>; readonly server: Server };

/** Listens, records requests and responds according to `state`. */
function openEar(state: LauncherState, elsewhere: () => string): Ear {
  const arrivals: Arrival[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const { socket } = request;
    const before = socket.bytesWritten;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined); // The client disconnected during the request, which then counts as missing.
    request.on("end", () => {
      const arrival = arrivalOf(request, Buffer.concat(chunks));
      if (request.method !== "OPTIONS") arrivals.push(arrival);
      response.once("close", () => {
        arrival.closedAtMs = Date.now();
        arrival.answeredBytes = socket.bytesWritten - before;
      });
      treat(state, request, response, elsewhere());
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  return { arrivals, sockets, server };
}

function arrivalOf(request: IncomingMessage, body: Buffer): Arrival {
  const { method = "", url = "", rawHeaders } = request;
  const names = rawHeaders.filter((_, at) => at % 2 === 0);
  const headers = names.map((name, at) => [name.toLowerCase(), rawHeaders[at * 2 + 1] ?? ""] as const);
  return { method, target: url, headers, body, atMs: Date.now(), closedAtMs: undefined, answeredBytes: 0 };
}

function listen({ server }: Ear, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const hint = `port ${port} is taken. Cases of the defaults need it: end the launcher that listens there, and try again`;
      reject(error.code === "EADDRINUSE" ? new Error(hint, { cause: error }) : error);
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

async function endEar({ server, sockets }: Ear): Promise<void> {
  for (const socket of sockets) socket.destroy();
  if (server.listening) await new Promise((done) => server.close(done));
}

/** Resolves when every connection that was opened before is accepted, or `limit` is aborted. The kernel keeps them in their order. */
async function acceptEarlier({ server, sockets }: Ear, limit: AbortSignal): Promise<void> {
  if (!server.listening) return;
  const { address, port } = server.address() as AddressInfo;
  const own = connect(port, address);
  own.on("error", () => undefined); // The stand-in may close meanwhile.
  const isAccepted = () => [...sockets].some(({ remotePort }) => remotePort === own.localPort);
  try {
    await once(own, "connect", { signal: limit });
    while (!isAccepted()) await once(server, "connection", { signal: limit });
  } catch (error) {
    if (!limit.aborted) throw error;
  } finally {
    own.destroy();
  }
}

async function idleEars(ears: readonly Ear[], ms: number): Promise<void> {
  const deadlineMs = Date.now() + ms;
  const limit = AbortSignal.timeout(ms);
  await Promise.all(ears.map((ear) => acceptEarlier(ear, limit)));
  while (ears.some(({ sockets }) => sockets.size > 0) && Date.now() < deadlineMs) {
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** Listens on both loopback addresses. Without IPv6, the IPv6 cases fail. */
async function listenOnBoth(state: LauncherState, elsewhere: () => string, port: number): Promise<[Ear[], number]> {
  const four = openEar(state, elsewhere);
  const six = openEar(state, elsewhere);
  const found = await listen(four, port, "127.0.0.1");
  await listen(six, found, "::1").catch(() => undefined);
  return [[four, six], found];
}

const nobodyAt = ({ url, close }: RefusingPort): StandIn => ({
  url,
  close,
  arrivals: [],
  followed: [],
  idle: async () => undefined,
});

/** States whose responses redirect to a second address. */
const leadsAway: readonly LauncherState[] = ["redirects", "refreshes"];

/** Opens a launcher in the given state. Throws if it needs the default port and that is in use. */
export async function openStandIn(state: LauncherState): Promise<StandIn> {
  if (state === "absent") return nobodyAt(await openUnansweredPort());
  if (state === "refuses") return nobodyAt(await openRefusingPort());
  const away = openEar("answers", () => "");
  const awayPort = leadsAway.includes(state) ? await listen(away, 0, "127.0.0.1") : 0;
  const wanted = state === "answers-default" ? defaultPort : 0;
  const [ears, port] = await listenOnBoth(state, () => `http://127.0.0.1:${awayPort}`, wanted);
  return {
    url: `http://127.0.0.1:${port}`,
    get arrivals() {
      return ears.flatMap(({ arrivals }) => arrivals);
    },
    followed: away.arrivals,
    idle: (ms) => idleEars([...ears, away], ms),
    async close() {
      await Promise.all([...ears, away].map(endEar));
    },
  };
}
