// A stand-in for the launcher that records every byte, and can behave as badly as any server on its port.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Behaviour = "answers" | "drops" | "forbids" | "floods" | "asks-for-a-password" | "redirects";

export type Recorded = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly atMs: number;
  /** When it was answered or the client closed the connection; undefined while it waits. */
  closedAtMs: number | undefined;
};

export type Recorder = {
  readonly url: string;
  /** All requests except preflights, in order of arrival. */
  readonly requests: Recorded[];
  /** Preflight requests (CORS), which are no messages of the game. */
  readonly preflights: Recorded[];
  /** The bytes sent as endless answers. */
  readonly floodedBytes: number;
  behave(as: Behaviour): void;
  /** Stops listening at the address. */
  leave(): Promise<void>;
  /** Listens again at the same address. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
};

function corsOf(request: IncomingMessage): Record<string, string> {
  const origin = request.headers.origin;
  if (origin === undefined) return {};
  return { "access-control-allow-origin": origin, "access-control-allow-headers": "content-type" };
}

/** Writes as much as the client accepts, for as long as it accepts it. */
function flood(response: ServerResponse, sent: (bytes: number) => void): void {
  const chunk = Buffer.alloc(65_536, "x");
  let hasRoom = true;
  while (hasRoom && !response.destroyed) {
    hasRoom = response.write(chunk);
    sent(chunk.length);
  }
  response.once("drain", () => flood(response, sent));
}

/** Answers of a foreign server: one makes a browser ask the player for a password, the other redirects to itself. */
function refuse(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): void {
  const [status, more] =
    behaviour === "redirects"
      ? [307, { location: request.url ?? "/" }]
      : [401, { "www-authenticate": 'Basic realm="stranger"' }];
  response.writeHead(status, { ...corsOf(request), ...more, "content-length": "0" }).end();
}

export async function openRecorder(): Promise<Recorder> {
  const requests: Recorded[] = [];
  let floodedBytes = 0;
  const preflights: Recorded[] = [];
  let behaviour: Behaviour = "answers";

  function record(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const { method = "", url = "", headers } = request;
    const entry: Recorded = { method, path: url, headers, body, atMs: Date.now(), closedAtMs: undefined };
    response.once("close", () => {
      entry.closedAtMs = Date.now();
    });
    (method === "OPTIONS" ? preflights : requests).push(entry);
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (behaviour === "drops") return void request.socket.destroy();
    if (behaviour === "forbids") return void response.writeHead(403).end();
    if (request.method === "OPTIONS") return void response.writeHead(204, corsOf(request)).end();
    if (behaviour === "asks-for-a-password" || behaviour === "redirects") return refuse(behaviour, request, response);
    response.writeHead(202, { ...corsOf(request), "content-type": "application/json" });
    if (behaviour === "answers") return void response.end('{"id":"1","status":"accepted"}');
    flood(response, (bytes) => {
      floodedBytes += bytes;
    });
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      record(request, response, Buffer.concat(chunks));
      answer(request, response);
    });
  });
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const leave = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });

  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    preflights,
    get floodedBytes() {
      return floodedBytes;
    },
    behave(as) {
      behaviour = as;
    },
    leave,
    comeBack: () => listen(port),
    close: leave,
  };
}
