// The stand-in launcher: one for each case, in that case's state, keeping every byte that comes.
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { defaultPort } from "@kit/contract";
import type { LauncherState } from "./case.ts";
import { treat } from "./launcher-states.ts";
import { openRefusingPort, type RefusingPort } from "./refusing-port.ts";
import { openUnansweredPort } from "./unanswered-port.ts";

export type Arrival = {
  readonly method: string;
  readonly target: string;
  /** Names in small letters; several of one name stand one after another. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly atMs: number;
  /** When the connection ended before an answer did; undefined while it waits. */
  closedAtMs: number | undefined;
  /** How much of an answer was taken, by the other side and the system's buffers between. */
  answeredBytes: number;
};

export type StandIn = {
  readonly url: string;
  /** POSTs and everything else but the questions browsers ask beforehand. */
  readonly arrivals: readonly Arrival[];
  /** What arrived at the second address, which an answer named. */
  readonly followed: readonly Arrival[];
  /** Resolves when nobody is connected any more, after `ms` at the latest. */
  idle(ms: number): Promise<void>;
  close(): Promise<void>;
};

type Ear = { readonly arrivals: Arrival[]; readonly sockets: Set<Socket>; readonly server: Server };

/** Listens, keeps what comes, and treats it as `state` says. */
function openEar(state: LauncherState, elsewhere: () => string): Ear {
  const arrivals: Arrival[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const { socket } = request;
    const before = socket.bytesWritten;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined); // It went away in the middle; what it sent is judged as missing.
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

async function idleEars(ears: readonly Ear[], ms: number): Promise<void> {
  const deadlineMs = Date.now() + ms;
  while (ears.some(({ sockets }) => sockets.size > 0) && Date.now() < deadlineMs) {
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** Both loopbacks, since an address may name either; where the machine has no IPv6 those cases fail by themselves. */
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

/** States whose answers name a second address. */
const leadsAway: readonly LauncherState[] = ["redirects", "refreshes"];

/** Opens a launcher in that state. Throws when it needs the default port and somebody has it. */
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
