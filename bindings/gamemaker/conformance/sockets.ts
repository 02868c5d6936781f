// Carries the requests of a game over real sockets: headers copied at once, nothing waited for, failures kept to itself.
import { Agent, type ClientRequest, request } from "node:http";
import { request as secureRequest } from "node:https";
import type { Http } from "../test/runtime/http.ts";

/** The runner lets go of a request that nobody answers after about a minute; its users cannot change that. */
const heldMs = 60_000;
/** How much of an answer is read. Not known of the runner either; here so that no test drowns. */
const answerBytesMax = 1024 * 1024;

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
