// Clients that send too much, over plain sockets: they do not stop where a well-behaved client would.
import { connect } from "node:net";
import { triggerRecording } from "@kit/contract";
import { patienceMs } from "./until.ts";

const piece = Buffer.alloc(64 * 1024, 0x20);
const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);

/** What a flood came to. */
export type CutOff = {
  /** Until the connection was closed by the other side. */
  readonly afterMs: number;
  /** What the sender got rid of until then. */
  readonly sentBytes: number;
};

const headOf = (port: number, ...lines: string[]) => {
  const first = [`POST ${triggerRecording.path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, "Content-Type: application/json"];
  return [...first, ...lines, "\r\n"].join("\r\n");
};

/** Sends a chunked body without end and never looks at the answer; resolves when it is cut off. */
export const floodEndless = (port: number): Promise<CutOff> =>
  flood(port, headOf(port, "Transfer-Encoding: chunked"), chunk);

/** Announces `bytes` and sends without end, whatever the answer is; resolves when it is cut off. */
export const floodAnnounced = (port: number, bytes: number): Promise<CutOff> =>
  flood(port, headOf(port, `Content-Length: ${bytes}`), piece);

function flood(port: number, head: string, part: Buffer): Promise<CutOff> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const beganMs = performance.now();
    let sentBytes = 0;
    const sendMore = () => {
      while (socket.writable) {
        sentBytes += part.length;
        if (!socket.write(part)) return;
      }
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`not cut off after ${sentBytes} bytes`));
    }, patienceMs);
    socket.on("drain", sendMore);
    socket.resume();
    // Being cut off in the middle of sending is an error to the sender, and what is wanted.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve({ afterMs: performance.now() - beganMs, sentBytes });
    });
    socket.write(head);
    sendMore();
  });
}

/** Sends a chunked body that is too large, does not end it, and waits; resolves with the first line of the answer. */
export function sendUnendedBody(port: number, bytes: number): Promise<{ answer: string; afterMs: number }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const beganMs = performance.now();
    const timer = setTimeout(() => socket.destroy(new Error("no answer")), patienceMs);
    socket.once("data", (data) => {
      clearTimeout(timer);
      resolve({ answer: data.toString("latin1").split("\r\n", 1)[0] ?? "", afterMs: performance.now() - beganMs });
      socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      clearTimeout(timer);
      reject(new Error("closed without an answer"));
    });
    socket.write(headOf(port, "Transfer-Encoding: chunked"));
    for (let sent = 0; sent < bytes; sent += piece.length) socket.write(chunk);
  });
}

/** Sends `count` events over one connection without waiting for an answer; resolves with the statuses that came back. */
export function sendPipelined(port: number, count: number): Promise<readonly number[]> {
  const body = JSON.stringify({ eventId: "oversize_pipelined", timestamp: new Date().toISOString() });
  const request = `${headOf(port, `Content-Length: ${body.length}`)}${body}`;
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error("the launcher neither answered all nor closed the connection"));
    }, patienceMs);
    socket.on("data", (data) => {
      received += data.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve([...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)));
    });
    socket.end(request.repeat(count));
  });
}
