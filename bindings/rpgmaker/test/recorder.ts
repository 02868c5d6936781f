// A stand-in for the launcher that records every byte, and can behave as badly as any server on its port.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Behaviour = "answers" | "drops" | "forbids";

export type Recorded = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type Recorder = {
  readonly url: string;
  /** All requests except preflights, in order of arrival. */
  readonly requests: Recorded[];
  /** Preflight requests (CORS), which are no messages of the game. */
  readonly preflights: Recorded[];
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

export async function openRecorder(): Promise<Recorder> {
  const requests: Recorded[] = [];
  const preflights: Recorded[] = [];
  let behaviour: Behaviour = "answers";

  function record(request: IncomingMessage, body: Buffer): void {
    const { method = "", url = "", headers } = request;
    (method === "OPTIONS" ? preflights : requests).push({ method, path: url, headers, body });
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (behaviour === "drops") return void request.socket.destroy();
    if (behaviour === "forbids") return void response.writeHead(403).end();
    if (request.method === "OPTIONS") return void response.writeHead(204, corsOf(request)).end();
    response.writeHead(202, { ...corsOf(request), "content-type": "application/json" });
    response.end('{"id":"1","status":"accepted"}');
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      record(request, Buffer.concat(chunks));
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
    behave(as) {
      behaviour = as;
    },
    leave,
    comeBack: () => listen(port),
    close: leave,
  };
}
