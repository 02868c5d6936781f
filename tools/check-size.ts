// Reports files and functions that are too long, because they usually contain more than one idea.
import { parseSync, type Statement, Visitor } from "oxc-parser";
import { report, repositoryRoot } from "./check/findings.ts";
import { isTest, type Source, sourcesIn } from "./check/sources.ts";

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

const fileLinesMax = 400;
const functionLinesMax = 120;

export type Exception = {
  readonly path: string;
  /** A function of the file; the whole file if omitted. */
  readonly function?: string;
  readonly linesMax: number;
  readonly reason: string;
};

const closureReason = "A closure with state that is still to become a class with named methods.";

/** Allowed exceptions with reasons. Unused exceptions are reported. */
const exceptions: readonly Exception[] = [
  {
    path: "bindings/rpgmaker/KitSDK.js",
    linesMax: 650,
    reason:
      "A plugin of RPG Maker is one file: a quarter is the header the editor reads, in two languages; it has three ways to send.",
  },
  {
    path: "dashboard/test/sample-game.ts",
    function: "paintForever",
    linesMax: 185,
    reason: "It is sent to the browser as one function, so all it uses has to be inside.",
  },
  {
    path: "tools/bundle/windows/windows-launcher.alone.test.ts",
    linesMax: 480,
    reason: "Its tests share one Windows, which takes half a minute to make.",
  },
  {
    path: "launcher/test/social/outbox-folder.ts",
    function: "openOutboxFolder",
    linesMax: 146,
    reason: closureReason,
  },
];

function tooLongIn(source: Source, allowed: readonly Exception[]): { finding?: string; used?: Exception }[] {
  const { path, text } = source;
  const measure = (name: string | undefined, lines: number, linesMax: number, finding: string) => {
    if (lines <= linesMax) return {};
    const exception = allowed.find((entry) => entry.path === path && entry.function === name);
    const isAllowed = exception !== undefined && lines <= exception.linesMax;
    return { ...(exception && { used: exception }), ...(isAllowed ? {} : { finding }) };
  };
  const fileLines = text.replace(/\n$/, "").split("\n").length;
  const advice = "split it, or list it with a reason in tools/check-size.ts";
  return [
    measure(undefined, fileLines, fileLinesMax, `${path}: ${fileLines} lines (at most ${fileLinesMax}); ${advice}`),
    ...functionsIn(source).map(({ name, line, lines }) =>
      measure(name, lines, functionLinesMax, `${path}:${line}: ${name} is ${lines} lines long; ${advice}`),
    ),
  ];
}

/** All files and functions below `root` that are too long, one per line. */
export function tooLongBelow(root: string, allowed: readonly Exception[] = exceptions): string[] {
  const results = sourcesIn(root).flatMap((source) => tooLongIn(source, allowed));
  const used = new Set(results.map((result) => result.used));
  const findings = results.flatMap((result) => (result.finding ? [result.finding] : []));
  const unused = allowed.filter((exception) => !used.has(exception));
  return [
    ...findings,
    ...unused.map(
      (entry) => `tools/check-size.ts: ${entry.path} ${entry.function ?? ""} is no longer too long; unlist it`,
    ),
  ];
}

if (import.meta.main) report(tooLongBelow(repositoryRoot));
