// Sends server-sent events over one response: resumable by id, with heartbeats, and with backpressure.
import { once } from "node:events";
import type { FastifyReply } from "fastify";
import { takeOverResponse } from "./route.ts";

const heartbeatMs = 15_000;

export type EventStream = {
  /** Resolves when the reader is ready for more, so that the buffer stays bounded if the caller waits for it. */
  send(event: { type: string; id: string; data: unknown }): Promise<void>;
  readonly closed: AbortSignal;
};

/** Turns a response into an event stream that ends when the reader disconnects or `stop` aborts. */
export function openEventStream(reply: FastifyReply, stop: AbortSignal): EventStream {
  const response = takeOverResponse(reply);
  const gone = new AbortController();
  const end = () => {
    clearInterval(heartbeat);
    stop.removeEventListener("abort", end);
    gone.abort();
    response.end();
  };
  const heartbeat = setInterval(() => response.write(": still here\n\n"), heartbeatMs);
  response.once("close", end);
  stop.addEventListener("abort", end);
  // A stream lasts longer than the request timeout, which must not end it.
  response.socket?.setTimeout(0);
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" });
  response.write(": Kit's live feed\n\n");
  return {
    async send({ type, id, data }) {
      if (gone.signal.aborted) return;
      const whole = response.write(`event: ${type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
      if (!whole) await once(response, "drain", { signal: gone.signal }).catch(() => undefined);
    },
    closed: gone.signal,
  };
}
