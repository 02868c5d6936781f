// Formats the members of a schema as Markdown tables.
import { componentOf, type JsonSchema, nameOf } from "./components.ts";

/** Escapes text for a table cell. */
const escaped = (text: string) =>
  text
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part.replaceAll("<", "\\<") : part))
    .join("`")
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ");

const anchorOf = (name: string) => name.toLowerCase();

/** Describes a type in words, e.g. `string or null`, `list of Game`, `"ok" or "failing"`. */
export function typeOf(schema: JsonSchema): string {
  if (schema.$ref) return `[${nameOf(schema.$ref)}](#${anchorOf(nameOf(schema.$ref))})`;
  if (schema.const !== undefined) return `\`"${schema.const}"\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array" && schema.items) return `list of ${typeOf(schema.items)}`;
  return schema.type ?? "anything";
}

/** The description of a member, of the schema it refers to, or of X in `X or null`. */
function sentenceOf(schema: JsonSchema): string | undefined {
  if (schema.$ref) return componentOf(nameOf(schema.$ref)).description;
  return schema.description ?? schema.anyOf?.map(sentenceOf).find(Boolean);
}

function saysOf(schema: JsonSchema): string {
  const said = sentenceOf(schema) ?? "";
  const otherwise =
    schema.default === undefined ? "" : `${said ? "; " : ""}${JSON.stringify(schema.default)} when left out`;
  return escaped(said + otherwise);
}

type Row = { readonly name: string; readonly schema: JsonSchema; readonly required: boolean };

/** Rows for all members, including nested ones such as `storage.state`. */
function rowsOf(schema: JsonSchema, before = ""): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const name = before + key;
    const row = { name, schema: member, required: schema.required?.includes(key) ?? false };
    return [row, ...rowsOf(member, `${name}.`), ...(member.items ? rowsOf(member.items, `${name}[].`) : [])];
  });
}

/** A Markdown table of the members of `schema`. */
export function fieldTable(schema: JsonSchema): string {
  const rows = rowsOf(schema).map(
    ({ name, schema: member, required }) =>
      `| \`${name}\` | ${typeOf(member)} | ${required ? "yes" : "no"} | ${saysOf(member)} |`,
  );
  return ["| member | type | required | what it is |", "| --- | --- | --- | --- |", ...rows].join("\n");
}
