// Reserves a port that refuses all connections, so that no other program gets it.
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

export type RefusingPort = { readonly url: string; close(): Promise<void> };

/** Uses the port as the local end of an own connection, which prevents others from listening. */
export async function openRefusingPort(): Promise<RefusingPort> {
  const far = createServer((socket) => socket.on("error", () => undefined).resume()).listen(0, "127.0.0.1");
  await once(far, "listening");
  const near = connect((far.address() as AddressInfo).port, "127.0.0.1");
  await once(near, "connect");
  return {
    url: `http://127.0.0.1:${near.localPort}`,
    async close() {
      near.destroy();
      await new Promise((done) => far.close(done));
    },
  };
}
