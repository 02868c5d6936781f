// A port where connecting never completes, as with a machine that is not there: its queue is full and nobody takes from it.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";

export type UnansweredPort = { readonly url: string; close(): Promise<void> };

// Listens, says where, and then blocks its own thread, so that no connection is ever taken from the queue.
const listener = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(workerData), 0, 0));
  });
`;

/** Opens connections until one stays unanswered: then the queue is full. */
async function fillQueue(port: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    sockets.push(socket);
    await once(socket, "connect", { signal: AbortSignal.timeout(300) }).catch(() => undefined);
    // On a busy machine the time may be over before anybody looked for the answer; by the next turn it was.
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
