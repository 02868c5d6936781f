// Verifies that a database from elsewhere has exactly Kit's schema, before running statements that could activate a foreign
// trigger, view or computed column.

import { DatabaseSync } from "node:sqlite";
import { message } from "@kit/contract/messages";
import { InvalidDatabase } from "./failure.ts";
import { migrateDatabase, schemaVersionOf } from "./migrate.ts";
import { assertKnownSchemaVersion } from "./schema-version.ts";

type Entry = { readonly type: string; readonly name: string; readonly definition: string };

const nameCharsMax = 60;
const types = new Set(["table", "index", "trigger", "view"]);

function readSchema(database: DatabaseSync): Entry[] {
  const rows = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_master").all();
  return rows.map(({ type, name, tbl_name: table, sql }) => ({
    type: String(type),
    name: String(name),
    definition: JSON.stringify([type, name, table, sql]),
  }));
}

const entryText = ({ type, name }: Entry) =>
  `${types.has(type) ? type : "object"} ${JSON.stringify(name.slice(0, nameCharsMax))}`;

/**
 * Compares the database with Kit's schema of the same version. Throws UnknownSchema, or InvalidDatabase with the name of a
 * foreign, changed or missing object.
 */
export async function assertSchema(database: DatabaseSync, migrations: string): Promise<void> {
  const version = schemaVersionOf(database);
  assertKnownSchemaVersion(version, migrations);
  if (version < 1) throw new InvalidDatabase(message("storage.not_kits"));
  const own = new DatabaseSync(":memory:");
  try {
    await migrateDatabase(own, migrations, async () => undefined, version);
    const missing = new Map(readSchema(own).map((entry) => [entry.name, entry]));
    for (const entry of readSchema(database)) {
      const expected = missing.get(entry.name);
      if (expected === undefined)
        throw new InvalidDatabase(message("storage.foreign_part", { part: entryText(entry) }));
      if (expected.definition !== entry.definition)
        throw new InvalidDatabase(message("storage.other_part", { part: entryText(entry) }));
      missing.delete(entry.name);
    }
    for (const entry of missing.values())
      throw new InvalidDatabase(message("storage.missing_part", { part: entryText(entry) }));
  } finally {
    own.close();
  }
}
