// Bluesky's real server behind a TLS proxy, which can lose an answer or replace it.
import { once } from "node:events";
import { request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type PdsAccount, startPds } from "../../../../../../tools/engines/pds-server.ts";
import { type Certificates, makeCertificates } from "../../test/certificates.ts";

type Fate =
  /** The server receives the request and answers; the answer is lost. */
  "lost" | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown };

export type Pds = {
  readonly url: string;
  /** The address without TLS. */
  readonly local: string;
  readonly certificates: Certificates;
  readonly accounts: readonly PdsAccount[];
  /** Methods that were called, in order. */
  readonly called: string[];
  /** What happens to the next calls of a method. */
  readonly fates: Map<string, Fate[]>;
  records(did: string): Promise<Stored[]>;
  call(method: string, input: object, token: string): Promise<Record<string, unknown>>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A post as its server shows it in public. */
export type Stored = { readonly uri: string; readonly value: Readonly<Record<string, unknown>> };

const methodOf = (url: string) => new URL(url, "http://localhost").pathname.replace("/xrpc/", "");

function passOn(request: IncomingMessage, response: ServerResponse, port: number, isLost: boolean): void {
  const { method, headers, url } = request;
  const onwards = ask({ host: "127.0.0.1", port, path: url, method, headers }, (answer) => {
    if (isLost) answer.resume().on("end", () => response.destroy());
    else answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
  });
  onwards.on("error", () => response.destroy());
  request.pipe(onwards);
}

export async function openPds(blobBytesMax = 50_000_000): Promise<Pds> {
  const certificates = makeCertificates();
  const called: string[] = [];
  const fates = new Map<string, Fate[]>();
  let port = 0;
  const server = createServer(certificates.good, (request, response) => {
    const method = methodOf(request.url ?? "");
    called.push(method);
    const fate = fates.get(method)?.shift();
    if (fate === undefined || fate === "lost") return passOn(request, response, port, fate === "lost");
    response.writeHead(fate.status, { "content-type": "application/json", ...fate.headers });
    response.end(JSON.stringify(fate.body));
    request.resume();
  });
  const handles = [
    { handle: "mika.test", isConfirmed: true },
    { handle: "robin.test", isConfirmed: false },
  ];
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const pds = await startPds({ publicUrl: url, blobBytesMax, accounts: handles });
  ({ port } = pds);
  const base = `http://127.0.0.1:${port}/xrpc`;
  return {
    url,
    local: `http://127.0.0.1:${port}`,
    certificates,
    accounts: pds.accounts,
    called,
    fates,
    async records(did) {
      const answer = await fetch(`${base}/com.atproto.repo.listRecords?repo=${did}&collection=app.bsky.feed.post`);
      return ((await answer.json()) as { records: Stored[] }).records;
    },
    async call(method, input, token) {
      const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
      const answer = await fetch(`${base}/${method}`, { method: "POST", headers, body: JSON.stringify(input) });
      return answer.headers.get("content-type")?.includes("json")
        ? ((await answer.json()) as Record<string, unknown>)
        : {};
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
      await pds[Symbol.asyncDispose]();
    },
  };
}
