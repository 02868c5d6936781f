// Brings a database to the newest schema: the files in schema/, then one numbered .sql file a migration, forward only. Each step is
// one transaction, and a backup comes first.
import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { assertKnown, type Step, stepsOf } from "./schema-version.ts";

export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

/**
 * Applies what is missing and returns how many steps ran. `migrations` is the folder of migrations; the first schema lies beside it.
 * `backup` is called once, before the first change to a database that holds something already. `upTo`: the newest schema to apply.
 */
export async function migrate(
  database: DatabaseSync,
  migrations: string,
  backup: () => Promise<void>,
  upTo = Number.POSITIVE_INFINITY,
): Promise<number> {
  const current = versionOf(database);
  assertKnown(current, migrations);
  const missing = stepsOf(migrations).filter(({ version }) => version > current && version <= upTo);
  if (missing.length > 0 && current > 0) await backup();
  for (const step of missing) apply(database, step);
  return missing.length;
}

function apply(database: DatabaseSync, { version, files }: Step): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const file of files) database.exec(readFileSync(file, "utf8"));
    database.exec(`PRAGMA user_version = ${version}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
