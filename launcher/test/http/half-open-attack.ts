// Attacks a server from a separate thread: holds many connections open and sends each request a few bytes at a time.
import { connect, type Socket } from "node:net";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { triggerRecording } from "@kit/contract";

export type Attack = {
  readonly port: number;
  readonly connections: number;
  /** The part that is never finished. */
  readonly part: "headers" | "body";
  /** Connections that the server closes are opened again. */
  readonly reopens: boolean;
};

/** Sent to the main thread several times a second. */
export type AttackReport = { readonly opened: number; readonly open: number };

const dribbleEveryMs = 1_000;
const reopenAfterMs = 500;
const reportEveryMs = 50;

function attack({ port, connections, part, reopens }: Attack): void {
  const start = `POST ${triggerRecording.path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
  const head = `${start}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
  let opened = 0;
  let open = 0;
  const begin = () => {
    const socket: Socket = connect(port, "127.0.0.1");
    let dribble: NodeJS.Timeout | undefined;
    socket.on("connect", () => {
      opened += 1;
      open += 1;
      socket.write(part === "headers" ? start : head);
      dribble = setInterval(() => socket.write(part === "headers" ? "X-Slow: yes\r\n" : " "), dribbleEveryMs);
      socket.on("close", () => {
        open -= 1;
      });
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(dribble);
      if (reopens) setTimeout(begin, reopenAfterMs);
    });
    socket.resume();
  };
  for (let count = 0; count < connections; count += 1) begin();
  setInterval(() => parentPort?.postMessage({ opened, open } satisfies AttackReport), reportEveryMs);
}

if (!isMainThread) attack(workerData as Attack);
