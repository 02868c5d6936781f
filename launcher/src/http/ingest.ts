// What games send, answered on node:http alone: what the framework adds to each event is in docs/decisions/0018.
import type { IncomingMessage, ServerResponse } from "node:http";
import { KitError } from "@kit/contract";
import type { createAuthorize } from "./admission/authorize.ts";
import { factsOf } from "./admission/facts.ts";
import { parseBody, readBody } from "./body.ts";
import { lastAnswer } from "./last-answer.ts";
import type { Failed } from "./problem.ts";
import type { Route } from "./route.ts";
import { assertFits } from "./validation.ts";

export type IngestNeeds = {
  readonly routes: readonly Route[];
  readonly enter: ReturnType<typeof createAuthorize>;
  readonly failed: Failed;
};

type Answer = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

const json = { "content-type": "application/json; charset=utf-8" };

function send(response: ServerResponse, headers: Readonly<Record<string, string>>, answer: Answer): void {
  const length = String(Buffer.byteLength(answer.body));
  response.writeHead(answer.status, { ...headers, ...(answer.headers ?? json), "content-length": length });
  response.end(answer.body);
}

/** What the operation replies, or will. */
function replyOf({ operation, answer }: Route, request: IncomingMessage, bytes: Buffer): unknown {
  const { value, repeated } = parseBody(bytes);
  if (operation.body !== undefined) assertFits(operation.body, value);
  const { headers, socket } = request;
  const sender = { origin: headers.origin ?? null, client: headers["user-agent"] ?? null, socket };
  return (answer as (call: unknown) => unknown)({ body: value, repeated, sender });
}

/** One of very few, by an address that is compared as it stands. */
function routeAt(routes: readonly Route[], target: string): Route | undefined {
  const end = target.indexOf("?");
  const path = end < 0 ? target : target.slice(0, end);
  return routes.find(({ operation }) => operation.path === path);
}

/** Answers a POST to one of the games' operations; false leaves the request to others, untouched. */
export function createIngest({ routes, enter, failed }: IngestNeeds) {
  const take = async (route: Route, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, outcome } = enter(request, factsOf(request), "ingest");
    if (outcome instanceof KitError) return send(response, headers, failed(outcome, request, undefined));
    let bytes: Buffer | undefined;
    try {
      bytes = await readBody(request);
      const replied = await replyOf(route, request, bytes);
      send(response, headers, { status: route.operation.status, body: JSON.stringify(replied) });
    } catch (thrown) {
      const closing = bytes === undefined ? lastAnswer(request) : {};
      send(response, { ...headers, ...closing }, failed(thrown, request, bytes));
    }
  };
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== "POST") return false;
    const route = routeAt(routes, request.url ?? "");
    if (route === undefined) return false;
    void take(route, request, response);
    return true;
  };
}
