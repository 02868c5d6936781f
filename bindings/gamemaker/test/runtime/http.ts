// http_request over real sockets: headers copied at once, nothing waited for, failures kept to itself.
import { Agent, type ClientRequest, request } from "node:http";
import { request as secureRequest } from "node:https";
import { fail } from "./values.ts";

export type Send = (url: string, method: string, headers: Record<string, string>, body: string) => void;

/** The runner lets go of a request that nobody answers after about a minute; its users cannot change that. */
const heldMs = 60_000;
/** How much of an answer is read. Not known of the runner either; here so that no test drowns. */
const answerBytesMax = 1024 * 1024;

export type Http = {
  readonly send: Send;
  /** Requests without an answer so far. */
  readonly pending: () => number;
  /** Requests of which the system has not even taken all bytes. */
  readonly unsent: () => number;
  close(): void;
};

export function openHttp(): Http {
  // Whether the runner uses a connection twice is not known, so none is.
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const pending = new Set<ClientRequest>();
  return {
    pending: () => pending.size,
    unsent: () => [...pending].filter((sent) => !sent.writableFinished).length,
    send(url, method, headers, body) {
      const isSecure = url.startsWith("https:");
      const options = { method, headers: { ...headers, "Content-Length": Buffer.byteLength(body) } };
      const sent = isSecure ? secureRequest(url, options) : request(url, { ...options, agent });
      pending.add(sent);
      const timer = setTimeout(() => sent.destroy(), heldMs);
      const settle = () => {
        clearTimeout(timer);
        pending.delete(sent);
      };
      // In the game this is an Async event with a status of -1, which only objects that ask for it see.
      sent.on("error", settle);
      sent.on("close", settle);
      sent.on("response", (response) => {
        let bytes = 0;
        response.on("error", settle).on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > answerBytesMax) sent.destroy();
        });
      });
      sent.end(body);
    },
    close() {
      for (const sent of pending) sent.destroy();
    },
  };
}

/** http_request as GML calls it: a body that is no string means a buffer, of which this runtime has none. */
export function httpFunction(send: Send, headersOf: (id: number) => Map<unknown, unknown>) {
  let made = 0;
  return (url: string, method: string, map: number, body: unknown) => {
    if (typeof body !== "string") return fail("a body that is no string is taken for a buffer");
    const headers = [...headersOf(map)].map(([name, value]) => {
      if (typeof name !== "string" || typeof value !== "string") fail("headers are strings");
      return [name, value] as const;
    });
    send(url, method, Object.fromEntries(headers) as Record<string, string>, body);
    return made++;
  };
}
