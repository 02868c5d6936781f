// Answers the requests of games: sends the 202 once the inbox has stored the event. Uses node:http without the framework, whose
// cost is in docs/decisions/0018.
import type { IncomingMessage, ServerResponse } from "node:http";
import { KitError } from "@kit/contract";
import { readRequestFacts } from "./admission/admission.ts";
import type { createAuthorizer } from "./admission/authorize.ts";
import { parseBody, readBody } from "./body.ts";
import { closingHeaders } from "./last-answer.ts";
import type { AnswerFailure } from "./problem.ts";
import type { Route } from "./route.ts";
import { assertValid } from "./validation.ts";

export type IngestDeps = {
  readonly routes: readonly Route[];
  readonly authorize: ReturnType<typeof createAuthorizer>;
  readonly answerFailure: AnswerFailure;
};

type Answer = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

const json = { "content-type": "application/json; charset=utf-8" };

function send(response: ServerResponse, headers: Readonly<Record<string, string>>, answer: Answer): void {
  const length = String(Buffer.byteLength(answer.body));
  response.writeHead(answer.status, { ...headers, ...(answer.headers ?? json), "content-length": length });
  response.end(answer.body);
}

/** Parses and validates the body and calls the operation. Returns its reply or a promise of it. */
function replyOf({ operation, answer }: Route, request: IncomingMessage, bytes: Buffer): unknown {
  const { value, repeated } = parseBody(bytes);
  if (operation.body !== undefined) assertValid(operation.body, value);
  const { headers, socket } = request;
  const sender = { origin: headers.origin ?? null, client: headers["user-agent"] ?? null, socket };
  return (answer as (call: unknown) => unknown)({ body: value, repeated, sender });
}

/** Finds the route whose path is exactly that of the request. */
function routeAt(routes: readonly Route[], target: string): Route | undefined {
  const end = target.indexOf("?");
  const path = end < 0 ? target : target.slice(0, end);
  return routes.find(({ operation }) => operation.path === path);
}

/** Returns a function that answers a POST to an operation of games. It returns false for any other request, and leaves it untouched. */
export function createIngest({ routes, authorize, answerFailure }: IngestDeps) {
  const take = async (route: Route, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, outcome } = authorize(request, readRequestFacts(request), "ingest");
    if (outcome instanceof KitError) return send(response, headers, answerFailure(outcome, request, undefined));
    let bytes: Buffer | undefined;
    try {
      bytes = await readBody(request);
      const replied = await replyOf(route, request, bytes);
      send(response, headers, { status: route.operation.status, body: JSON.stringify(replied) });
    } catch (thrown) {
      const closing = bytes === undefined ? closingHeaders(request) : {};
      send(response, { ...headers, ...closing }, answerFailure(thrown, request, bytes));
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
