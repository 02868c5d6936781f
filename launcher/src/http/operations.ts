// Answers the dashboard and the command line with Fastify: first admission, then declared operations, then files.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { type Access, bodyBytesMax, KitError, type Operation, toProblem } from "@kit/contract";
import { message } from "@kit/contract/messages";
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { readRequestFacts } from "./admission/admission.ts";
import type { createAuthorizer } from "./admission/authorize.ts";
import { parseBody } from "./body.ts";
import { closingHeaders } from "./last-answer.ts";
import type { AnswerFailure } from "./problem.ts";
import { type OperationCall, pathWithoutQuery, type Route, type RouteTable, takeOverResponse } from "./route.ts";
import { assertKnownParameters, assertValid, parseQuery } from "./validation.ts";

export type OperationsDeps = {
  readonly routes: readonly Route[];
  readonly authorize: ReturnType<typeof createAuthorizer>;
  readonly table: RouteTable;
  /** Serves files for addresses without an operation. Calls `missing` if there is no such file. */
  readonly serveFile: (request: IncomingMessage, response: ServerResponse, missing: () => void) => void;
  readonly answerFailure: AnswerFailure;
};

declare module "fastify" {
  interface FastifyContextConfig {
    access?: Access;
  }
}

type ReceivedRequest = FastifyRequest & { bytes?: Buffer };

/** Creates the check that runs before anything else handles a request. It returns undefined if the request is admitted. */
function createAdmission({ authorize, table }: OperationsDeps) {
  return ({ raw, routeOptions }: FastifyRequest, reply: FastifyReply): "answered" | KitError | undefined => {
    const facts = readRequestFacts(raw);
    // The access class of the matched operation takes precedence, because a path can be written in more than one way.
    const routeClass = routeOptions?.config?.access ?? table.classOf(pathWithoutQuery(facts.target), facts.method);
    const { headers, outcome } = authorize(raw, facts, routeClass);
    reply.headers(headers);
    if (outcome instanceof KitError) return outcome;
    if (outcome === "admitted") return undefined;
    reply.code(204).send();
    return "answered";
  };
}

function buildCall(operation: Operation, request: FastifyRequest): OperationCall<Operation> {
  const parsed = request.body as { value: unknown; repeated: boolean } | undefined;
  const params = request.params as Record<string, unknown>;
  const given = request.query as Record<string, unknown>;
  let query: Record<string, unknown> | undefined;
  assertKnownParameters(operation, given);
  if (operation.params !== undefined) assertValid(operation.params, params);
  if (operation.query !== undefined) {
    query = parseQuery(operation.query, given);
    assertValid(operation.query, query);
  }
  if (operation.body !== undefined) {
    if (parsed === undefined) throw new KitError("not_json", message("body.empty"));
    assertValid(operation.body, parsed.value);
  }
  const { headers } = request.raw;
  const call = {
    params,
    query,
    body: parsed?.value,
    repeated: parsed?.repeated ?? false,
    sender: { origin: headers.origin ?? null, client: headers["user-agent"] ?? null, socket: request.raw.socket },
    header: (name: string) => headers[name]?.toString(),
  };
  return call as unknown as OperationCall<Operation>;
}

function addRoute(app: FastifyInstance, { operation, answer }: Route): void {
  app.route({
    method: operation.method,
    config: { access: operation.access },
    url: operation.path.replace(/\{(\w+)\}/g, ":$1"),
    handler: async (request, reply) => {
      const call = buildCall(operation, request);
      const value = await (answer as (call: unknown, reply: FastifyReply) => unknown)(call, reply);
      if (operation.stream || operation.file) return reply;
      reply.code(operation.status);
      if (value === undefined) return reply.send();
      reply.header("content-type", "application/json; charset=utf-8");
      return reply.send(JSON.stringify(value));
    },
  });
}

/** Files of the dashboard. They exist, or a sender of a wrong method may think so. */
const filePath = /^\/($|index\.html$|assets\/|sdk\/)/;

/** Returns why no operation answers, or undefined if a file might exist. Runs before the body is read. */
function unknownAddress(request: FastifyRequest, reply: FastifyReply, table: RouteTable): KitError | undefined {
  const path = pathWithoutQuery(request.raw.url ?? "");
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!path.startsWith("/api/") && isRead) return undefined;
  const methods = filePath.test(path) ? ["GET", "HEAD"] : table.methodsAt(path);
  if (methods.length === 0) return noSuchPath(path, table);
  reply.header("allow", methods.join(", "));
  return new KitError("method_not_allowed", message("request.use_method", { methods: methods.join(" or ") }));
}

function noSuchPath(path: string, table: RouteTable): KitError {
  const meant = table.similarAddress(path);
  return new KitError(
    "not_found",
    meant === undefined ? message("request.no_such_path", { path }) : message("request.meant_path", { path, meant }),
  );
}

function serveFile(needs: OperationsDeps, request: FastifyRequest, reply: FastifyReply): void {
  needs.serveFile(request.raw, takeOverResponse(reply), () => {
    const document = toProblem(
      new KitError("not_found", message("request.nothing_here", { path: pathWithoutQuery(request.raw.url ?? "") })),
    );
    reply.raw.writeHead(document.status, { "content-type": "application/problem+json" });
    reply.raw.end(JSON.stringify(document));
  });
}

const options: FastifyHttpOptions<Server> = {
  bodyLimit: bodyBytesMax,
  exposeHeadRoutes: false,
  // The contract validates and serialises. Without these stubs, Fastify would load its own compilers.
  schemaController: {
    compilersFactory: {
      buildValidator: (() => () => () => true) as never,
      buildSerializer: (() => () => JSON.stringify) as never,
    },
  },
  return503OnClosing: false,
  routerOptions: { maxParamLength: 400 },
};

/** Creates the listener that answers every request it receives. */
export async function createOperationsListener(needs: OperationsDeps): Promise<RequestListener> {
  const admission = createAdmission(needs);
  const fail = (thrown: unknown, request: ReceivedRequest, reply: FastifyReply) => {
    const { status, headers, body } = needs.answerFailure(thrown, request.raw, request.bytes);
    // Fastify sets `connection: close` for a body that it did not read. `closingHeaders` decides instead whether the
    // connection may stay open.
    if (reply.hasHeader("connection")) reply.removeHeader("connection").headers(closingHeaders(request.raw));
    return reply.code(status).headers(headers).send(body);
  };
  const app = Fastify({
    ...options,
    // Admission also checks requests whose address the router cannot parse.
    frameworkErrors(error, request, reply) {
      const outcome = admission(request as FastifyRequest, reply as FastifyReply);
      if (outcome !== "answered") fail(outcome ?? error, request as ReceivedRequest, reply as FastifyReply);
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(["application/json", "*"], { parseAs: "buffer" }, (request, bytes, done) => {
    (request as ReceivedRequest).bytes = bytes as Buffer;
    try {
      done(null, parseBody(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook("onRequest", (request, reply, done) => {
    const outcome = admission(request, reply);
    if (outcome === "answered") return;
    // A mistyped address is told so even without a session: the person may be a game's developer, who needs none.
    const mayLookUp = outcome === undefined || outcome.code === "unauthorized";
    const unknown = request.is404 && mayLookUp ? unknownAddress(request, reply, needs.table) : undefined;
    done(unknown?.code === "not_found" ? unknown : (outcome ?? unknown));
  });
  app.setErrorHandler(fail);
  app.setNotFoundHandler((request, reply) => serveFile(needs, request, reply));
  for (const route of needs.routes) addRoute(app, route);
  await app.ready();
  return (request, response) => app.routing(request, response);
}
