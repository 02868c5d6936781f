// GML expressions as JavaScript. Operators become calls of the runtime, which is as strict as GML.
import { accessorCode } from "./accessors.ts";
import type { Translation } from "./names.ts";
import { binaryCode, levelOf } from "./operators.ts";
import type { Node, Token } from "./parser.ts";
import { childOf, isNode, nodeOf, nodesOf, onlyNodeOf, onlyOf, refuse, tokenOf } from "./tree.ts";

type Operand = { readonly code: string };
type Flat = { readonly items: (Operand | string)[]; readonly ternary: Node | undefined };

/**
 * The parser nests every right side below its left one, regardless of precedence. This lists operands and operators in
 * their order again, with `=`, which compares inside an expression.
 */
function flatten(t: Translation, expression: Node): Flat {
  const primary = childOf(expression, "primaryExpression");
  const accessor = nodeOf(primary, "identifierAccessor");
  const comparison = nodeOf(expression, "assignment") ?? (accessor && nodeOf(accessor, "assignment"));
  const items: (Operand | string)[] = [{ code: primaryCode(t, primary) }];
  const steps: [string, Node][] = nodesOf(expression, "binaryExpression").map((step) => [
    (tokenOf(step, "BinaryOperator") ?? refuse(step, "an operator is missing")).image,
    childOf(step, "assignmentRightHandSide"),
  ]);
  if (comparison !== undefined) {
    const operator = (tokenOf(comparison, "AssignmentOperator") as Token).image;
    if (operator !== "=") refuse(comparison, `${operator} inside an expression`);
    steps.unshift([operator, childOf(comparison, "assignmentRightHandSide")]);
  }
  let ternary = nodeOf(expression, "ternaryExpression");
  for (const [operator, right] of steps) {
    const inner = nodeOf(right, "expression");
    const rest = inner === undefined ? undefined : flatten(t, inner);
    items.push(operator, ...(rest?.items ?? [{ code: rightCode(t, right) }]));
    ternary = rest?.ternary ?? ternary;
  }
  return { items, ternary };
}

/** Applies the precedence of the operators to the list. */
function climb(items: (Operand | string)[], least: number): string {
  let left = (items.shift() as Operand).code;
  while (typeof items[0] === "string" && levelOf(items[0]) >= least) {
    const operator = items.shift() as string;
    left = binaryCode(operator, left, climb(items, levelOf(operator) + 1));
  }
  return left;
}

export function expressionCode(t: Translation, expression: Node): string {
  const { items, ternary } = flatten(t, expression);
  const unknown = items.find((item) => typeof item === "string" && levelOf(item) < 0);
  if (unknown !== undefined) refuse(expression, `operator ${String(unknown)}`);
  const value = climb(items, 0);
  if (ternary === undefined) return value;
  const [yes, no] = nodesOf(ternary, "assignmentRightHandSide");
  if (yes === undefined || no === undefined) return refuse(ternary, "? without both sides");
  return `(rt.bool(${value})?${rightCode(t, yes)}:${rightCode(t, no)})`;
}

/** The right side of an assignment: an expression, a struct or a function. */
export function rightCode(t: Translation, right: Node): string {
  const node = onlyNodeOf(right);
  if (node.name === "expression") return expressionCode(t, node);
  return node.name === "structLiteral" ? structCode(t, node) : t.functionExpression(node);
}

function structCode(t: Translation, literal: Node): string {
  const entries = nodesOf(literal, "structLiteralEntry").map((entry) => {
    const named = tokenOf(entry, "Identifier");
    const key = named ? JSON.stringify(named.image) : stringCode(childOf(entry, "stringLiteral"));
    return `[${key},${rightCode(t, childOf(entry, "assignmentRightHandSide"))}]`;
  });
  return `rt.struct([${entries.join(",")}])`;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", a: "\x07" };

function unescaped(image: string): string {
  const hexadecimal = /^\\[ux]([0-9a-fA-F]+)$/.exec(image)?.[1];
  if (hexadecimal !== undefined) return String.fromCodePoint(Number.parseInt(hexadecimal, 16));
  return image.length === 2 && image.startsWith("\\") ? (escapes[image[1] ?? ""] ?? image.slice(1)) : image;
}

function stringCode(literal: Node): string {
  const parts = (literal.children.Substring ?? []).map((part) => unescaped((part as Token).image));
  return JSON.stringify(parts.join(""));
}

function templateCode(t: Translation, literal: Node): string {
  const texts = (literal.children.Substring ?? []).map((part) => ({
    at: (part as Token).startOffset,
    code: JSON.stringify(unescaped((part as Token).image)),
  }));
  const values = nodesOf(literal, "expression").map((node) => ({
    at: offsetOf(node),
    code: `rt.string(${expressionCode(t, node)})`,
  }));
  const parts = [...texts, ...values].sort((a, b) => a.at - b.at);
  return `(${['""', ...parts.map(({ code }) => code)].join("+")})`;
}

function offsetOf(part: Node | Token): number {
  return isNode(part) ? offsetOf(onlyOf(part)) : part.startOffset;
}

const words: Readonly<Record<string, string>> = { infinity: "Infinity", pi: "Math.PI" };

function numberCode(image: string): string {
  return words[image] ?? image.replaceAll("_", "").replace(/^[$#]/, "0x");
}

const literals: Readonly<Record<string, (t: Translation, node: Node) => string>> = {
  stringLiteral: (_t, node) => stringCode(node),
  templateLiteral: templateCode,
  identifierAccessor: accessorCode,
  parenthesizedExpression: (t, node) => `(${expressionCode(t, childOf(node, "expression"))})`,
  arrayLiteral: (t, node) =>
    `[${nodesOf(node, "assignmentRightHandSide")
      .map((item) => rightCode(t, item))
      .join(",")}]`,
};

function bareCode(t: Translation, primary: Node): string {
  const number = tokenOf(primary, "NumericLiteral");
  if (number) return numberCode(number.image);
  const boolean = tokenOf(primary, "BooleanLiteral");
  if (boolean) return boolean.image;
  if (tokenOf(primary, "Undefined")) return "undefined";
  if (tokenOf(primary, "NaN")) return "NaN";
  for (const [name, code] of Object.entries(literals)) {
    const node = nodeOf(primary, name);
    if (node) return code(t, node);
  }
  return refuse(primary, `${Object.keys(primary.children).join(" ")} is not translated`);
}

function primaryCode(t: Translation, primary: Node): string {
  const value = bareCode(t, primary);
  const prefix = tokenOf(primary, "UnaryPrefixOperator")?.image;
  const suffix = tokenOf(primary, "UnarySuffixOperator")?.image;
  if (suffix !== undefined) return isPlain(value) ? `(rt.num(${value}),${value}${suffix})` : refuse(primary, suffix);
  if (prefix === undefined) return value;
  if (prefix === "!" || prefix === "not") return `(!rt.bool(${value}))`;
  if (prefix.length === 1) return `(${prefix}rt.num(${value}))`;
  return isPlain(value) ? `(rt.num(${value}),${prefix}${value})` : refuse(primary, prefix);
}

/** A local or a static. `++` is supported for these only. */
const isPlain = (code: string) => /^[ls]_\w+$/.test(code);
