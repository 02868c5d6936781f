// Checks values against the contract's schemas and says which member was wrong and what was expected there.
import { type FieldError, KitError } from "@kit/contract";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

type Validator = ReturnType<typeof Compile>;

/** Compiled on first use: most operations are never called in a run. */
const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

type SchemaNode = { description?: string; type?: string; enum?: unknown[]; properties?: Record<string, SchemaNode> };

/** The declared description of a member is the best sentence on what was expected. */
function expectedAt(schema: TSchema, pointer: string, fallback: string): string {
  let node: SchemaNode | undefined = schema as SchemaNode;
  for (const part of pointer.split("/").slice(1)) node = node?.properties?.[part];
  if (pointer === "") return `expected a JSON object (${fallback})`;
  if (node?.enum !== undefined) return `expected one of ${node.enum.join(", ")}`;
  return node?.description === undefined ? fallback : `expected ${node.description}`;
}

function fieldErrors(schema: TSchema, value: unknown): FieldError[] {
  const errors = new Map<string, FieldError>();
  const add = (path: string, message: string) => {
    if (!errors.has(path)) errors.set(path, { path, message });
  };
  for (const error of validatorOf(schema).Errors(value)) {
    if (error.keyword !== "required") {
      add(error.instancePath, expectedAt(schema, error.instancePath, error.message));
      continue;
    }
    for (const name of (error.params as { requiredProperties: string[] }).requiredProperties) {
      const path = `${error.instancePath}/${name}`;
      add(path, `is missing: ${expectedAt(schema, path, "expected a value")}`);
    }
  }
  return [...errors.values()];
}

/** Throws KitError payload_invalid, naming every broken member, when `value` does not fit. */
export function assertFits(schema: TSchema, value: unknown): void {
  if (validatorOf(schema).Check(value)) return;
  const errors = fieldErrors(schema, value);
  const summary = errors.map(({ path, message }) => `${path || "body"} ${message}`).join("; ");
  throw new KitError("payload_invalid", `${summary}.`, errors);
}

/** Query strings are text: turns what the schema calls an integer or boolean into one, where it is one. */
export function queryValues(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as SchemaNode).properties ?? {};
  const values = Object.entries(query).map(([name, value]) => {
    const type = properties[name]?.type;
    if (type === "integer" && typeof value === "string" && /^-?\d{1,15}$/.test(value)) return [name, Number(value)];
    if (type === "boolean" && (value === "true" || value === "false")) return [name, value === "true"];
    return [name, value];
  });
  return Object.fromEntries(values);
}
