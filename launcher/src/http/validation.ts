// Validates values against the contract's declarations, and reports each invalid member with what was expected.

import {
  type Access,
  type FieldError,
  fieldError,
  fieldName,
  KitError,
  linkParameter,
  type Message,
  type Operation,
  type ProblemCode,
  passParameter,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { closestMatch } from "./typos.ts";

type Validator = ReturnType<typeof Compile>;

/** Validators are compiled on first use, because most operations are never called in a run. */
const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

type SchemaNode = {
  description?: string;
  type?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  items?: SchemaNode;
};

const errorsMax = 50;

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
const unescaped = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");
/** Returns the schema of a record's members. */
const ofEach = (node: SchemaNode | undefined) => Object.values(node?.patternProperties ?? {})[0];

function nodeAt(schema: TSchema, pointer: string): SchemaNode | undefined {
  let node: SchemaNode | undefined = schema as SchemaNode;
  for (const part of pointer.split("/").slice(1)) {
    node = node?.properties?.[unescaped(part)] ?? ofEach(node) ?? node?.items;
  }
  return node;
}

const namesAt = (schema: TSchema, pointer: string) => Object.keys(nodeAt(schema, pointer)?.properties ?? {});

/** A description from the contract, as a message. Its text is also its code, by which the catalogues translate it. */
const described = (description: string): Message => ({ text: description, code: description });

/** Describes what was expected, using the description from the schema if there is one. */
function expectedAt(schema: TSchema, pointer: string, problem?: string): Message {
  const node = nodeAt(schema, pointer);
  if (pointer === "") return message("field.expected_object", { problem: problem ?? "" });
  if (node?.enum !== undefined) return message("field.expected_one_of", { values: node.enum.join(", ") });
  if (node?.description === undefined)
    return problem === undefined ? message("field.expected_value") : message("field.other", { problem });
  const { description, minimum, maximum } = node;
  const what = described(description);
  if (minimum === undefined || maximum === undefined || /\d/.test(description))
    return message("field.expected", { what });
  return message("field.expected_between", { what, least: minimum, most: maximum });
}

function unknownMessage(name: string, known: readonly string[]): Message {
  const meant = closestMatch(name, known);
  if (meant === undefined) return message("field.unknown", { known: known.join(", ") });
  return message("field.unknown_meant", { meant });
}

/** Yields all errors, outer ones first. The validator reports only the first few, so each member of a record is checked separately. */
function* errorsIn(schema: TSchema, value: unknown, place = ""): Generator<FieldError> {
  const at = (path: string, expected: Message) => fieldError(place + path, expected);
  for (const { keyword, instancePath, params, message: problem } of validatorOf(schema).Errors(value)) {
    if (keyword === "required") {
      for (const name of (params as { requiredProperties: string[] }).requiredProperties) {
        const path = `${instancePath}/${escaped(name)}`;
        yield at(path, message("field.missing", { expected: expectedAt(schema, path) }));
      }
    } else if (keyword === "additionalProperties") {
      for (const name of (params as { additionalProperties: string[] }).additionalProperties)
        yield at(`${instancePath}/${escaped(name)}`, unknownMessage(name, namesAt(schema, instancePath)));
    } else if (keyword !== "boolean") yield at(instancePath, expectedAt(schema, instancePath, problem));
  }
  for (const [name, node] of Object.entries((schema as SchemaNode).properties ?? {})) {
    const each = ofEach(node);
    const record = (value as Record<string, unknown> | null)?.[name];
    if (each === undefined || typeof record !== "object" || record === null) continue;
    for (const [key, one] of Object.entries(record)) {
      if (!validatorOf(each as TSchema).Check(one)) yield* errorsIn(each as TSchema, one, `/${name}/${escaped(key)}`);
    }
  }
}

function fieldErrors(schema: TSchema, value: unknown): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const error of errorsIn(schema, value)) {
    if (!errors.has(error.path)) errors.set(error.path, error);
    if (errors.size >= errorsMax) break;
  }
  return [...errors.values()];
}

function fieldFailure(code: ProblemCode, errors: readonly FieldError[]): KitError {
  const problems = errors.map((error) => `${fieldName(error.path)} ${error.message}`).join("; ");
  return new KitError(code, message("field.several", { problems }), errors);
}

/** Throws KitError payload_invalid, which names every invalid member. */
export function assertValid(schema: TSchema, value: unknown): void {
  if (!validatorOf(schema).Check(value)) throw fieldFailure("payload_invalid", fieldErrors(schema, value));
}

/** The query parameter that carries a credential, where a browser cannot send a header. */
const credentialMember: Partial<Record<Access, string>> = { media: passParameter, download: linkParameter };

/** Throws KitError unknown_parameter, which names every unknown query parameter, for an operation that declares this error. */
export function assertKnownParameters(operation: Operation, query: Record<string, unknown>): void {
  if (!operation.errors.includes("unknown_parameter")) return;
  const known = Object.keys(operation.query?.properties ?? {});
  const credential = credentialMember[operation.access];
  const errors = Object.keys(query)
    .filter((name) => name !== credential && !known.includes(name))
    .slice(0, errorsMax)
    .map((name) =>
      fieldError(`/${escaped(name)}`, known.length === 0 ? message("field.no_query") : unknownMessage(name, known)),
    );
  if (errors.length > 0) throw fieldFailure("unknown_parameter", errors);
}

/** Converts query texts to numbers and booleans as the schema requires, if the text is valid. */
export function parseQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as SchemaNode).properties ?? {};
  const values = Object.entries(query).map(([name, value]) => {
    const type = properties[name]?.type;
    if (type === "integer" && typeof value === "string" && /^-?\d{1,15}$/.test(value)) return [name, Number(value)];
    if (type === "number" && typeof value === "string" && /^-?\d{1,15}(\.\d{1,20})?$/.test(value))
      return [name, Number(value)];
    if (type === "boolean" && (value === "true" || value === "false")) return [name, value === "true"];
    return [name, value];
  });
  return Object.fromEntries(values);
}
