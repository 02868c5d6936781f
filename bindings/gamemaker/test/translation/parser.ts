// Stitch's parser and GameMaker's own list of built-ins, loaded from the cache of engines. The types cover only what is used here.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pathOf } from "../../../../tools/engines/locate.ts";

export type Token = { readonly image: string; readonly startLine: number; readonly startOffset: number };
export type Node = {
  readonly name: string;
  readonly children: Readonly<Record<string, readonly (Node | Token)[] | undefined>>;
};

type Parsed = {
  readonly cst: Node;
  readonly errors: readonly { message: string; token?: Token }[];
  readonly lexed: { readonly errors: readonly { message: string; line?: number }[] };
};

export type Diagnostic = {
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
};

type Diagnosed = { readonly filePath: string; readonly diagnostics: readonly Diagnostic[] };
export type Type = { toFeatherString(): string; listParameters?(): Parameter[] };
export type Parameter = { readonly name: string; readonly optional: boolean; readonly type: Type };
export type Project = {
  readonly assets: ReadonlyMap<string, { readonly name: string; readonly assetKind: string }>;
  readonly self: { getMember(name: string): { type: { type: readonly Type[] }; description?: string } | undefined };
};

type Exports = {
  parser: { parse(source: string): Parsed };
  Project: { initialize(path: string, options: { onDiagnostics(found: Diagnosed): void }): Promise<Project> };
  setLogger(logger: object): void;
  Native: { listSpecFiles: unknown; findHelpLinksFile: unknown; fallbackGmlSpecPath: unknown };
};

const folder = () => pathOf("GML parser");
const load = (file: string) => import(pathToFileURL(join(folder(), "dist", file)).href) as Promise<Exports>;

export function parserVersion(): string {
  return (JSON.parse(readFileSync(join(folder(), "package.json"), "utf8")) as { version: string }).version;
}

/** Parses one file. Throws the parser's first error, with its line. */
export async function loadParser(): Promise<(source: string) => Node> {
  const { parser } = await load("parser.js");
  return (source) => {
    const { cst, errors, lexed } = parser.parse(source);
    const first = lexed.errors[0] ?? errors[0];
    if (first === undefined) return cst;
    const line = "line" in first ? first.line : (first as Parsed["errors"][number]).token?.startLine;
    throw new SyntaxError(`GML line ${line}: ${first.message}`);
  };
}

/** Loads a whole project as the parser's editor extension does; returns it with all findings. */
export async function openProject(yyp: string): Promise<{ project: Project; findings: string[] }> {
  const { Project, setLogger } = await load("index.js");
  const { Native } = await load("project.native.js");
  // The parser would ask the web which release the project was made with. The list in the package fits all of them.
  Native.listSpecFiles = async () => [Native.fallbackGmlSpecPath];
  Native.findHelpLinksFile = async () => undefined;
  setLogger({ log() {}, info() {}, debug() {}, warn() {}, error() {} });
  const latest = new Map<string, readonly Diagnostic[]>();
  const project = await Project.initialize(yyp, {
    onDiagnostics: ({ filePath, diagnostics }) => latest.set(filePath, diagnostics),
  });
  const findings = [...latest].flatMap(([path, diagnostics]) =>
    diagnostics
      .filter(({ severity }) => severity !== "info")
      .map(({ severity, message, location: { start } }) => `${path}:${start.line}: ${severity}: ${message}`),
  );
  return { project, findings };
}

export type BuiltIn =
  | { readonly kind: "value" }
  | { readonly kind: "function"; readonly types: readonly string[]; readonly least: number; readonly most: number };

const attribute = (tag: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";

/** The official list: every built-in function with its parameters, and every built-in variable and constant. */
export function loadBuiltIns(): ReadonlyMap<string, BuiltIn> {
  const xml = readFileSync(join(folder(), "assets/GmlSpec.xml"), "utf8");
  const found = new Map<string, BuiltIn>();
  for (const [, name = ""] of xml.matchAll(/<(?:Variable|Constant) Name="([^"]+)"/g))
    found.set(name, { kind: "value" });
  for (const [, head = "", body = ""] of xml.matchAll(/<Function( [^>]*?)(?:\/>|>([\s\S]*?)<\/Function>)/g)) {
    const parameters = [...body.matchAll(/<Parameter( [^>]*)>/g)].map(([, tag = ""]) => ({
      isOpen: attribute(tag, "Name").startsWith("..."),
      isOptional: attribute(tag, "Optional") === "true",
      type: attribute(tag, "Type"),
    }));
    found.set(attribute(head, "Name"), {
      kind: "function",
      types: parameters.map(({ type }) => type),
      least: parameters.filter(({ isOpen, isOptional }) => !isOpen && !isOptional).length,
      most: parameters.some(({ isOpen }) => isOpen) ? Number.MAX_SAFE_INTEGER : parameters.length,
    });
  }
  return found;
}
