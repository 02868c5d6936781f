// Serves a folder of games to browsers on loopback, with some addresses answered by the caller.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

export type Answer = (url: URL, request: IncomingMessage, response: ServerResponse) => void;

export type Served = { readonly url: string; close(): void };

const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };

export async function serve(folder: string, answers: Readonly<Record<string, Answer>>): Promise<Served> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://stage");
    const answer = answers[url.pathname];
    if (answer) return answer(url, request, response);
    try {
      const content = readFileSync(join(folder, url.pathname));
      response.writeHead(200, { "content-type": types[extname(url.pathname)] ?? "text/plain" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
