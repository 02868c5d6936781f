// Checks imports against the layer table (check-layers/table.ts), and reports each violation with its file and import.
import { existsSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, posix } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { report, repositoryRoot } from "./check/findings.ts";
import { isTest, type Source, sourcesIn } from "./check/sources.ts";
import { type Place, placeOf, slices, testsMayImport } from "./check-layers/table.ts";

/** Returns each cycle once as a path, e.g. ["a.ts", "b.ts", "a.ts"]. */
export function cyclesIn(importsOf: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (path: string) => {
    const since = way.indexOf(path);
    if (since >= 0) cycles.push([...way.slice(since), path]);
    if (since >= 0 || done.has(path)) return;
    way.push(path);
    for (const next of importsOf.get(path) ?? []) visit(next);
    way.pop();
    done.add(path);
  };
  for (const path of importsOf.keys()) visit(path);
  return cycles;
}

export type Reading = {
  readonly path: string;
  /** Module specifiers of static, dynamic and type imports. */
  readonly imports: readonly string[];
  readonly readsEnv: boolean;
  /** Writes to the terminal: console.* or process.stdout/stderr. */
  readonly writesOut: boolean;
  readonly writesSql: boolean;
};

type Named = { type: string; name?: string; object?: Named; value?: unknown };

const isName = (node: unknown, name: string) => (node as Named).type === "Identifier" && (node as Named).name === name;

/** Whether the tag is `sql` or a member of it. */
function isSqlTag(tag: Named): boolean {
  return isName(tag, "sql") || (tag.type === "MemberExpression" && tag.object !== undefined && isSqlTag(tag.object));
}

export function readSource({ path, text }: Source): Reading {
  const { program, module } = parseSync(path, text);
  const imports = [...module.staticImports.map((entry) => entry.moduleRequest.value)];
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) imports.push(moduleRequest.value);
  }
  const uses = { readsEnv: false, writesOut: false, writesSql: false };
  const asked = new Set<number>();
  const addLiteral = (node: unknown) => {
    const { type, value } = node as Named;
    if (type === "Literal" && typeof value === "string") imports.push(value);
  };
  new Visitor({
    ImportExpression: ({ source }) => addLiteral(source),
    TSImportType: ({ source }) => addLiteral(source),
    CallExpression({ callee, arguments: given }) {
      if (isName(callee, "require") && given[0]) addLiteral(given[0]);
    },
    MemberExpression({ object, property, start }) {
      // Reading terminal properties is not output.
      if (isName(property, "isTTY") || isName(property, "columns")) asked.add(start);
      if (isName(object, "console")) uses.writesOut = true;
      if (!isName(object, "process")) return;
      if (isName(property, "env")) uses.readsEnv = true;
      if ((isName(property, "stdout") || isName(property, "stderr")) && !asked.has(start)) uses.writesOut = true;
    },
    TaggedTemplateExpression({ tag }) {
      if (isSqlTag(tag as Named)) uses.writesSql = true;
    },
  }).visit(program);
  return { path, imports: [...new Set(imports)], ...uses };
}

/** Workspaces by package name. */
const workspaces: Readonly<Record<string, string>> = {
  "@kit/contract": "contract/src/index.ts",
  "@kit/launcher": "launcher/src/main.ts",
  "@kit/dashboard": "dashboard/src/main.tsx",
};

/** Resolves an import to a file in the tree, or undefined for packages and Node modules. */
function fileOf(importer: string, imported: string): string | undefined {
  if (imported.startsWith(".")) return posix.join(posix.dirname(importer), imported.replace(/\?.*$/, ""));
  const workspace = Object.keys(workspaces).find((name) => imported === name || imported.startsWith(`${name}/`));
  return workspace && workspaces[workspace];
}

const packageOf = (imported: string) => imported.split("/", imported.startsWith("@") ? 2 : 1).join("/");
const isNode = (imported: string) => imported.startsWith("node:") || builtinModules.includes(imported);

function brokenArrow(path: string, imported: string, place: Place): string | undefined {
  const file = fileOf(path, imported);
  if (file !== undefined) {
    const target = placeOf(file);
    if (target === undefined || target === place) return;
    if (place.mayImport.includes(target.name)) {
      if (target.entry === undefined || target.entry === file || isTest(path)) return;
      return `of ${target.name} only its ${posix.basename(target.entry)} may be imported`;
    }
    if (isTest(path) && (testsMayImport[place.name]?.includes(target.name) ?? true)) return;
    const allowed = place.mayImport.length > 0 ? `only ${place.mayImport.join(", ")}` : "nothing of the rest";
    return `${place.name} may not import ${target.name} (it may import ${allowed})`;
  }
  if (isTest(path)) return;
  if (isNode(imported)) return place.node === false ? `${place.name} runs without node: no ${imported}` : undefined;
  if (place.packages && !place.packages.includes(packageOf(imported))) {
    return `${place.name} may import ${place.packages.join(", ") || "no package"}, not ${packageOf(imported)}`;
  }
  return;
}

/** Rules about code other than imports. They apply to the launcher without its tests. */
function brokenWords({ path, readsEnv, writesOut, writesSql }: Reading): string[] {
  if (!path.startsWith("launcher/src/") || isTest(path)) return [];
  const inside = path.replace("launcher/src/", "");
  const broken: string[] = [];
  // main.ts enables the compile cache before it loads any module, including config.ts.
  if (readsEnv && inside !== "config.ts" && inside !== "main.ts") broken.push("only config.ts reads process.env");
  if (writesOut && inside !== "log.ts" && !inside.startsWith("cli/")) {
    broken.push("only log.ts and cli/ write to the terminal");
  }
  if (writesSql && !inside.startsWith("storage/") && !inside.endsWith("-store.ts")) {
    broken.push("outside storage/ SQL is written only in <noun>-store.ts");
  }
  return broken;
}

function brokenIn(reading: Reading): string[] {
  const { path } = reading;
  const place = placeOf(path);
  if (!place) {
    // Files at the root, such as configuration, are exempt.
    return path.includes("/") ? [`${path}: this folder is in no row of check-layers/table.ts`] : [];
  }
  const arrows = reading.imports.flatMap((imported) => {
    const rule = brokenArrow(path, imported, place);
    return rule ? [`${path}: imports "${imported}": ${rule}`] : [];
  });
  return [...arrows, ...brokenWords(reading).map((rule) => `${path}: ${rule}`)];
}

function slicesWithoutReadme(root: string, sources: readonly Source[]): string[] {
  return slices
    .map((slice) => `launcher/src/${slice}/`)
    .filter(
      (folder) => sources.some(({ path }) => path.startsWith(folder)) && !existsSync(join(root, folder, "README.md")),
    )
    .map((folder) => `${folder}: a slice has a README.md: what comes in, what goes out, what it promises`);
}

/** All violations below `root`, one per line. */
export function brokenLayersIn(root: string): string[] {
  const sources = sourcesIn(root);
  const readings = sources.map(readSource);
  const known = new Set(sources.map(({ path }) => path));
  const graph = new Map(
    readings.map(({ path, imports }) => [
      path,
      imports
        .map((imported) => fileOf(path, imported))
        .filter((file) => file !== undefined && known.has(file)) as string[],
    ]),
  );
  return [
    ...readings.flatMap(brokenIn),
    ...slicesWithoutReadme(root, sources),
    ...cyclesIn(graph).map((way) => `${way[0]}: imports itself in a circle: ${way.join(" → ")}`),
  ];
}

if (import.meta.main) {
  report(brokenLayersIn(repositoryRoot));
}
