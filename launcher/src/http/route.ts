// A route is a declared operation with the function that answers it. Slices export lists of routes. `ingest.ts` and `operations.ts`
// call the function and send what it returns.
import type { ServerResponse } from "node:http";
import {
  type BodyOf,
  ingestOperations,
  type Operation,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from "@kit/contract";
import type { FastifyReply } from "fastify";
import type { RouteClass } from "./admission/admission.ts";
import { closestMatch } from "./typos.ts";

/** The sender of a request, as its headers and connection describe it. */
type Sender = {
  readonly origin: string | null;
  readonly client: string | null;
  readonly socket: { readonly remotePort?: number | undefined };
};

export type OperationCall<O extends Operation> = {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  /** True if a member of the body occurs more than once. */
  readonly repeated: boolean;
  readonly sender: Sender;
  readonly header: (name: string) => string | undefined;
};

export type Route = {
  readonly operation: Operation;
  readonly answer: (call: never, reply: FastifyReply) => unknown;
};

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a reply may simply return.
type Nothing = void;
type Answer<O extends Operation> = O extends { stream: true } | { file: string } ? Nothing : Replied<ReplyOf<O>>;
type Replied<R> = R extends undefined ? Nothing : R;

/** Creates a typed route. The handler of a stream or a file writes the response itself. */
export function route<const O extends Operation>(
  operation: O,
  answer: (call: OperationCall<O>, reply: FastifyReply) => Answer<O> | Promise<Answer<O>>,
): Route {
  return { operation, answer: answer as Route["answer"] };
}

/** Returns the raw response with the headers set so far, for a stream or a file. Fastify no longer writes to it. */
export function takeOverResponse(reply: FastifyReply): ServerResponse {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value as string);
  return reply.raw;
}

// The route table finds the admission class of an address and the methods it accepts.

export type RouteTable = {
  classOf(path: string, method: string): RouteClass;
  methodsAt(path: string): readonly string[];
  /** Returns the address that was probably meant, e.g. `/api/recording/trigger` for `/recording/triger`. */
  similarAddress(path: string): string | undefined;
  /** Returns true if a refusal at this path can help a game's developer, so that it is recorded. */
  recordsRefusals(path: string): boolean;
};

/** Returns the path without the query. */
export const pathWithoutQuery = (target: string) => target.split("?", 1)[0] ?? target;

const ingestPaths: readonly string[] = Object.values(ingestOperations).map(({ path }) => path);

function patternOf(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

const withoutApi = (path: string) => path.replace(/^\/api\//, "/").toLowerCase();

export function createRouteTable(operations: readonly Operation[]): RouteTable {
  const entries = operations.map((operation) => ({ operation, pattern: patternOf(operation.path) }));
  const addresses = new Map(
    operations.filter(({ path }) => !path.includes("{")).map(({ path }) => [withoutApi(path), path]),
  );
  const at = (path: string) => entries.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
  return {
    classOf(path, method) {
      if (ingestPaths.includes(path)) return "ingest";
      if (!path.startsWith("/api/")) return path === "/" || path === "/index.html" ? "shell" : "asset";
      const found = at(path);
      return (found.find((operation) => operation.method === method) ?? found[0])?.access ?? "session";
    },
    methodsAt(path) {
      const methods = at(path).map(({ method }) => method);
      return ingestPaths.includes(path) ? [...methods, "OPTIONS"] : methods;
    },
    similarAddress: (path) => addresses.get(closestMatch(withoutApi(path), [...addresses.keys()]) ?? ""),
    recordsRefusals: (path) =>
      ingestPaths.includes(path) ||
      (at(path).length === 0 &&
        !/^\/(api\/(events|feed|clips|clips-cleanup|recorder|issues|games|rules|services|origins|sdk|tickets|session|health)\b|assets\/|sdk\/|$)/.test(
          path,
        )),
  };
}
