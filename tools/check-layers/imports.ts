// Reads the imports of a source file, and its use of restricted globals, from its syntax tree.
import { parseSync, Visitor } from "oxc-parser";
import type { Source } from "../check/sources.ts";

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
