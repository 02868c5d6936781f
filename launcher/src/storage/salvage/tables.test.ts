// Tests of salvage rules: every table has one.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { migrations } from "../../../test/support/storage-folder.ts";
import { migrateDatabase } from "../schema.ts";
import { salvageRules } from "./tables.ts";

test("every table has a salvage rule", async () => {
  const database = new DatabaseSync(":memory:");
  await migrateDatabase(database, migrations, async () => undefined);
  const tables = database
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')")
    .all();
  database.close();
  const names = tables.map(({ name }) => String(name)).filter((name) => name !== "sqlite_schema");
  assert.deepEqual(names.sort(), Object.keys(salvageRules).sort());
});
