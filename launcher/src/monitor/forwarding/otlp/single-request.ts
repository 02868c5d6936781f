// Limits the official OpenTelemetry exporter to one request and exposes its answer. On its own, the exporter retries, waits
// without limit for a slow answer and hides the answer; here only the queue retries.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import { createTargetLookup, type HttpAnswer, readHttpAnswer } from "../post-once.ts";

type Started = { readonly request: ClientRequest };
type Finished = Started & { readonly response: IncomingMessage };
type Failed = Started & { readonly error: Error };

/** After this status, the exporter does not retry. So every status of a failure is replaced by it. */
const finalStatus = 400;

async function createAgent(url: string): Promise<Agent> {
  const isPlain = url.startsWith("http:");
  const lookup = await createTargetLookup(isPlain);
  const { Agent: Connections } = await (isPlain ? import("node:http") : import("node:https"));
  return new Connections({ keepAlive: false, lookup });
}

export type SingleRequest = {
  readonly agent: Agent;
  /** The server's answer. Rejects if none arrives in time. */
  readonly answer: Promise<HttpAnswer>;
  /** Closes the connection. */
  [Symbol.dispose](): void;
};

/** Creates an agent and watches its first request. Any further request fails at once. */
export async function watchSingleRequest(url: string, signal: AbortSignal, withinMs: number): Promise<SingleRequest> {
  const agent = await createAgent(url);
  const { promise: answer, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  let requests = 0;
  const isOurs = ({ request }: Started) => (request as { agent?: unknown }).agent === agent;
  const onStart = (message: unknown) => {
    if (!isOurs(message as Started)) return;
    requests += 1;
    if (requests > 1) (message as Started).request.destroy(new Error("One try is one request"));
  };
  const onError = (message: unknown) => {
    if (isOurs(message as Failed)) reject((message as Failed).error);
  };
  const onAnswer = (message: unknown) => {
    if (!isOurs(message as Finished)) return;
    const { response } = message as Finished;
    const status = response.statusCode ?? 0;
    if (status > 299) response.statusCode = finalStatus;
    // Resolves only with the whole answer: resolving now would end the time limit before a slow answer is read.
    void readHttpAnswer(response, status).then(resolve);
  };
  const channels = [
    ["http.client.request.start", onStart],
    ["http.client.request.error", onError],
    ["http.client.response.finish", onAnswer],
  ] as const;
  for (const [name, listener] of channels) subscribe(name, listener);
  const ended = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const giveUp = () => reject(ended.reason);
  ended.addEventListener("abort", giveUp, { once: true });
  if (ended.aborted) giveUp();
  // The caller awaits the answer later. Until then, a failure must not count as an unhandled rejection.
  answer.catch(() => undefined);
  return {
    agent,
    answer,
    [Symbol.dispose]() {
      ended.removeEventListener("abort", giveUp);
      for (const [name, listener] of channels) unsubscribe(name, listener);
      agent.destroy();
    },
  };
}
