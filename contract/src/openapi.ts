// The operations as an OpenAPI 3.1 document. `index.ts` leaves this out, because only who asks for the document needs it.
import * as contract from "./index.ts";
import {
  type Access,
  defaultPort,
  linkParameter,
  type Operation,
  operations,
  Problem,
  type ProblemCode,
  passParameter,
  problemsByCode,
  sessionCookie,
  sessionHeader,
} from "./index.ts";

type Json = Record<string, unknown>;

const refPrefix = "#/components/schemas/";

/** The exported schemas. Their names begin with a capital letter. */
const named = Object.entries(contract as Json).filter(
  (entry): entry is [string, object] => /^[A-Z]/.test(entry[0]) && typeof entry[1] === "object",
);
const nameByText = new Map(named.map(([name, schema]) => [JSON.stringify(schema), name]));

/** Replaces every named schema inside the value by a reference. `isWhole`: the value itself is not replaced. */
function withRefs(value: unknown, isWhole = false): unknown {
  if (Array.isArray(value)) return value.map((entry) => withRefs(entry));
  if (typeof value !== "object" || value === null) return value;
  const name = isWhole ? undefined : nameByText.get(JSON.stringify(value));
  if (name !== undefined) return { $ref: refPrefix + name };
  const copy: Json = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withRefs(member)]));
  // Client generators need a type beside `enum`.
  if (!Array.isArray(copy.enum) || copy.type !== undefined) return copy;
  return { type: typeof copy.enum[0] === "number" ? "integer" : "string", ...copy };
}

/** The named schemas to which the value refers, directly or through others. */
function componentsFor(value: unknown): Json {
  const found = new Map<string, unknown>();
  const add = (inside: unknown) => {
    for (const [, name = ""] of JSON.stringify(inside).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      const schema = withRefs((contract as Json)[name], true);
      found.set(name, schema);
      add(schema);
    }
  };
  add(value);
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const session = { sessionCookie: [], sessionToken: [] };
const accesses: Readonly<Record<Access, { readonly says: string; readonly security: readonly Json[] }>> = {
  ingest: {
    says: "Programs on this computer need no credentials. A web page from elsewhere needs the user's consent.",
    security: [],
  },
  public: {
    says: "Programs on this computer need no credentials. Web pages other than the dashboard are refused.",
    security: [],
  },
  session: {
    says: "For the dashboard, and for programs with the install secret.",
    security: [{ installSecret: [] }, session],
  },
  media: {
    says: "For the dashboard, also for its pictures and videos, and for programs with the install secret.",
    security: [{ installSecret: [] }, session, { sessionCookie: [], mediaPass: [] }],
  },
  download: {
    says: "For the dashboard, also for its links to downloads, and for programs with the install secret.",
    security: [{ installSecret: [] }, session, { sessionCookie: [], downloadLink: [] }],
  },
  ticket: {
    says: "For the dashboard before it has a session: the ticket in the body is its credential.",
    security: [],
  },
};

const keyIn = (place: string, name: string, description: string) => ({ type: "apiKey", in: place, name, description });
const securitySchemes = {
  installSecret: {
    type: "http",
    scheme: "bearer",
    description: "The install secret: the content of a file in Kit's data folder that only its owner can read",
  },
  sessionCookie: keyIn("cookie", sessionCookie(defaultPort), "One half of a session; named after the launcher's port"),
  sessionToken: keyIn(
    "header",
    sessionHeader,
    "The other half of the session, which other ports of this computer never see",
  ),
  mediaPass: keyIn("query", passParameter, "The `pass` of openSignInSession, where a browser cannot send a header"),
  downloadLink: keyIn("query", linkParameter, "What createDownloadLink returned, for one download"),
};

const header = (description: string, type: string) => ({ description, required: true, schema: { type } });
const headersOf: Partial<Record<ProblemCode, Json>> = {
  method_not_allowed: { Allow: header("The methods that this path takes", "string") },
  range_not_satisfiable: { "Content-Range": header("The length of the file: `bytes */1000`", "string") },
  too_many_requests: { "Retry-After": header("Seconds to wait", "integer") },
};

const rangeResponses = {
  "206": {
    description: "The part that `Range` names",
    headers: { "Content-Range": header("Which part: `bytes 0-99/1000`", "string") },
  },
  "304": { description: "The file is still the one that `If-None-Match` or `If-Modified-Since` names" },
};

function parametersIn(place: "path" | "query", schema: Operation["query"]): Json[] {
  const required: readonly string[] = schema?.required ?? [];
  return Object.entries(schema?.properties ?? {}).map(([name, member]) => {
    const { description, ...rest } = withRefs(member, true) as Json;
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema: rest,
    };
  });
}

function contentOf({ reply, stream, file }: Operation): Json {
  if (file) return { content: { [file]: { schema: {} } } };
  if (!reply) return {};
  return { content: { [stream ? "text/event-stream" : "application/json"]: { schema: withRefs(reply) } } };
}

/** The problems of an operation by status, because several may have the same one. */
function problemResponses({ errors }: Operation): Json {
  const byStatus = Object.groupBy(errors, (code) => String(problemsByCode[code].status));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => {
      const headers = Object.assign({}, ...codes.map((code) => headersOf[code])) as Json;
      return [
        status,
        {
          description: codes.map((code) => `\`${code}\`: ${problemsByCode[code].title}`).join("; "),
          ...(Object.keys(headers).length > 0 ? { headers } : {}),
          content: { "application/problem+json": { schema: withRefs(Problem) } },
        },
      ];
    }),
  );
}

const resumption = {
  name: "Last-Event-ID",
  in: "header",
  description: "Continues after this id; without it the stream begins now",
  schema: { type: "string" },
};

/** The first part of an operation's path, e.g. `clips`. */
const tagOf = ({ path }: Operation) => path.replace("/api/", "").replace(/^\//, "").split("/", 1)[0] ?? "";

function operationObject(operation: Operation): Json {
  const { id, says, access, body, params, query, status, stream, ranged } = operation;
  const parameters = [
    ...parametersIn("path", params),
    ...parametersIn("query", query),
    ...(stream ? [resumption] : []),
  ];
  const summary = says.replace(/\.$/, "");
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    description: accesses[access].says,
    security: accesses[access].security,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: withRefs(body) } } } } : {}),
    responses: {
      [status]: { description: summary, ...contentOf(operation) },
      ...(ranged ? rangeResponses : {}),
      ...problemResponses(operation),
    },
  };
}

export type OpenapiDocument = Json & { readonly openapi: string };

export function openapiDocument(version: string): OpenapiDocument {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    paths[operation.path] = { ...paths[operation.path], [method]: operationObject(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Kit launcher",
      version,
      description:
        "The three operations of a game keep their paths and members for ever; docs/protocol.md describes them.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `http://127.0.0.1:${defaultPort}`, description: "The launcher on this computer" }],
    tags: [...new Set(operations.map(tagOf))].map((name) => ({ name })),
    paths,
    components: { schemas: componentsFor(paths), securitySchemes },
  };
}
