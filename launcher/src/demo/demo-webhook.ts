// Where the demo's posts go: an address of this machine that confirms what comes, and keeps nothing.
import type { Server } from "node:http";

export type DemoWebhook = { readonly url: string; close(): void };

// An import by name would make Node load its whole fetch as well.
const { createServer } = process.getBuiltinModule("node:http");

/** A post with its clip. */
const bytesMax = 16 * 1024 * 1024;
const connectionsMax = 8;

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** `port` 0 is any. Rejects where it is taken. */
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
  const own = await listening(server, port);
  // The launcher does not stay for it.
  server.unref();
  return {
    url: `http://localhost:${own}/posts`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
