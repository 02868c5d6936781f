// What `kit api` prints about operations: all of them, or what one of them takes and returns.
import { type Operation, operationsByTopic } from "@kit/contract";
import { Help } from "commander";
import { withStyle } from "../output.ts";
import { terminal } from "../terminal.ts";
import { alternatives, inputParts, memberNode, objectIn, partOf, type SchemaNode } from "./schema.ts";

const widthMin = 60;
const width = () => Math.max(widthMin, terminal().stdout.columns ?? 80);

const wrap = (text: string, columns: number): string => new Help().boxWrap(text, columns);
const indent = 24;

/** Puts a text beside a name, or below a long one. */
function formatItem([name, text]: readonly [name: string, text: string]): string {
  const begin = `  ${name}`;
  const lines = wrap(text, width() - indent).split("\n");
  const block = lines.map((line) => " ".repeat(indent) + line).join("\n");
  return begin.length > indent - 2 ? `${begin}\n${block}` : begin + block.slice(begin.length);
}

const formatItems = (items: readonly (readonly [name: string, text: string])[]) => items.map(formatItem).join("\n");

/** Returns all operations under their topics, a line each, for a terminal of any width. */
export function describeOperations(): string {
  const topics = Object.entries(operationsByTopic);
  const idWidth = Math.max(...topics.flatMap(([, operations]) => operations.map(({ id }) => id.length)));
  const line = ({ id, says }: Operation) => {
    const text = `  ${id.padEnd(idWidth)}  ${says}`;
    return text.length <= width() ? text : `${text.slice(0, width() - 1)}…`;
  };
  const blocks = topics.map(([topic, operations]) => `${withStyle("bold", topic)}\n${operations.map(line).join("\n")}`);
  return `${blocks.join("\n\n")}\n\n\`kit api OPERATION --help\` prints what an operation takes and returns.`;
}

const isMessage = (node: SchemaNode): boolean => {
  const object = objectIn(node);
  return object?.properties?.text !== undefined && object.properties.code !== undefined;
};

function typeText(node: SchemaNode): string {
  if (isMessage(node)) return "sentence";
  if (node.anyOf !== undefined) return node.anyOf.map(typeText).join(" or ");
  if (node.enum !== undefined) return node.enum.map(String).join(" | ");
  if (node.const !== undefined) return String(node.const);
  if (node.type === "string") return "text";
  if (node.type === "integer") return "whole number";
  if (node.type === "boolean") return "true or false";
  if (node.type === "array") return `list of ${typeText(node.items ?? {})}`;
  return node.type ?? "any value";
}

/** The range of a number, the longest text, or the most elements. */
function limitText(node: SchemaNode): string {
  for (const { minimum, maximum, maxLength, maxItems } of alternatives(node)) {
    if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
    if (minimum !== undefined) return `at least ${minimum}`;
    if (maximum !== undefined) return `at most ${maximum}`;
    if (maxLength !== undefined) return `at most ${maxLength} characters`;
    if (maxItems !== undefined) return `at most ${maxItems}`;
  }
  return "";
}

function fieldText(node: SchemaNode, isRequired: boolean): string {
  const remarks = [
    `${typeText(node)}${isRequired ? ", required" : ""}`,
    // A description with a figure says it already.
    /\d/.test(node.description ?? "") ? "" : limitText(node),
    node.default === undefined ? "" : `default ${node.default}`,
    node.writeOnly ? "a credential: write only its name" : "",
    node.description ?? "",
  ];
  return remarks.filter((remark) => remark !== "").join("; ");
}

/** Yields the members of a schema and those of objects and lists in it, by names such as `bucket.region` or `clips[].id`. */
function* fieldsOf(node: SchemaNode, showsRequired: boolean, prefix = ""): Generator<[name: string, text: string]> {
  const object = objectIn(node);
  const member = object && memberNode(object);
  const members = Object.entries(object?.properties ?? {}).map(([name, each]) => [name, each] as const);
  for (const [name, each] of member === undefined ? members : [...members, ["NAME", member] as const]) {
    yield [`${prefix}${name}`, fieldText(each, showsRequired && object?.required?.includes(name) === true)];
    if (!isMessage(each)) yield* fieldsBelow(each, showsRequired, `${prefix}${name}`);
  }
}

function* fieldsBelow(node: SchemaNode, showsRequired: boolean, name: string): Generator<[string, string]> {
  yield* fieldsOf(node, showsRequired, `${name}.`);
  const list = alternatives(node).find(({ items }) => items !== undefined);
  if (list?.items !== undefined && !isMessage(list.items)) yield* fieldsBelow(list.items, showsRequired, `${name}[]`);
}

function describeReply({ reply, stream, file }: Operation): string {
  if (file !== undefined) return `It returns a file (${file}).`;
  if (reply === undefined) return "It returns nothing.";
  const what = stream ? "It prints a line of JSON for each event, until Ctrl-C:" : "It returns JSON:";
  const fields = [...fieldsOf(reply as SchemaNode, false)];
  return fields.length === 0
    ? `${what}\n  ${fieldText(reply as SchemaNode, false)}`
    : `${what}\n${formatItems(fields)}`;
}

/** Returns the help of an operation. */
export function describeOperation(operation: Operation): string {
  const { id, method, path, says } = operation;
  const taken = inputParts.flatMap((part) => [...fieldsOf(partOf(operation, part) ?? {}, true)]);
  const usage = [`Usage: kit api ${id}`, ...(taken.length > 0 ? ["[name=value...]"] : []), "[options]"].join(" ");
  return [
    usage,
    wrap(says, width()),
    `${method} ${path}`,
    taken.length === 0 ? "It takes nothing." : `It takes:\n${formatItems(taken)}`,
    describeReply(operation),
    "",
  ].join("\n\n");
}
