// The HTTP side of the launcher: admission first, then the declared operations, then the dashboard's files.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type Access, bodyBytesMax, KitError, type Operation, problemOf } from "@kit/contract";
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { admit, type Credentials, type Decision, type Policy } from "./admission/admission.ts";
import { factsOf, type RequestFacts } from "./admission/facts.ts";
import { parseBody } from "./body.ts";
import { knownError, sendProblem } from "./problem.ts";
import type { RefusedRequest } from "./refusals.ts";
import type { Call, Route } from "./route.ts";
import { createRouteTable, type RouteTable } from "./route-table.ts";
import { headersFor } from "./security-headers.ts";
import { takeOver } from "./take-over.ts";
import { assertFits, queryValues } from "./validation.ts";

export type ServerNeeds = {
  readonly policy: Policy;
  readonly routes: readonly Route[];
  readonly credentialsOf: (request: IncomingMessage) => Credentials;
  /** Answers what no operation does: files. Calls `missing` when there is no such file. */
  readonly serveFile: (request: IncomingMessage, response: ServerResponse, missing: () => void) => void;
  readonly refused: (request: RefusedRequest, error: KitError) => void;
  readonly askConsent: (origin: string) => void;
  readonly onBug: (path: string, error: unknown) => void;
};

declare module "fastify" {
  interface FastifyContextConfig {
    access?: Access;
  }
}

type Admitted = FastifyRequest & { facts?: RequestFacts; bytes?: Buffer };

const pathOf = (target: string) => target.split("?", 1)[0] ?? target;

function refusedRequest(request: Admitted): RefusedRequest {
  const { method, url, headers } = request.raw;
  return {
    method: method ?? "",
    target: url ?? "",
    origin: headers.origin ?? null,
    client: headers["user-agent"] ?? null,
    body: request.bytes === undefined ? null : request.bytes.toString("utf8", 0, 8_192),
  };
}

function setCors(reply: FastifyReply, decision: Decision): void {
  if (decision.cors === undefined) return;
  reply.header("access-control-allow-origin", decision.cors);
  if (!decision.allow || !decision.preflight) return;
  reply.header("access-control-allow-methods", "POST");
  reply.header("access-control-allow-headers", "content-type");
  reply.header("access-control-max-age", "600");
}

type Admission = "answered" | KitError | undefined;

/** Runs before anything else is done with a request; undefined lets it through. */
function createAdmission(needs: ServerNeeds, table: RouteTable) {
  return (request: Admitted, reply: FastifyReply): Admission => {
    const facts = factsOf(request.raw);
    // Where the router found an operation its own class counts: a path can be written in more than one way.
    const routeClass = request.routeOptions?.config?.access ?? table.classOf(pathOf(facts.target), facts.method);
    const decision = admit(facts, routeClass, needs.credentialsOf(request.raw), needs.policy);
    reply.headers(headersFor(routeClass));
    setCors(reply, decision);
    if (decision.allow) {
      if (!decision.preflight) return undefined;
      reply.code(204).send();
      return "answered";
    }
    if (decision.ask !== undefined) needs.askConsent(decision.ask);
    if (decision.code === "method_not_allowed") reply.header("allow", "POST, OPTIONS");
    // The body was not read: the connection cannot be used again.
    reply.header("connection", "close");
    return new KitError(decision.code, decision.detail);
  };
}

