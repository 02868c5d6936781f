// The named schemas of the contract, and schemas written with references to them.
import * as contract from "@kit/contract";

/** A JSON Schema as plain data. */
export type JsonSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly const?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly $ref?: string;
};

const refPrefix = "#/components/schemas/";

/** TypeBox schemas are JSON Schema with hidden marks: as JSON only the schema is left. */
const plain = (schema: object): JsonSchema => JSON.parse(JSON.stringify(schema)) as JsonSchema;

/** An export with a capital that is plain data is a schema; KitError is a class. */
const named = Object.entries(contract as Record<string, unknown>)
  .filter((entry): entry is [string, object] => /^[A-Z]/.test(entry[0]) && typeof entry[1] === "object")
  .map(([name, schema]) => ({ name, schema, text: JSON.stringify(schema) }));

const nameByText = new Map(named.map(({ name, text }) => [text, name]));

export function nameOf(ref: string): string {
  return ref.slice(refPrefix.length);
}

function withRefsInside(value: unknown, isWhole: boolean): unknown {
  if (Array.isArray(value)) return value.map((entry) => withRefsInside(entry, false));
  if (typeof value !== "object" || value === null) return value;
  const name = isWhole ? undefined : nameByText.get(JSON.stringify(value));
  if (name) return { $ref: refPrefix + name };
  const members = Object.entries(value).map(([key, member]) => [key, withRefsInside(member, false)]);
  const copy = Object.fromEntries(members) as Record<string, unknown>;
  // Generators of clients ask for the type beside the values.
  if (!Array.isArray(copy.enum) || copy.type !== undefined) return copy;
  return { type: typeof copy.enum[0] === "number" ? "integer" : "string", ...copy };
}

/** `schema` with every named schema in it, or itself, replaced by a reference. */
export const withRefs = (schema: object): JsonSchema => withRefsInside(plain(schema), false) as JsonSchema;

/** `schema` with its own members in sight and references only inside them. */
export const opened = (schema: object): JsonSchema => withRefsInside(plain(schema), true) as JsonSchema;

/** The named schema. */
export function componentOf(name: string): JsonSchema {
  const found = named.find((entry) => entry.name === name);
  if (!found) throw new Error(`The contract has no schema named ${name}`);
  return opened(found.schema);
}

const refsIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => nameOf(match[1] ?? ""));

/** The named schemas that `document` refers to, directly or through one another, by name. */
export function componentsFor(document: unknown): Record<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  const add = (name: string) => {
    if (found.has(name)) return;
    const schema = componentOf(name);
    found.set(name, schema);
    for (const inner of refsIn(schema)) add(inner);
  };
  for (const name of refsIn(document)) add(name);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
