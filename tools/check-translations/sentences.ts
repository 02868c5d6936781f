// Extracts sentences from a source file: texts of several words, with `{{name}}` for each inserted value.
import { parseSync } from "oxc-parser";
import type { Source } from "../check/sources.ts";

type Node = { readonly type: string; readonly [member: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Functions whose texts are not for people, such as logs, SQL and searches. */
const notSaid =
  /^(log|operationFailed|onFailure|prepare|exec|header|headers|set|includes|indexOf|lastIndexOf|startsWith|endsWith|split|RegExp|between|parse)$/u;

/** The last name in an expression: `message` for `error.message` and `(error as Error).message`. */
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

/** All combinations of the alternatives. */
const joined = (ways: readonly string[][]): string[] =>
  ways.reduce((before, next) => before.flatMap((first) => next.map((second) => first + second)), [""]);

/** Alternatives for an inserted expression: each text of a conditional, otherwise a placeholder. */
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

/** Nodes without sentences: types, member and module names, comparisons, and arguments of `notSaid` functions. */
function saysNothing(node: Node): boolean {
  if (/^(TS(?!As|Satisfies|NonNull)|Import|TaggedTemplate)/u.test(node.type)) return true;
  if (node.type === "BinaryExpression") return node.operator !== "+";
  return /^(Call|New)Expression$/u.test(node.type) && notSaid.test(nameOf(node.callee as Node) ?? "");
}

/** The inserted expressions of a text, which may contain further sentences. */
const withinText = (node: Node): unknown[] => {
  if (node.type === "TemplateLiteral") return (node.expressions as Node[]).filter((each) => !isText(each));
  return node.type === "BinaryExpression" ? [node.left, node.right].filter((side) => !isText(side as Node)) : [];
};

/** All texts in the file. */
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
    // Alternatives were already extracted with the text; calls inside it are searched.
    const stillTaken = isTaken && /^(Conditional|Logical|Parenthesized)Expression$/u.test(value.type);
    for (const [member, inside] of Object.entries(value)) {
      if (member !== "key") walk(inside, stillTaken && member !== "test");
    }
  };
  walk(parseSync(path, text).program);
  return found;
}

/** Whether the text has at least two words, or a word and a value, and is not SQL, a header or multi-line. */
export function isSentence(text: string): boolean {
  const plain = text.replace(/\{\{\w+\}\}/gu, "0").trim();
  return (
    /(^|[\s(“"`])[\p{L}']{2,}/u.test(plain) &&
    /\p{Ll}{2}/u.test(plain) &&
    plain.includes(" ") &&
    !/\n|^(SELECT|INSERT|UPDATE|DELETE|PRAGMA|VACUUM|BEGIN|COMMIT) |^[\w-]+\/[\w.+-]+[;,]/u.test(plain)
  );
}
