// A port that refuses every connection for as long as it is held: merely freed, another launcher might be given it.
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

export type RefusingPort = { readonly url: string; close(): Promise<void> };

/** The near end of a connection of our own has the port, and nobody can listen there. */
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
