// The typed client of the HTTP API, for the dashboard and the CLI. It needs only fetch, so it runs in Node and in
// browsers.
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from "./operation.ts";
import { KitError, messageFromProblem, type Problem, type ProblemCode, problemsByCode } from "./problem.ts";

export type Given<O extends Operation> = {
  [K in "params" | "query" | "body" as K extends keyof O ? K : never]: K extends "params"
    ? ParamsOf<O>
    : K extends "query"
      ? QueryOf<O>
      : BodyOf<O>;
};

type Input = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
};

/** Returns the path and query of a call, e.g. `/api/events?limit=5`. Leaves out query members that are undefined. */
export function callAddress(declared: Operation, given: Input = {}): string {
  const path = declared.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(given.params?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "type" in value && "detail" in value;
}

/** Recreates the KitError that the launcher threw from its error response. */
export async function errorFromResponse(response: Response): Promise<KitError> {
  const document: unknown = await response.json().catch(() => undefined);
  if (!isProblem(document))
    return new KitError("internal", `The launcher answered ${response.status} without a reason.`);
  const code = document.type.replace("urn:kit:problem:", "");
  const known = (code in problemsByCode ? code : "internal") as ProblemCode;
  return new KitError(known, messageFromProblem(document.detail, document), document.errors);
}

export type Client = {
  /** Calls an operation. Throws KitError for an error response, and the error of fetch if nothing answers. */
  call<O extends Operation>(declared: O, given?: Given<O>): Promise<ReplyOf<O>>;
  /**
   * Returns the raw response of an operation that streams events or sends a file. Throws KitError for an error
   * response.
   */
  open<O extends Operation & ({ stream: true } | { file: string })>(
    declared: O,
    given: Given<O>,
    init?: { signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Response>;
};

/** `baseUrl` has no trailing slash and is empty for the page's own origin. `headers` is called for every request. */
export function createClient(
  baseUrl: string,
  headers: () => Record<string, string> = () => ({}),
  request: (url: string, init: RequestInit) => Promise<Response> = (url, init) => fetch(url, init),
): Client {
  const send = async (declared: Operation, given: Input, init: RequestInit = {}) => {
    const body = given.body === undefined ? {} : { body: JSON.stringify(given.body) };
    const type = given.body === undefined ? {} : { "content-type": "application/json" };
    const response = await request(baseUrl + callAddress(declared, given), {
      ...init,
      ...body,
      method: declared.method,
      headers: { ...type, ...headers(), ...(init.headers as Record<string, string> | undefined) },
    });
    if (!response.ok) throw await errorFromResponse(response);
    return response;
  };
  return {
    async call(declared, given) {
      const response = await send(declared, (given ?? {}) as Input);
      return (response.status === 204 ? undefined : await response.json()) as ReplyOf<typeof declared>;
    },
    open: (declared, given, init) => send(declared, given as Input, init),
  };
}
