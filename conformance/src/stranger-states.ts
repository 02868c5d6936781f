// What another program on the launcher's address may answer: each is HTTP, and each makes some client do more than it was asked.
import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, deflateRawSync } from "node:zlib";
import { answer, answersWith, corsOf, type Treatments } from "./answer.ts";

const page = { "content-type": "text/html" };

/** The start of an answer, written past Node, which ends every head. */
function beginHead(request: IncomingMessage, statusLine: string, more: Record<string, string> = {}): void {
  const lines = Object.entries({ ...corsOf(request), ...more }).map(([name, value]) => `${name}: ${value}`);
  request.socket.write(`${[`HTTP/1.1 ${statusLine}`, ...lines].join("\r\n")}\r\n`);
}

function switchProtocol(request: IncomingMessage): void {
  beginHead(request, "101 Switching Protocols", { connection: "Upgrade", upgrade: "websocket" });
  request.socket.write("\r\n");
}

// Far more than any client waits for, and little work for the machine that plays other cases beside this one.
const continuesEveryMs = 5;
const continuesAtOnce = "HTTP/1.1 100 Continue\r\n\r\n".repeat(10);

function continueForever({ socket }: IncomingMessage): void {
  const timer = setInterval(() => socket.write(continuesAtOnce), continuesEveryMs);
  socket.once("close", () => clearInterval(timer));
}

const headerBlock = `x-padding: ${"a".repeat(1_000)}\r\n`.repeat(64);
// A client without a bound for headers shows itself long before; the rest would only fill its memory.
const headerBytesMax = 64 * 1024 * 1024;

/** Headers as fast as the other side takes them, and never the blank line behind them. */
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

/** 64 MB in 64 kB, whose end never comes: whoever unpacks it is still there when others are long gone. */
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
  // Node writes heads in Latin-1: these are single bytes, and no UTF-8.
  "latin1-status": (request, response) => {
    response.writeHead(202, "D\u00e9j\u00e0 re\u00e7u", { ...corsOf(request), "x-place": "M\u00fcnchen" }).end();
  },
  "sets-cookies": answersWith(() => ({ "set-cookie": "stranger=1; Path=/" })),
  refreshes: answersWith(({ url }, elsewhere) => ({ ...page, refresh: `0; url=${elsewhere}${url}` })),
};
