// A stand-in for the launcher that answers or hangs, and records the requests.
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Recorded = {
  readonly path: string;
  readonly type: string | undefined;
  readonly body: Record<string, string>;
};

export type Recorder = {
  readonly url: string;
  readonly recorded: Recorded[];
  /** Resolves when that many requests have arrived. */
  has(count: number): Promise<void>;
  close(): void;
};

/** Answers the first `answers` requests. Later ones wait forever. */
export async function openRecorder(answers = Number.POSITIVE_INFINITY): Promise<Recorder> {
  const recorded: Recorded[] = [];
  const coming = new EventEmitter();
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request.setEncoding("utf8")) text += part;
    recorded.push({ path: request.url ?? "", type: request.headers["content-type"], body: JSON.parse(text) });
    coming.emit("one");
    if (recorded.length <= answers) response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    recorded,
    async has(count) {
      while (recorded.length < count) await once(coming, "one");
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