function callOf(operation: Operation, request: Admitted): Call<Operation> {
  const parsed = request.body as { value: unknown; repeated: boolean } | undefined;
  const params = request.params as Record<string, unknown>;
  let query: Record<string, unknown> | undefined;
  if (operation.params !== undefined) assertFits(operation.params, params);
  if (operation.query !== undefined) {
    query = queryValues(operation.query, request.query as Record<string, unknown>);
    assertFits(operation.query, query);
  }
  if (operation.body !== undefined) {
    if (parsed === undefined) throw new KitError("not_json", "The body is empty; send a JSON object.");
    assertFits(operation.body, parsed.value);
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
  return call as unknown as Call<Operation>;
}

function addRoute(app: FastifyInstance, { operation, answer }: Route): void {
  app.route({
    method: operation.method,
    config: { access: operation.access },
    url: operation.path.replace(/\{(\w+)\}/g, ":$1"),
    handler: async (request, reply) => {
      const call = callOf(operation, request as Admitted);
      const value = await (answer as (call: unknown, reply: FastifyReply) => unknown)(call, reply);
      if (operation.stream || operation.file) return reply;
      reply.code(operation.status);
      if (value === undefined) return reply.send();
      reply.header("content-type", "application/json; charset=utf-8");
      return reply.send(JSON.stringify(value));
    },
  });
}

/** Answers a failure, and keeps it for the person who wonders why nothing arrives. */
function createFailure(needs: ServerNeeds, table: RouteTable) {
  return (thrown: unknown, request: Admitted, reply: FastifyReply) => {
    const path = pathOf(request.raw.url ?? "");
    const error = knownError(thrown) ?? new KitError("internal", "Something broke inside Kit; its log says what.");
    if (error.code === "internal") needs.onBug(path, thrown);
    if (table.isShown(path)) needs.refused(refusedRequest(request), error);
    return sendProblem(reply, error);
  };
}

/** Why no operation answers here; undefined where a file may. Known before a body is read. */
function unknownAddress(request: Admitted, reply: FastifyReply, table: RouteTable): KitError | undefined {
  const path = pathOf(request.raw.url ?? "");
  const inApi = path.startsWith("/api/");
  const methods = inApi ? table.methodsAt(path) : ["GET", "HEAD"];
  if (methods.length === 0) {
    return new KitError("not_found", `There is no ${path} here. The operations are listed in docs/protocol.md.`);
  }
  if (!inApi && methods.includes(request.method)) return undefined;
  reply.header("allow", methods.join(", "));
  return new KitError("method_not_allowed", `Use ${methods.join(" or ")}.`);
}

function serveFile(needs: ServerNeeds, request: FastifyRequest, reply: FastifyReply): void {
  needs.serveFile(request.raw, takeOver(reply), () => {
    const document = problemOf(new KitError("not_found", `There is no ${pathOf(request.raw.url ?? "")} here.`));
    reply.raw.writeHead(document.status, { "content-type": "application/problem+json" });
    reply.raw.end(JSON.stringify(document));
  });
}

const options: FastifyHttpOptions<Server> = {
  bodyLimit: bodyBytesMax,
  exposeHeadRoutes: false,
  // Validation and serialisation are the contract's; without this Fastify would load its own.
  schemaController: {
    compilersFactory: {
      buildValidator: (() => () => () => true) as never,
      buildSerializer: (() => () => JSON.stringify) as never,
    },
  },
  return503OnClosing: false,
  routerOptions: { maxParamLength: 400 },
};

/** Builds the server; it listens nowhere yet. The returned listener answers requests. */
export async function createServer(needs: ServerNeeds): Promise<{
  listener: (request: IncomingMessage, response: ServerResponse) => void;
  close(): Promise<void>;
}> {
  const table = createRouteTable(needs.routes.map(({ operation }) => operation));
  const admission = createAdmission(needs, table);
  const fail = createFailure(needs, table);
  const app = Fastify({
    ...options,
    // An address the router cannot read still meets admission first.
    frameworkErrors(error, request, reply) {
      const outcome = admission(request as Admitted, reply as FastifyReply);
      if (outcome !== "answered") fail(outcome ?? error, request as Admitted, reply as FastifyReply);
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(["application/json", "*"], { parseAs: "buffer" }, (request, bytes, done) => {
    (request as Admitted).bytes = bytes as Buffer;
    try {
      done(null, parseBody(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook("onRequest", (request, reply, done) => {
    const outcome = admission(request, reply);
    if (outcome === "answered") return;
    done(outcome ?? (request.is404 ? unknownAddress(request, reply, table) : undefined));
  });
  app.setErrorHandler(fail);
  app.setNotFoundHandler((request, reply) => serveFile(needs, request, reply));
  for (const route of needs.routes) addRoute(app, route);
  await app.ready();
  return { listener: app.routing, close: () => app.close() };
}
