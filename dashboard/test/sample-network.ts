// A stand-in for Discord on this machine: one channel with one webhook.
import { once } from "node:events";
import { createServer } from "node:http";

const guild = "221133445566778899";
const channel = "331122445566778899";
const path = `/api/v10/webhooks/112233445566778899/${"sample_".repeat(10)}`;

export type SampleNetwork = AsyncDisposable & {
  /** The webhook's address, as a person copies it from the channel's settings. */
  readonly url: string;
  /** The bodies of requests that created a message, in order. */
  readonly messages: readonly string[];
};

export async function openSampleNetwork(name: string): Promise<SampleNetwork> {
  const messages: string[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isKnown = request.url?.startsWith(path);
    if (isKnown && request.method === "POST") messages.push(body);
    const message = { id: String(9_000_000_000_000_000n + BigInt(messages.length)), channel_id: channel };
    const webhook = { id: "112233445566778899", type: 1, name, guild_id: guild, channel_id: channel };
    response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isKnown ? (request.method === "POST" ? message : webhook) : {}));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    url: `http://localhost:${port}${path}`,
    messages,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
