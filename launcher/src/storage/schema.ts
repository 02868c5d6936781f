// Whether a database from elsewhere is as Kit makes one. It is looked at before any statement runs that something in it could
// answer to: a trigger, a view in place of a table, a computed column.
import { DatabaseSync } from "node:sqlite";
import { UnsoundDatabase } from "./failure.ts";
import { migrate, versionOf } from "./migrate.ts";
import { assertKnown } from "./schema-version.ts";

type Entry = { readonly type: string; readonly name: string; readonly words: string };

const nameCharsMax = 60;
const types = new Set(["table", "index", "trigger", "view"]);

function entriesOf(database: DatabaseSync): Entry[] {
  const rows = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_master").all();
  return rows.map(({ type, name, tbl_name: table, sql }) => ({
    type: String(type),
    name: String(name),
    words: JSON.stringify([type, name, table, sql]),
  }));
}

const shown = ({ type, name }: Entry) =>
  `${types.has(type) ? type : "object"} ${JSON.stringify(name.slice(0, nameCharsMax))}`;

/**
 * Compares its schema with the one that Kit makes up to its own number. Throws UnknownSchema, or UnsoundDatabase that names what is not Kit's, changed or missing.
 */
export async function assertSchema(database: DatabaseSync, migrations: string): Promise<void> {
  const version = versionOf(database);
  assertKnown(version, migrations);
  if (version < 1) throw new UnsoundDatabase("It is no database of Kit.");
  const own = new DatabaseSync(":memory:");
  try {
    await migrate(own, migrations, async () => undefined, version);
    const missing = new Map(entriesOf(own).map((entry) => [entry.name, entry]));
    for (const entry of entriesOf(database)) {
      const expected = missing.get(entry.name);
      if (expected === undefined) throw new UnsoundDatabase(`Its ${shown(entry)} is none of Kit's.`);
      if (expected.words !== entry.words) throw new UnsoundDatabase(`Its ${shown(entry)} is not as Kit makes it.`);
      missing.delete(entry.name);
    }
    for (const entry of missing.values()) throw new UnsoundDatabase(`Its ${shown(entry)} is missing.`);
  } finally {
    own.close();
  }
}
