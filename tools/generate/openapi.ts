// Generates contract/openapi.json (OpenAPI 3.1).
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
  problemType,
  sessionCookie,
  sessionHeader,
} from "@kit/contract";
import { componentsFor, type JsonSchema, opened, withRefs } from "./components.ts";
import { exampleOf } from "./examples.ts";
import { accessSays, groups } from "./groups.ts";

type Json = Record<string, unknown>;

const security: Readonly<Record<Access, readonly Json[]>> = {
  ingest: [],
  public: [],
  session: [{ installSecret: [] }, { sessionCookie: [], sessionToken: [] }],
  media: [{ installSecret: [] }, { sessionCookie: [], sessionToken: [] }, { sessionCookie: [], mediaPass: [] }],
  download: [{ installSecret: [] }, { sessionCookie: [], sessionToken: [] }, { sessionCookie: [], downloadLink: [] }],
  ticket: [],
};

const securitySchemes = {
  installSecret: {
    type: "http",
    scheme: "bearer",
    description: "The install secret: a file in the launcher's data directory that only its owner can read.",
  },
  sessionCookie: {
    type: "apiKey",
    in: "cookie",
    name: sessionCookie(defaultPort),
    description: "One half of the dashboard's session, named after the launcher's port: HttpOnly, SameSite=Strict.",
  },
  sessionToken: {
    type: "apiKey",
    in: "header",
    name: sessionHeader,
    description: "The other half of the dashboard's session, which other ports of this machine never see.",
  },
  mediaPass: {
    type: "apiKey",
    in: "query",
    name: passParameter,
    description:
      "The `pass` that openSignInSession returned: stands for the other half where a picture or a video is asked for.",
  },
  downloadLink: {
    type: "apiKey",
    in: "query",
    name: linkParameter,
    description: "What createDownloadLink answered: stands for the other half once, for one download.",
  },
};

/** Response headers by problem code. */
const headersOf: Partial<Record<ProblemCode, Json>> = {
  method_not_allowed: {
    Allow: { description: "The methods this address takes", required: true, schema: { type: "string" } },
  },
  range_not_satisfiable: {
    "Content-Range": {
      description: "How long the file is: `bytes */1000`",
      required: true,
      schema: { type: "string" },
    },
  },
  too_many_requests: {
    "Retry-After": { description: "Seconds to wait", required: true, schema: { type: "integer", minimum: 1 } },
  },
};

const withoutStop = (sentence: string) => sentence.replace(/\.$/, "");

function parametersIn(place: "path" | "query", schema: Operation["query"]): Json[] {
  const { properties = {}, required = [] } = schema ? opened(schema) : {};
  return Object.entries(properties).map(([name, member]) => {
    const { description, ...rest } = member as JsonSchema & Json;
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema: rest,
    };
  });
}

const resumption = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "Goes on after this cursor; without it the stream begins now",
  schema: { type: "string" },
};

function successOf(operation: Operation): Json {
  const { reply, stream, file, says } = operation;
  if (file) return { description: withoutStop(says), content: { [file]: { schema: {} } } };
  if (!reply) return { description: withoutStop(says) };
  const example = exampleOf(operation).reply;
  const media = {
    schema: withRefs(reply),
    ...(example === undefined ? {} : { examples: { example: { value: example } } }),
  };
  return stream
    ? {
        description: "Server-sent events without end; each `data` is one such document, each `id` a cursor",
        content: { "text/event-stream": { schema: media.schema } },
      }
    : { description: withoutStop(says), content: { "application/json": media } };
}

const problemExample = (code: ProblemCode) => {
  const { status, title } = problemsByCode[code];
  return { summary: title, value: { type: problemType(code), title, status, detail: `${title}.` } };
};

/** Additional responses of operations that support ranges. */
const partsOf = {
  "206": {
    description: "The part that `Range` asks for",
    headers: {
      "Content-Range": { description: "Which part: `bytes 0-99/1000`", required: true, schema: { type: "string" } },
    },
  },
  "304": { description: "The file is still the one that `If-None-Match` or `If-Modified-Since` names" },
};

/** Error responses by status, because several problems may share one. */
function failuresOf(operation: Operation): Json {
  const byStatus = Object.groupBy(operation.errors, (code) => String(problemsByCode[code].status));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${problemsByCode[code].title}`).join("; "),
        ...(codes.some((code) => headersOf[code])
          ? { headers: Object.assign({}, ...codes.map((code) => headersOf[code])) as Json }
          : {}),
        content: {
          "application/problem+json": {
            schema: withRefs(Problem),
            examples: Object.fromEntries(codes.map((code) => [code, problemExample(code)])),
          },
        },
      },
    ]),
  );
}

function operationObject(operation: Operation, tag: string): Json {
  const parameters = [
    ...parametersIn("path", operation.params),
    ...parametersIn("query", operation.query),
    ...(operation.stream ? [resumption] : []),
  ];
  const body = exampleOf(operation).body;
  const content = operation.body && {
    schema: withRefs(operation.body),
    ...(body === undefined ? {} : { examples: { example: { value: body } } }),
  };
  return {
    operationId: operation.id,
    tags: [tag],
    summary: withoutStop(operation.says),
    description: accessSays[operation.access],
    security: security[operation.access],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content ? { requestBody: { required: true, content: { "application/json": content } } } : {}),
    responses: {
      [operation.status]: successOf(operation),
      ...(operation.ranged ? partsOf : {}),
      ...failuresOf(operation),
    },
  };
}

/** The text of contract/openapi.json. */
export function openapiText(version: string): string {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const tag = groups.find((group) => group.operations.includes(operation))?.title ?? "";
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, tag),
    };
  }
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Kit launcher",
      version,
      summary: "The local launcher beside a game: events in, receipts and switches out.",
      description:
        "Generated from the contract by `npm run generate`; do not edit. " +
        "The three operations of a game keep their paths and fields for ever. docs/protocol.md says the same in prose.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `http://127.0.0.1:${defaultPort}`, description: "The launcher on this machine" }],
    tags: groups.map(({ title, says }) => ({ name: title, description: says })),
    paths,
  };
  const components = { schemas: componentsFor(paths), securitySchemes };
  return `${JSON.stringify({ ...document, components }, null, 2)}\n`;
}
