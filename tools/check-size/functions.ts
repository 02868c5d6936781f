// Measures the length of all functions in a source file, including nested functions.
import { parseSync, type Statement, Visitor } from "oxc-parser";
import { isTest, type Source } from "../check/sources.ts";

export type MeasuredFunction = { readonly name: string; readonly line: number; readonly lines: number };

type Node = { type: string; start: number; end: number; name?: string; value?: unknown; expression?: unknown };

const isFunction = (node: Node) => node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression";
const unwrapped = (node: Node): Node =>
  node.type === "ParenthesizedExpression" ? unwrapped(node.expression as Node) : node;

/** Functions whose callbacks are test bodies, which may be long. */
const testWords = /^(describe|suite|test|it|before|after|beforeEach|afterEach)$/;

function firstWordOf(callee: Node & { object?: Node }): string {
  return callee.type === "MemberExpression" && callee.object ? firstWordOf(callee.object) : (callee.name ?? "");
}

/** The function of `(function () {…})()` or `var Plugin = (function () {…})()`. */
function wrapperIn(statement: Statement): Node | undefined {
  const declared = statement.type === "VariableDeclaration" ? statement.declarations[0]?.init : undefined;
  const whole = statement.type === "ExpressionStatement" ? statement.expression : declared;
  if (!whole) return;
  const called = unwrapped(whole as Node) as Node & { callee?: Node };
  return called.type === "CallExpression" && called.callee ? unwrapped(called.callee) : undefined;
}

/** All functions with their lengths, except test bodies and a wrapper around a whole file. */
export function functionsIn({ path, text }: Source): MeasuredFunction[] {
  const { program } = parseSync(path, text);
  const found: Node[] = [];
  const names = new Map<number, string>();
  const leftOut = new Set<number>();
  const name = (key: Node | null, value: Node | null) => {
    if (value && key) names.set(unwrapped(value).start, key.name ?? String(key.value ?? ""));
  };
  const add = (node: Node & { id?: object | null }) => {
    found.push(node);
    name((node.id ?? null) as Node | null, node);
  };
  for (const statement of program.body) {
    const wrapper = wrapperIn(statement);
    if (wrapper) leftOut.add(wrapper.start);
  }
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
    VariableDeclarator: ({ id, init }) => name(id as Node, init as Node | null),
    Property: ({ key, value }) => name(key as Node, value as Node),
    MethodDefinition: ({ key, value }) => name(key as Node, value as Node),
    PropertyDefinition: ({ key, value }) => name(key as Node, value as Node | null),
    AssignmentExpression: ({ left, right }) =>
      name((left as { property?: Node }).property ?? (left as Node), right as Node),
    CallExpression({ callee, arguments: given }) {
      if (!isTest(path) || !testWords.test(firstWordOf(callee as Node))) return;
      for (const argument of given) if (isFunction(argument as Node)) leftOut.add(argument.start);
    },
  }).visit(program);
  const lineAt = lineCounter(text);
  return found
    .filter(({ start }) => !leftOut.has(start))
    .map((node) => ({
      name: names.get(node.start) || "a function without a name",
      line: lineAt(node.start),
      lines: lineAt(node.end) - lineAt(node.start) + 1,
    }));
}

function lineCounter(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    const after = ends.findIndex((end) => end >= offset);
    return (after < 0 ? ends.length : after) + 1;
  };
}
