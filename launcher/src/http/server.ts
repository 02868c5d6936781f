// The HTTP side of the launcher: what games send is answered at once, everything else by the operations.
import type { IncomingMessage, RequestListener } from "node:http";
import { KitError } from "@kit/contract";
import { type AuthorizeNeeds, createAuthorize } from "./admission/authorize.ts";
import { createIngest } from "./ingest.ts";
import { isBehindLast, lastAnswer } from "./last-answer.ts";
import type { OperationsNeeds } from "./operations.ts";
import { type Failed, knownError, problemAnswer } from "./problem.ts";
import type { RefusedRequest } from "./refusals.ts";
import type { Route } from "./route.ts";
import { createRouteTable, pathOf, type RouteTable } from "./route-table.ts";

export type ServerNeeds = AuthorizeNeeds &
  Pick<OperationsNeeds, "routes" | "serveFile"> & {
    readonly refused: (request: RefusedRequest, error: KitError) => void;
    readonly onBug: (path: string, error: unknown) => void;
  };

function refusedRequest({ method, url, headers }: IncomingMessage, bytes: Buffer | undefined): RefusedRequest {
  return {
    method: method ?? "",
    // Without its query, which may hold a pass or a link.
    target: pathOf(url ?? ""),
    origin: headers.origin ?? null,
    client: headers["user-agent"] ?? null,
    body: bytes === undefined ? null : bytes.toString("utf8", 0, 8_192),
  };
}

/** The answer to a failure; it is kept for the person who wonders why nothing arrives. */
function createFailed({ onBug, refused }: ServerNeeds, table: RouteTable): Failed {
  return (thrown, request, bytes) => {
    const path = pathOf(request.url ?? "");
    const error = knownError(thrown) ?? new KitError("internal", "Something broke inside Kit; its log says what.");
    if (error.code === "internal") onBug(path, thrown);
    if (table.isShown(path)) refused(refusedRequest(request, bytes), error);
    return problemAnswer(error);
  };
}

/** The HTTP library is loaded with the first request that needs it: beside a game nobody may look for hours. */
function createOperationsLater(needs: OperationsNeeds): RequestListener {
  let operations: Promise<RequestListener> | undefined;
  const load = async () => (await import("./operations.ts")).createOperations(needs);
  return async (request, response) => {
    try {
      operations ??= load();
      const answer = await operations;
      answer(request, response);
    } catch (error) {
      operations = undefined;
      const { status, headers, body } = needs.failed(error, request, undefined);
      response.writeHead(status, { ...headers, ...lastAnswer(request) }).end(body);
    }
  };
}

/** What answers requests; it listens nowhere by itself. */
export function createListener(needs: ServerNeeds): RequestListener {
  const { routes, serveFile } = needs;
  const table = createRouteTable(routes.map(({ operation }) => operation));
  const enter = createAuthorize(needs);
  const failed = createFailed(needs, table);
  const isOfGames = ({ operation }: Route) => operation.access === "ingest";
  const ingest = createIngest({ routes: routes.filter(isOfGames), enter, failed });
  const others = routes.filter((route) => !isOfGames(route));
  const operations = createOperationsLater({ routes: others, enter, table, failed, serveFile });
  return (request, response) => {
    if (isBehindLast(request, response)) return;
    if (!ingest(request, response)) operations(request, response);
  };
}
