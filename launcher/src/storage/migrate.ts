// Brings a database to the newest schema: numbered .sql files, forward only, one transaction each, backup first.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { NewerDatabase } from "./failure.ts";

export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();

/** Throws NewerDatabase where these migrations do not reach its schema. */
export function assertNotNewer(database: DatabaseSync, folder: string): void {
  const [version, known] = [versionOf(database), filesIn(folder).length];
  if (version <= known) return;
  throw new NewerDatabase(`The database has schema ${version}; this Kit knows ${known}. Use the newer Kit.`);
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
  assertNotNewer(database, folder);
  const files = filesIn(folder);
  const version = versionOf(database);
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
