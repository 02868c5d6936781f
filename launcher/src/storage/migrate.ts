// Brings a database to the newest schema: numbered .sql files, forward only, one transaction each, backup first.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { assertKnown, migrationsIn } from "./schema-version.ts";

export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

/**
 * Applies what is missing and returns how many migrations ran.
 * `backup` is called once, before the first change to a database that holds something already. `upTo`: to an older schema.
 */
export async function migrate(
  database: DatabaseSync,
  folder: string,
  backup: () => Promise<void>,
  upTo = Number.POSITIVE_INFINITY,
): Promise<number> {
  const files = migrationsIn(folder);
  const version = versionOf(database);
  assertKnown(version, files.length);
  const missing = files.slice(version, upTo);
  if (missing.length > 0 && version > 0) await backup();
  for (const [index, name] of missing.entries()) apply(database, join(folder, name), version + index + 1);
  return missing.length;
}

function apply(database: DatabaseSync, file: string, version: number): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    database.exec(readFileSync(file, "utf8"));
    database.exec(`PRAGMA user_version = ${version}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
