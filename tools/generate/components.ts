// The named schemas of the contract, and conversion of schemas to references.
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

/** Converts a TypeBox schema to plain JSON Schema. */
const plain = (schema: object): JsonSchema => JSON.parse(JSON.stringify(schema)) as JsonSchema;

/** Capitalised exports that are plain objects are schemas. */
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
  // Client generators need a type beside `enum`.
  if (!Array.isArray(copy.enum) || copy.type !== undefined) return copy;
  return { type: typeof copy.enum[0] === "number" ? "integer" : "string", ...copy };
}

/** Replaces every named schema in `schema`, or `schema` itself, by a reference. */
export const withRefs = (schema: object): JsonSchema => withRefsInside(plain(schema), false) as JsonSchema;

/** Replaces named schemas inside `schema`, but not `schema` itself. */
export const opened = (schema: object): JsonSchema => withRefsInside(plain(schema), true) as JsonSchema;

/** Returns the schema with this name. */
export function componentOf(name: string): JsonSchema {
  const found = named.find((entry) => entry.name === name);
  if (!found) throw new Error(`The contract has no schema named ${name}`);
  return opened(found.schema);
}

const refsIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => nameOf(match[1] ?? ""));

/** Returns the named schemas that `document` refers to, directly or indirectly. */
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
