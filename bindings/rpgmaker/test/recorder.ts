// Stands in for the launcher: keeps every byte that reaches it, and behaves as a launcher may at its worst.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Behaviour = "answers" | "fails" | "drops" | "hangs";

export type Recorded = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly atMs: number;
  /** When it was answered or the client gave it up; undefined while it waits. */
  closedAtMs: number | undefined;
};

export type Recorder = {
  readonly url: string;
  /** POSTs and whatever else came, in order of arrival. */
  readonly requests: Recorded[];
  /** The browsers' questions beforehand (CORS), which are not messages of the game. */
  readonly preflights: Recorded[];
  behave(as: Behaviour): void;
  /** Nobody listens at the address from here on. */
  leave(): Promise<void>;
  /** Listens again, at the same address. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
};

function corsOf(request: IncomingMessage): Record<string, string> {
  const origin = request.headers.origin;
  if (origin === undefined) return {};
  return { "access-control-allow-origin": origin, "access-control-allow-headers": "content-type" };
}

function answer(request: IncomingMessage, response: ServerResponse, behaviour: Behaviour): void {
  if (behaviour === "hangs") return;
  if (behaviour === "drops") return void request.socket.destroy();
  if (request.method === "OPTIONS") return void response.writeHead(204, corsOf(request)).end();
  response.writeHead(behaviour === "fails" ? 500 : 202, { ...corsOf(request), "content-type": "application/json" });
  response.end('{"id":"1","status":"accepted"}');
}

export async function openRecorder(): Promise<Recorder> {
  const requests: Recorded[] = [];
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

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      record(request, response, Buffer.concat(chunks));
      answer(request, response, behaviour);
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
