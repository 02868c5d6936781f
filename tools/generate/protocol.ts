// Generates docs/protocol.md from protocol-frame.md and the contract.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultPort, operations, problemsByCode, triggerRecording } from "@kit/contract";
import { componentsFor, type JsonSchema, opened, withRefs } from "./components.ts";
import { fieldTable, typeOf } from "./fields.ts";
import { groups } from "./groups.ts";
import { readLimits, withUnit } from "./limits.ts";
import { commandFor, exampleProblem, operationPage, problemFields } from "./operation-page.ts";

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");

const index = () =>
  operations
    .map(({ method, path, says }) => `- [${method} ${path}](#${anchorOf(`${method} ${path}`)}): ${says}`)
    .join("\n");

const chapters = () =>
  groups
    .map(({ title, says, operations: inGroup }) =>
      [`## ${title}`, says, ...inGroup.map((operation) => operationPage(operation))].join("\n\n"),
    )
    .join("\n\n");

/** The section on a schema: its members or variants. */
function schemaPage(name: string, schema: JsonSchema): string {
  const kinds = schema.anyOf?.map((kind) => (kind.properties ? fieldTable(kind) : `- ${typeOf(kind)}`));
  const body = schema.properties ? fieldTable(schema) : kinds ? `One of:\n\n${kinds.join("\n\n")}` : typeOf(schema);
  return [`### ${name}`, (schema.description ?? "").replace(/(\w)$/, "$1."), body].filter(Boolean).join("\n\n");
}

function schemas(): string {
  // A body stands whole beside its operation; what it refers to, and every answer, stands here once.
  const shown = operations.map(({ body, query, reply }) => ({
    reply: reply && withRefs(reply),
    given: [body, query].map((schema) => schema && opened(schema)),
  }));
  return Object.entries(componentsFor(shown))
    .map(([name, schema]) => schemaPage(name, schema))
    .join("\n\n");
}

/** The text of docs/protocol.md. */
export function protocolText(root: string): string {
  const limits = readLimits(root);
  const parts: Record<string, string> = {
    port: String(defaultPort),
    command: commandFor(triggerRecording),
    limits: limits.map((limit) => `| \`${limit.name}\` | ${withUnit(limit)} | ${limit.says} |`).join("\n"),
    ...Object.fromEntries(limits.map((limit) => [limit.name, withUnit(limit)])),
    problems: Object.entries(problemsByCode)
      .map(([code, { status, title }]) => `| ${status} | \`${code}\` | ${title} |`)
      .join("\n"),
    problemFields,
    exampleProblem,
    index: index(),
    operations: chapters(),
    schemas: schemas(),
  };
  const frame = readFileSync(join(root, "tools/generate/protocol-frame.md"), "utf8");
  return frame.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`tools/generate/protocol-frame.md: nothing is called {{${name}}}`);
    return part;
  });
}
