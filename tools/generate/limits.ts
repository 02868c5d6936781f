// Reads the API's limits and their comments from contract/src/limits.ts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as contract from "@kit/contract";
import { parseSync } from "oxc-parser";

export type Limit = { readonly name: string; readonly value: number; readonly says: string };

/** All exported limits with their comments. Throws if a limit has no comment. */
export function readLimits(root: string): Limit[] {
  const text = readFileSync(join(root, "contract/src/limits.ts"), "utf8");
  const { program, comments } = parseSync("limits.ts", text);
  return program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration" || statement.declaration?.type !== "VariableDeclaration") return [];
    const declared = statement.declaration.declarations[0]?.id;
    const name = declared?.type === "Identifier" ? declared.name : "";
    const comment = comments.find(({ end }) => text.slice(end, statement.start).trim() === "");
    if (!comment) throw new Error(`contract/src/limits.ts: ${name} says nothing of itself`);
    const says = comment.value.replace(/^\*\s*/, "").trim();
    return [{ name, value: (contract as Record<string, unknown>)[name] as number, says }];
  });
}

const grouped = (value: number) => value.toLocaleString("en-US");

/** Formats the value with the unit in the limit's name, e.g. bytes for bodyBytesMax. */
export function withUnit({ name, value }: Limit): string {
  if (/Bytes/.test(name)) return `${grouped(value)} bytes (${value / 1024} KiB)`;
  if (/Chars/.test(name)) return `${grouped(value)} characters`;
  if (/Ms/.test(name)) return value % 1000 === 0 ? `${value / 1000} s` : `${grouped(value)} ms`;
  return name === "defaultPort" ? String(value) : grouped(value);
}
