// Responses of a foreign HTTP server at the launcher's address that make some clients misbehave.
import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, deflateRawSync } from "node:zlib";
import { answer, answersWith, corsOf, type Treatments } from "./answer.ts";

const page = { "content-type": "text/html" };

/** Writes the start of a response directly to the socket, because Node always completes the headers. */
function beginHead(request: IncomingMessage, statusLine: string, more: Record<string, string> = {}): void {
  const lines = Object.entries({ ...corsOf(request), ...more }).map(([name, value]) => `${name}: ${value}`);
  request.socket.write(`${[`HTTP/1.1 ${statusLine}`, ...lines].join("\r\n")}\r\n`);
}

function switchProtocol(request: IncomingMessage): void {
  beginHead(request, "101 Switching Protocols", { connection: "Upgrade", upgrade: "websocket" });
  request.socket.write("\r\n");
}

// Fast enough for the test, without much load.
const continuesEveryMs = 5;
const continuesAtOnce = "HTTP/1.1 100 Continue\r\n\r\n".repeat(10);

function continueForever({ socket }: IncomingMessage): void {
  const timer = setInterval(() => socket.write(continuesAtOnce), continuesEveryMs);
  socket.once("close", () => clearInterval(timer));
}

const headerBlock = `x-padding: ${"a".repeat(1_000)}\r\n`.repeat(64);
// Stops here, because a client without a header limit has long been detected.
const headerBytesMax = 64 * 1024 * 1024;

/** Sends endless headers as fast as the client reads them. */
function writeHeadersForever(request: IncomingMessage): void {
  const { socket } = request;
  let left = headerBytesMax;
  const pour = () => {
    for (let isTaken = true; isTaken && left > 0 && !socket.destroyed; left -= headerBlock.length) {
      isTaken = socket.write(headerBlock);
    }
  };
  beginHead(request, "202 Accepted");
  socket.on("drain", pour);
  pour();
}

const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
const unpackedBytes = 64 * 1024 * 1024;
const bomb = Buffer.concat([
  gzipHead,
  deflateRawSync(Buffer.alloc(unpackedBytes), { finishFlush: constants.Z_SYNC_FLUSH }),
]);

/** Sends a decompression bomb (64 MB in 64 kB) without an end. Clients that decompress it stay connected. */
function throwBomb(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(202, { ...corsOf(request), "content-type": "text/plain", "content-encoding": "gzip" }).write(bomb);
}

export const strangerTreatments: Treatments = {
  "wants-password": answer(401, "", { ...page, "www-authenticate": 'Basic realm="Router"' }),
  "wants-proxy-password": answer(407, "", { ...page, "proxy-authenticate": 'Basic realm="Proxy"' }),
  "switches-protocol": switchProtocol,
  "continues-forever": continueForever,
  "headers-forever": writeHeadersForever,
  "gzip-bomb": throwBomb,
  "redirects-to-itself": (request, response) => {
    const location = `http://${request.headers.host}${request.url}`;
    response.writeHead(307, { ...corsOf(request), location }).end();
  },
  // Node writes headers in Latin-1, so these bytes are invalid UTF-8.
  "latin1-status": (request, response) => {
    response.writeHead(202, "D\u00e9j\u00e0 re\u00e7u", { ...corsOf(request), "x-place": "M\u00fcnchen" }).end();
  },
  "sets-cookies": answersWith(() => ({ "set-cookie": "stranger=1; Path=/" })),
  refreshes: answersWith(({ url }, elsewhere) => ({ ...page, refresh: `0; url=${elsewhere}${url}` })),
};
