// The sentences in a source file, from its syntax tree: each text of several words, with `{{name}}` where a value goes in.
import { parseSync } from "oxc-parser";
import type { Source } from "../check/sources.ts";

type Node = { readonly type: string; readonly [member: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** What takes text that is not for people: a log, SQL, and what looks for a text in another one. */
const notSaid =
  /^(log|notKept|onFailure|prepare|exec|header|headers|set|includes|indexOf|lastIndexOf|startsWith|endsWith|split|RegExp|between|parse)$/u;

/** What a call or a member is called: of `error.message` and `(error as Error).message` it is `message`. */
function nameOf(node: Node): string | undefined {
  if (node.type === "Identifier") return node.name as string;
  if (node.type === "MemberExpression")
    return node.computed ? nameOf(node.object as Node) : nameOf(node.property as Node);
  if (node.type === "CallExpression" || node.type === "NewExpression") return nameOf(node.callee as Node);
  return isNode(node.expression) ? nameOf(node.expression) : undefined;
}

const isText = (node: Node): boolean =>
  node.type === "TemplateLiteral" ||
  (node.type === "Literal" && typeof node.value === "string") ||
  (node.type === "BinaryExpression" &&
    node.operator === "+" &&
    [node.left, node.right].some((side) => isText(side as Node)));

/** Each way of one beginning with each way of the next. */
const joined = (ways: readonly string[][]): string[] =>
  ways.reduce((before, next) => before.flatMap((first) => next.map((second) => first + second)), [""]);

/** What a place in a text can become: of a choice between texts each of them, else a value. */
function waysOf(node: Node): string[] {
  if (node.type === "ParenthesizedExpression") return waysOf(node.expression as Node);
  if (node.type === "ConditionalExpression") {
    return [...new Set([...waysOf(node.consequent as Node), ...waysOf(node.alternate as Node)])];
  }
  if (node.type === "LogicalExpression" && isText(node.right as Node)) {
    return [...waysOf(node.left as Node), ...waysOf(node.right as Node)];
  }
  return isText(node) ? textsOf(node) : [`{{${nameOf(node) ?? "value"}}}`];
}

function textsOf(node: Node): string[] {
  if (node.type === "Literal") return [node.value as string];
  if (node.type === "BinaryExpression") return joined([waysOf(node.left as Node), waysOf(node.right as Node)]);
  const expressions = node.expressions as Node[];
  const quasis = node.quasis as { value: { cooked: string } }[];
  return joined(
    quasis.flatMap(({ value }, at) => {
      const between = expressions[at];
      return between === undefined ? [[value.cooked]] : [[value.cooked], waysOf(between)];
    }),
  );
}

/** Where nothing is said: types, names of members and modules, comparisons, and what `notSaid` takes. */
function saysNothing(node: Node): boolean {
  if (/^(TS(?!As|Satisfies|NonNull)|Import|TaggedTemplate)/u.test(node.type)) return true;
  if (node.type === "BinaryExpression") return node.operator !== "+";
  return /^(Call|New)Expression$/u.test(node.type) && notSaid.test(nameOf(node.callee as Node) ?? "");
}

/** Of a text that was taken whole only what is worked out inside it is left to look at. */
const withinText = (node: Node): unknown[] => {
  if (node.type === "TemplateLiteral") return (node.expressions as Node[]).filter((each) => !isText(each));
  return node.type === "BinaryExpression" ? [node.left, node.right].filter((side) => !isText(side as Node)) : [];
};

/** Every text in the file, of one word or of many. */
export function textsIn({ path, text }: Source): string[] {
  const found: string[] = [];
  const walk = (value: unknown, isTaken = false): void => {
    if (Array.isArray(value)) {
      for (const each of value) walk(each, isTaken);
      return;
    }
    if (!isNode(value) || saysNothing(value)) return;
    if (isText(value)) {
      if (!isTaken) found.push(...textsOf(value));
      for (const inside of withinText(value)) walk(inside, true);
      return;
    }
    // What a text chooses between was taken with it; what it calls is looked at anew.
    const stillTaken = isTaken && /^(Conditional|Logical|Parenthesized)Expression$/u.test(value.type);
    for (const [member, inside] of Object.entries(value)) {
      if (member !== "key") walk(inside, stillTaken && member !== "test");
    }
  };
  walk(parseSync(path, text).program);
  return found;
}

/** Two words at least, or one and a value; no SQL, no header, no text of several lines. */
export function isSentence(text: string): boolean {
  const plain = text.replace(/\{\{\w+\}\}/gu, "0").trim();
  return (
    /(^|[\s(“"`])[\p{L}']{2,}/u.test(plain) &&
    /\p{Ll}{2}/u.test(plain) &&
    plain.includes(" ") &&
    !/\n|^(SELECT|INSERT|UPDATE|DELETE|PRAGMA|VACUUM|BEGIN|COMMIT) |^[\w-]+\/[\w.+-]+[;,]/u.test(plain)
  );
}
