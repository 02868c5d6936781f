// Migrates a database to the newest schema: first the files in schema/, then the numbered migrations. Each step is one
// transaction. A backup is made before the first step.
import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { assertKnownSchemaVersion, type SchemaStep, schemaSteps } from "./schema-version.ts";

export function schemaVersionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

/**
 * Runs the missing steps up to schema `upTo`, and returns their number. `migrations` is the folder of migrations, beside the
 * folder of the first schema. `backup` is called once before the first change, unless the database is new.
 */
export async function migrateDatabase(
  database: DatabaseSync,
  migrations: string,
  backup: () => Promise<void>,
  upTo = Number.POSITIVE_INFINITY,
): Promise<number> {
  const current = schemaVersionOf(database);
  assertKnownSchemaVersion(current, migrations);
  const missing = schemaSteps(migrations).filter(({ version }) => version > current && version <= upTo);
  if (missing.length > 0 && current > 0) await backup();
  for (const step of missing) apply(database, step);
  return missing.length;
}

function apply(database: DatabaseSync, { version, files }: SchemaStep): void {
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
