// Tables of the members of a schema, as the documents show them.
import { componentOf, type JsonSchema, nameOf } from "./components.ts";

/** Text for a cell of a table: `<game>` is no tag outside a code span. */
const escaped = (text: string) =>
  text
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part.replaceAll("<", "\\<") : part))
    .join("`")
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ");

const anchorOf = (name: string) => name.toLowerCase();

/** What a member holds, in a few words: `string or null`, `list of Game`, `"ok" or "failing"`. */
export function typeOf(schema: JsonSchema): string {
  if (schema.$ref) return `[${nameOf(schema.$ref)}](#${anchorOf(nameOf(schema.$ref))})`;
  if (schema.const !== undefined) return `\`"${schema.const}"\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array" && schema.items) return `list of ${typeOf(schema.items)}`;
  return schema.type ?? "anything";
}

/** The sentence of a member: its own, that of the schema it refers to, or for `X or null` the one inside. */
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

/** Members of members become rows of their own: `storage.state`. */
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
