// Damages one page of a closed database.
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { DataDir } from "../../src/storage/data-dir.ts";

const pageBytes = 4_096;

/** Which page is damaged: of a table or index, by its name or a number from 0 to 1, and which of its pages, as such a number. */
export type Damage = {
  readonly kind: "zero" | "noise" | "cut";
  readonly tree: number | string;
  readonly share: number;
};

/** Damages the closed database. Returns what it did. */
export function damageDatabase({ database: path }: DataDir, { kind, tree, share }: Damage): string {
  const database = new DatabaseSync(path);
  const trees = database.prepare("SELECT name, group_concat(pageno) AS pages FROM dbstat GROUP BY name").all();
  database.close();
  const at = typeof tree === "number" ? Math.floor(tree * trees.length) : trees.findIndex(({ name }) => name === tree);
  const { name, pages } = trees[at] ?? {};
  const numbers = String(pages).split(",").map(Number);
  const page = numbers[Math.floor(share * numbers.length)] ?? 1;
  const from = (page - 1) * pageBytes;
  const file = openSync(path, "r+");
  if (kind === "cut") ftruncateSync(file, from);
  else writeSync(file, Buffer.alloc(pageBytes, kind === "zero" ? 0 : 0xa7), 0, pageBytes, from);
  closeSync(file);
  return `${kind} page ${page} of ${name}`;
}
