// A real S3 store with one bucket, behind a proxy that keeps every request and can fail.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { AwsClient } from "aws4fetch";
import { openSwift, swiftKeys } from "../../../tools/engines/swift-server.ts";
import { liveConnectionsTo } from "./forwarding-server.ts";

const { accessKey, secretKey, region } = swiftKeys;
export const bucketName = "videos";

/** `early`: cut when half of the request was read; `late`: cut instead of the answer; `hold`: never answered. */
export type Fault =
  | "early"
  | "late"
  | "hold"
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };
export type BucketServer = {
  readonly settings: { endpoint: string; region: string; name: string; prefix: string; hostStyle: boolean };
  readonly keys: { accessKey: string; secretKey: string };
  /** `PUT KEY part 2`, and so on, in order. */
  readonly requests: readonly string[];
  /** Decides about a request, which is named as in `requests`. */
  fault: (request: string) => Fault | undefined;
  /** Bytes that arrived, whether or not they made a request. */
  readonly bytes: number;
  /** As `connections` of a ForwardServer. */
  connections(): { readonly made: number; readonly live: number };
  /** The bytes of an object; undefined if there is none. */
  object(key: string): Promise<Buffer | undefined>;
  keysThere(): Promise<string[]>;
  /** The ids of the uploads that are not complete. */
  uploads(): Promise<string[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

function nameOf({ method, url = "" }: IncomingMessage): string {
  const { pathname, searchParams } = new URL(url, "http://bucket");
  const key = pathname.split("/").slice(2).join("/");
  const part = searchParams.get("partNumber");
  const what =
    part !== null
      ? ` part ${part}`
      : searchParams.has("uploads")
        ? " begin"
        : searchParams.has("uploadId")
          ? " upload"
          : "";
  return `${method} ${key}${what}`;
}

export async function openBucketServer(): Promise<BucketServer> {
  const swift = await openSwift();
  const requests: string[] = [];
  const proxy = createServer(async (from, to) => {
    const name = nameOf(from);
    requests.push(name);
    const fault = opened.fault(name);
    const cut = () => from.socket.destroy();
    if (fault === "hold") return void from.resume();
    if (fault === "early")
      return Number(from.headers["content-length"] ?? 0) === 0 ? cut() : void from.once("data", cut);
    const body = Buffer.concat(await from.toArray().catch(() => []));
    if (!from.complete) return;
    if (typeof fault === "object") return void to.writeHead(fault.status, fault.headers).end(fault.body);
    const { method, url, headers } = from;
    const passed = request({ port: swift.port, host: "127.0.0.1", method, path: url, headers });
    passed.end(body);
    // At the end of a test, Swift may end before its last answer.
    const [answer] = (await once(passed, "response").catch(() => [])) as [IncomingMessage?];
    const answered = Buffer.concat((await answer?.toArray().catch(() => [])) ?? []);
    if (answer === undefined || fault === "late") return void cut();
    to.writeHead(answer.statusCode ?? 0, answer.rawHeaders).end(answered);
  });
  const sockets: Socket[] = [];
  proxy.on("connection", (socket) => sockets.push(socket));
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as { port: number };
  const client = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, region, service: "s3" });
  const direct = (rest: string, init?: RequestInit) =>
    client.fetch(`http://127.0.0.1:${swift.port}/${bucketName}${rest}`, init);
  const list = async (query: string, element: string) => {
    const text = await (await direct(query)).text();
    return [...text.matchAll(new RegExp(`<${element}>([^<]*)<`, "g"))].map(([, value]) => value ?? "");
  };
  const opened: BucketServer = {
    settings: { endpoint: `http://127.0.0.1:${port}`, region, name: bucketName, prefix: "", hostStyle: false },
    keys: { accessKey, secretKey },
    requests,
    fault: () => undefined,
    get bytes() {
      return sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    },
    connections: () => ({ made: sockets.length, live: liveConnectionsTo(port) }),
    async object(key) {
      const answer = await direct(`/${key}`);
      return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined;
    },
    keysThere: () => list("", "Key"),
    uploads: () => list("?uploads", "UploadId"),
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
      await swift.close();
    },
  };
  assert.equal((await direct("", { method: "PUT" })).status, 200);
  return opened;
}
