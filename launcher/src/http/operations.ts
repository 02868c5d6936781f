// What a person's dashboard and commands ask, behind Fastify: admission first, then the declared operations, then files.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { type Access, bodyBytesMax, KitError, type Operation, problemOf } from "@kit/contract";
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { createAuthorize } from "./admission/authorize.ts";
import { factsOf } from "./admission/facts.ts";
import { parseBody } from "./body.ts";
import { lastAnswer } from "./last-answer.ts";
import type { Failed } from "./problem.ts";
import type { Call, Route } from "./route.ts";
import { pathOf, type RouteTable } from "./route-table.ts";
import { takeOver } from "./take-over.ts";
import { assertFits, queryValues } from "./validation.ts";

export type OperationsNeeds = {
  readonly routes: readonly Route[];
  readonly enter: ReturnType<typeof createAuthorize>;
  readonly table: RouteTable;
  /** Answers what no operation does: files. Calls `missing` when there is no such file. */
  readonly serveFile: (request: IncomingMessage, response: ServerResponse, missing: () => void) => void;
  readonly failed: Failed;
};

declare module "fastify" {
  interface FastifyContextConfig {
    access?: Access;
  }
}

type Received = FastifyRequest & { bytes?: Buffer };

/** Runs before anything else is done with a request; undefined lets it through. */
function createAdmission({ enter, table }: OperationsNeeds) {
  return ({ raw, routeOptions }: FastifyRequest, reply: FastifyReply): "answered" | KitError | undefined => {
    const facts = factsOf(raw);
    // Where the router found an operation its own class counts: a path can be written in more than one way.
    const routeClass = routeOptions?.config?.access ?? table.classOf(pathOf(facts.target), facts.method);
    const { headers, outcome } = enter(raw, facts, routeClass);
    reply.headers(headers);
    if (outcome instanceof KitError) return outcome;
    if (outcome === "admitted") return undefined;
    reply.code(204).send();
    return "answered";
  };
}

function callOf(operation: Operation, request: FastifyRequest): Call<Operation> {
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
      const call = callOf(operation, request);
      const value = await (answer as (call: unknown, reply: FastifyReply) => unknown)(call, reply);
      if (operation.stream || operation.file) return reply;
      reply.code(operation.status);
      if (value === undefined) return reply.send();
      reply.header("content-type", "application/json; charset=utf-8");
      return reply.send(JSON.stringify(value));
    },
  });
}

/** Why no operation answers here; undefined where a file may. Known before a body is read. */
function unknownAddress(request: FastifyRequest, reply: FastifyReply, table: RouteTable): KitError | undefined {
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

function serveFile(needs: OperationsNeeds, request: FastifyRequest, reply: FastifyReply): void {
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

/** Builds what answers; a request it is given is answered by it alone. */
export async function createOperations(needs: OperationsNeeds): Promise<RequestListener> {
  const admission = createAdmission(needs);
  const fail = (thrown: unknown, request: Received, reply: FastifyReply) => {
    const { status, headers, body } = needs.failed(thrown, request.raw, request.bytes);
    // Fastify closes, too, where it did not read the body.
    if (reply.hasHeader("connection")) reply.removeHeader("connection").headers(lastAnswer(request.raw));
    return reply.code(status).headers(headers).send(body);
  };
  const app = Fastify({
    ...options,
    // An address the router cannot read still meets admission first.
    frameworkErrors(error, request, reply) {
      const outcome = admission(request as FastifyRequest, reply as FastifyReply);
      if (outcome !== "answered") fail(outcome ?? error, request as Received, reply as FastifyReply);
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(["application/json", "*"], { parseAs: "buffer" }, (request, bytes, done) => {
    (request as Received).bytes = bytes as Buffer;
    try {
      done(null, parseBody(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook("onRequest", (request, reply, done) => {
    const outcome = admission(request, reply);
    if (outcome === "answered") return;
    done(outcome ?? (request.is404 ? unknownAddress(request, reply, needs.table) : undefined));
  });
  app.setErrorHandler(fail);
  app.setNotFoundHandler((request, reply) => serveFile(needs, request, reply));
  for (const route of needs.routes) addRoute(app, route);
  await app.ready();
  return (request, response) => app.routing(request, response);
}
