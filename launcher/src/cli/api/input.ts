// From the words of `kit api` to the input of an operation. The contract says where each value belongs and which type it has.
import { fieldName, type Given, KitError, messageFromProblem, type Operation } from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { assertValid } from "../../http/validation.ts";
import { kit, say } from "../output.ts";
import {
  alternatives,
  type InputPart,
  inputParts,
  memberNode,
  memberOf,
  objectIn,
  partOf,
  type SchemaNode,
  unknownName,
} from "./schema.ts";

type Members = Record<string, unknown>;

/** A name that was given, with the values after it. `isSecret`: the value is read from standard input. */
type Named = {
  readonly name: string;
  readonly path: readonly string[];
  readonly part: InputPart;
  readonly node: SchemaNode;
  readonly isSecret: boolean;
  readonly values: string[];
};

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Finds where a name such as `limit` or `bucket.region` belongs. Throws InvalidSetting if there is no such name. */
function findName(operation: Operation, name: string): Omit<Named, "values"> {
  const path = name.split(".");
  const [first = "", ...rest] = path;
  const part = inputParts.find((each) => memberOf(partOf(operation, each), first) !== undefined);
  let node = part && memberOf(partOf(operation, part), first);
  if (part === undefined || node === undefined) {
    const known = inputParts.flatMap((each) => Object.keys(partOf(operation, each)?.properties ?? {}));
    throw new InvalidSetting(unknownName(first, operation.id, known));
  }
  let isSecret = node.writeOnly === true;
  for (const [index, step] of rest.entries()) {
    const object: SchemaNode | undefined = objectIn(node);
    const next: SchemaNode | undefined = memberOf(object, step) ?? (object && memberNode(object));
    if (next === undefined)
      throw new InvalidSetting(
        unknownName(step, path.slice(0, index + 1).join("."), Object.keys(object?.properties ?? {})),
      );
    node = next;
    isSecret ||= node.writeOnly === true;
  }
  return { name, path, part, node, isSecret };
}

const secretAdvice = (name: string) =>
  `${name} is a credential, and others can read command lines. Write only its name: Kit then reads it from standard input.`;

/** Sorts `name=value` words by name. Throws InvalidSetting for what the contract does not take. */
function namedIn(operation: Operation, words: readonly string[]): readonly Named[] {
  const found = new Map<string, Named>();
  for (const word of words) {
    const end = word.indexOf("=");
    const name = end < 0 ? word : word.slice(0, end);
    const named = found.get(name) ?? { ...findName(operation, name), values: [] };
    found.set(name, named);
    if (end < 0 && !named.isSecret) throw new InvalidSetting(`${name} has no value. Write ${name}=VALUE.`);
    if (end >= 0 && named.isSecret) throw new InvalidSetting(secretAdvice(name));
    if (end >= 0) named.values.push(word.slice(end + 1));
  }
  return [...found.values()];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns undefined if the text is no value of this type. */
function valueOfType(node: SchemaNode, text: string): unknown {
  const choices = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  if (choices !== undefined) return choices.find((choice) => String(choice) === text);
  if (node.type === "null") return text === "null" ? null : undefined;
  if (node.type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (node.type === "integer" || node.type === "number")
    return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
  if (node.type === "string") return text;
  const value = parseJson(text);
  return (node.type === "array" ? Array.isArray(value) : isMembers(value)) ? value : undefined;
}

/** A text that fits no type stays a text, so that the check of the schema says what was expected. */
function parseValue(node: SchemaNode, text: string): unknown {
  for (const each of alternatives(node)) {
    const value = valueOfType(each, text);
    if (value !== undefined) return value;
  }
  return text;
}

/** The value of a name. A list is written as JSON, or as one word for each element. */
function valueOfNamed({ name, node, values }: Named): unknown {
  const list = alternatives(node).find(({ type }) => type === "array");
  const [first = "", ...more] = values;
  const whole = parseValue(node, first);
  if (list?.items !== undefined && (more.length > 0 || typeof whole === "string"))
    return values.map((each) => parseValue(list.items ?? {}, each));
  if (more.length > 0) throw new InvalidSetting(`${name} was given ${values.length} times, and takes one value.`);
  return whole;
}

/** Returns the name of a credential in a value that was written in the command line. */
function credentialIn(node: SchemaNode, value: unknown, name: string): string | undefined {
  if (!isMembers(value)) return undefined;
  const object = objectIn(node);
  for (const [key, one] of Object.entries(value)) {
    const next = object?.properties?.[key] ?? (object && memberNode(object));
    const found = next?.writeOnly ? `${name}.${key}` : next && credentialIn(next, one, `${name}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function setAt(target: Members, path: readonly string[], value: unknown): void {
  const [first = "", ...rest] = path;
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const below = target[first];
  const members: Members = isMembers(below) ? below : {};
  target[first] = members;
  setAt(members, rest, value);
}

/** Throws InvalidSetting, which names each value that does not fit the schema. */
function assertFits(operation: Operation, part: InputPart, value: Members): void {
  const schema = operation[part];
  if (schema === undefined) return;
  try {
    assertValid(schema, value);
  } catch (error) {
    if (!(error instanceof KitError)) throw error;
    const lines = error.errors.map((each) => `${fieldName(each.path)} ${say(messageFromProblem(each.message, each))}`);
    throw new InvalidSetting(
      `Nothing was sent: ${lines.join("; ")}. \`${kit(`api ${operation.id} --help`)}\` prints what it takes.`,
    );
  }
}

/** Parses the JSON of --input. Throws InvalidSetting. */
export function parseBody(operation: Operation, text: string): Members {
  if (operation.body === undefined) throw new InvalidSetting(`${operation.id} has no body, so it takes no --input.`);
  const body = parseJson(text.replace(/^\ufeff/, ""));
  if (!isMembers(body)) throw new InvalidSetting("--input has to be a JSON object.");
  const known = Object.keys(partOf(operation, "body")?.properties ?? {});
  for (const name of Object.keys(body))
    if (!known.includes(name)) throw new InvalidSetting(unknownName(name, `The body of ${operation.id}`, known));
  return body;
}

/**
 * Returns the input of a call, which fits the contract. `ask` returns the value of a credential; it is called only if all other names
 * and values are right. Throws InvalidSetting.
 */
export async function readInput(
  operation: Operation,
  words: readonly string[],
  given: Members | undefined,
  ask: (name: string) => Promise<string>,
): Promise<Given<Operation>> {
  const named = namedIn(operation, words);
  const input: Record<InputPart, Members> = { params: {}, query: {}, body: given ?? {} };
  for (const each of named.filter(({ isSecret }) => !isSecret)) {
    const value = valueOfNamed(each);
    const secret = credentialIn(each.node, value, each.name);
    if (secret !== undefined) throw new InvalidSetting(secretAdvice(secret));
    setAt(input[each.part], each.path, value);
  }
  for (const part of ["params", "query"] as const) assertFits(operation, part, input[part]);
  for (const { name, path, part, node } of named.filter(({ isSecret }) => isSecret))
    setAt(input[part], path, parseValue(node, await ask(name)));
  assertFits(operation, "body", input.body);
  const sent = inputParts.filter((part) => operation[part] !== undefined).map((part) => [part, input[part]]);
  return Object.fromEntries(sent) as Given<Operation>;
}
