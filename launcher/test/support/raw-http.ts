// Reads and writes HTTP byte by byte, for requests that no HTTP client would send.
import { connect, type Socket } from "node:net";
import { patienceMs } from "./until.ts";

export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The body that begins at `from`, and its end; undefined if it is incomplete. */
function bodyIn(bytes: Buffer, from: number, headers: Readonly<Record<string, string>>) {
  if (headers["transfer-encoding"] !== "chunked") {
    const end = from + Number(headers["content-length"] ?? 0);
    return end > bytes.length ? undefined : { body: bytes.toString("utf8", from, end), end };
  }
  const chunks: Buffer[] = [];
  for (let at = from; ; ) {
    const sizeEnds = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, Math.max(at, sizeEnds)), 16);
    const end = sizeEnds + 2 + size;
    if (sizeEnds < 0 || end + 2 > bytes.length) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks).toString(), end: end + 2 };
    chunks.push(bytes.subarray(sizeEnds + 2, end));
    at = end + 2;
  }
}

/** All complete answers in `bytes`, without interim ones (100). */
export function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; ; ) {
    const headEnds = rest.indexOf("\r\n\r\n");
    if (headEnds < 0) return answers;
    const [statusLine = "", ...lines] = rest.toString("latin1", 0, headEnds).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const status = Number(statusLine.split(" ")[1]);
    const content = bodyIn(rest, headEnds + 4, headers);
    if (content === undefined) return answers;
    if (status >= 200) answers.push({ status, headers, body: content.body });
    rest = rest.subarray(content.end);
  }
}

export type RawConnection = {
  readonly socket: Socket;
  /** The bytes received so far. */
  received(): Buffer;
  /** Resolves with the complete answers once there are `count` of them, or the connection has ended. */
  answers(count?: number): Promise<RawAnswer[]>;
  /** Resolves when the other side has ended the connection. */
  readonly ended: Promise<void>;
};

/** Opens a connection to a port of this computer. It is closed by the other side, or when nothing happens for too long. */
export function openRaw(port: number): RawConnection {
  const socket = connect(port, "127.0.0.1");
  let bytes = Buffer.alloc(0);
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const onMore = new Set<() => void>();
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (const look of onMore) look();
  });
  // A hostile connection may end with a reset.
  socket.on("error", () => undefined);
  socket.setTimeout(patienceMs, () => socket.destroy());
  return {
    socket,
    received: () => bytes,
    ended,
    async answers(count = 1) {
      const enough = Promise.withResolvers<void>();
      const look = () => {
        if (answersIn(bytes).length >= count) enough.resolve();
      };
      onMore.add(look);
      look();
      await Promise.race([enough.promise, ended]);
      onMore.delete(look);
      return answersIn(bytes);
    },
  };
}

/** Sends bytes and resolves with the first complete answer; undefined if the connection ended without one. */
export async function sendRaw(port: number, bytes: string | Uint8Array): Promise<RawAnswer | undefined> {
  const connection = openRaw(port);
  connection.socket.write(Buffer.from(bytes as string));
  const [answer] = await connection.answers();
  connection.socket.destroy();
  return answer;
}

export type RawRequest = {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  /** Host header, in which PORT stands for the launcher's port; null sends none. */
  readonly host?: string | null;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
};

/** The bytes of a request, with Content-Length if it has a body. Nothing is escaped or checked. */
export function requestBytes(port: number, request: RawRequest): Buffer {
  const { method = "GET", target = "/api/health", version = "HTTP/1.1", host = `127.0.0.1:${port}` } = request;
  const { headers = [], body } = request;
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const lines = [
    `${method} ${target} ${version}`,
    ...(host === null ? [] : [`Host: ${host.replace("PORT", String(port))}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(bytes === undefined ? [] : [`Content-Length: ${bytes.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), bytes ?? Buffer.alloc(0)]);
}
