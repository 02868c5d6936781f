// The numbers of the wire with what contract/src/limits.ts says of each, for the documents.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as contract from "@kit/contract";
import { parseSync } from "oxc-parser";

export type Limit = { readonly name: string; readonly value: number; readonly says: string };

/** Every exported number of the file with the comment above it. A number without one is an error. */
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

/** The value with its unit, which the name carries: bodyBytesMax is in bytes. */
export function withUnit({ name, value }: Limit): string {
  if (/Bytes/.test(name)) return `${grouped(value)} bytes (${value / 1024} KiB)`;
  if (/Chars/.test(name)) return `${grouped(value)} characters`;
  if (/Ms/.test(name)) return value % 1000 === 0 ? `${value / 1000} s` : `${grouped(value)} ms`;
  return name === "defaultPort" ? String(value) : grouped(value);
}
