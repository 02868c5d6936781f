// The webhook that receives the demo's posts: an address on this machine that confirms each post and stores nothing.
import type { Server } from "node:http";

export type DemoWebhook = { readonly url: string; close(): void };

// A static import would make Node load fetch as well.
const { createServer } = process.getBuiltinModule("node:http");

/** Maximum size of a post with its clip. */
const bytesMax = 16 * 1024 * 1024;
const connectionsMax = 8;

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** Starts the webhook. Port 0 chooses a free port. Rejects if the port is taken. */
export async function startDemoWebhook(port: number): Promise<DemoWebhook> {
  const server = createServer({ maxHeaderSize: 8_192, headersTimeout: 4_000, requestTimeout: 30_000 });
  server.maxConnections = connectionsMax;
  server.on("request", (request, response) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) request.destroy();
    });
    request.on("end", () => response.writeHead(request.method === "POST" ? 204 : 405).end());
    request.on("error", () => response.destroy());
  });
  const actualPort = await listen(server, port);
  // The webhook does not keep the launcher running.
  server.unref();
  return {
    url: `http://localhost:${actualPort}/posts`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
