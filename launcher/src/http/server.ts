// The request listener: answers games directly, and passes every other request to the operations.

import type { IncomingMessage, RequestListener } from "node:http";
import { KitError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type AuthorizerDeps, createAuthorizer } from "./admission/authorize.ts";
import { createIngest } from "./ingest.ts";
import { closingHeaders, isAfterLastAnswer } from "./last-answer.ts";
import type { OperationsDeps } from "./operations.ts";
import { type AnswerFailure, problemAnswer, toKitError } from "./problem.ts";
import type { RefusedRequest } from "./refusals.ts";
import { createRouteTable, pathWithoutQuery, type Route, type RouteTable } from "./route.ts";

export type ServerDeps = AuthorizerDeps &
  Pick<OperationsDeps, "routes" | "serveFile"> & {
    readonly onRefused: (request: RefusedRequest, error: KitError) => void;
    readonly onBug: (path: string, error: unknown) => void;
  };

function refusedRequest({ method, url, headers }: IncomingMessage, bytes: Buffer | undefined): RefusedRequest {
  return {
    method: method ?? "",
    // The query is dropped, because it may contain a pass or a link.
    target: pathWithoutQuery(url ?? ""),
    origin: headers.origin ?? null,
    client: headers["user-agent"] ?? null,
    body: bytes === undefined ? null : bytes.toString("utf8", 0, 8_192),
  };
}

/** Creates the response to a failure, and records the refused request. */
function createFailureAnswer({ onBug, onRefused }: ServerDeps, table: RouteTable): AnswerFailure {
  return (thrown, request, bytes) => {
    const path = pathWithoutQuery(request.url ?? "");
    const error = toKitError(thrown) ?? new KitError("internal", message("launcher.failed"));
    if (error.code === "internal") onBug(path, thrown);
    if (table.recordsRefusals(path)) onRefused(refusedRequest(request, bytes), error);
    return problemAnswer(error);
  };
}

/** Loads the HTTP framework on the first request that needs it; beside a game, the dashboard may stay closed for hours. */
function createOperationsLater(needs: OperationsDeps): RequestListener {
  let operations: Promise<RequestListener> | undefined;
  const load = async () => (await import("./operations.ts")).createOperationsListener(needs);
  return async (request, response) => {
    try {
      operations ??= load();
      const answer = await operations;
      answer(request, response);
    } catch (error) {
      operations = undefined;
      const { status, headers, body } = needs.answerFailure(error, request, undefined);
      response.writeHead(status, { ...headers, ...closingHeaders(request) }).end(body);
    }
  };
}

/** Creates the listener for all requests. It does not open a port. */
export function createRequestListener(needs: ServerDeps): RequestListener {
  const { routes, serveFile } = needs;
  const table = createRouteTable(routes.map(({ operation }) => operation));
  const authorize = createAuthorizer(needs);
  const answerFailure = createFailureAnswer(needs, table);
  const isOfGames = ({ operation }: Route) => operation.access === "ingest";
  const ingest = createIngest({ routes: routes.filter(isOfGames), authorize, answerFailure });
  const others = routes.filter((route) => !isOfGames(route));
  const operations = createOperationsLater({
    routes: others,
    authorize,
    table,
    answerFailure,
    serveFile,
  });
  return (request, response) => {
    if (isAfterLastAnswer(request, response)) return;
    if (!ingest(request, response)) operations(request, response);
  };
}
