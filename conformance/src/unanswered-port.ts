// A port whose backlog is full, so that connecting never completes, as with an unreachable computer.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";

export type UnansweredPort = { readonly url: string; close(): Promise<void> };

// Listens, reports the port, and then blocks its thread, so that no connection is accepted.
const listener = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(workerData), 0, 0));
  });
`;

/** Opens connections until the backlog is full. */
async function fillQueue(port: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    sockets.push(socket);
    await once(socket, "connect", { signal: AbortSignal.timeout(300) }).catch(() => undefined);
    // On a busy computer the event may arrive late, so wait one more turn.
    await nextTurn();
    if (socket.connecting) return sockets;
  }
}

export async function openUnansweredPort(): Promise<UnansweredPort> {
  const gate = new SharedArrayBuffer(4);
  const worker = new Worker(listener, { eval: true, workerData: gate });
  const [port] = (await once(worker, "message")) as [number];
  const sockets = await fillQueue(port);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      Atomics.store(new Int32Array(gate), 0, 1);
      Atomics.notify(new Int32Array(gate), 0);
      await worker.terminate();
    },
  };
}
