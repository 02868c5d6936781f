// The section of docs/protocol.md on one operation: access, request, response and errors.
import { defaultPort, type Operation, Problem, problemsByCode } from "@kit/contract";
import { opened, withRefs } from "./components.ts";
import { exampleOf } from "./examples.ts";
import { fieldTable, typeOf } from "./fields.ts";
import { accessSays } from "./groups.ts";

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
const json = (value: unknown) => fenced("json", JSON.stringify(value, null, 2));

function requestOf(operation: Operation): string[] {
  const { params, query, body, stream } = operation;
  const example = exampleOf(operation).body;
  return [
    params ? `In the path:\n\n${fieldTable(opened(params))}` : "",
    query ? `In the query:\n\n${fieldTable(opened(query))}` : "",
    stream ? "The header `Last-Event-ID` goes on after a cursor; without it the stream begins now." : "",
    body ? `Body, as \`application/json\`:\n\n${fieldTable(opened(body))}` : "",
    example === undefined ? "" : json(example),
  ];
}

function answerOf(operation: Operation): string[] {
  const { status, reply, stream, file } = operation;
  if (file) return [`Answer: **${status}**, the file as \`${file}\`.`];
  if (!reply) return [`Answer: **${status}** without a body.`];
  const example = exampleOf(operation).reply;
  const schema = withRefs(reply);
  if (stream) {
    const item = fenced("", `id: 42\nevent: event\ndata: ${JSON.stringify(example)}`);
    return [`Answer: **${status}**, \`text/event-stream\` without end. Each \`data\` is one ${typeOf(schema)}:`, item];
  }
  // Named schemas have their own section.
  const what = schema.$ref ? ` ${typeOf(schema)}` : `\n\n${fieldTable(schema)}`;
  return [`Answer: **${status}**${what}`, example === undefined ? "" : json(example)];
}

function failuresOf(operation: Operation): string {
  const codes = operation.errors
    .toSorted((a, b) => problemsByCode[a].status - problemsByCode[b].status)
    .map((code) => `${problemsByCode[code].status} \`${code}\``);
  return `Problems: ${codes.join(" · ")}.`;
}

const partsSay =
  "With `Range` the answer is that part of it (206); with `If-None-Match` or `If-Modified-Since` nothing, where it has not changed (304).";

export function operationPage(operation: Operation): string {
  const parts = [
    `### ${operation.method} ${operation.path}`,
    `${operation.says}`,
    `*${operation.id}.* ${accessSays[operation.access]}`,
    ...requestOf(operation),
    ...answerOf(operation),
    operation.ranged ? partsSay : "",
    failuresOf(operation),
  ];
  return parts.filter(Boolean).join("\n\n");
}

/** An example request for a terminal. */
export function commandFor(operation: Operation): string {
  const body = JSON.stringify(exampleOf(operation).body);
  const lines = [
    `curl http://127.0.0.1:${defaultPort}${operation.path} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
  ];
  return fenced("sh", lines.join("\n"));
}

export const exampleProblem = json({
  type: "urn:kit:problem:payload_invalid",
  title: problemsByCode.payload_invalid.title,
  status: problemsByCode.payload_invalid.status,
  detail: "Send timestamp as YYYY-MM-DDTHH:MM:SS.sssZ.",
  errors: [{ path: "/timestamp", message: "an ISO 8601 time in UTC that exists, with milliseconds" }],
} satisfies Problem);

export const problemFields = fieldTable(opened(Problem));
