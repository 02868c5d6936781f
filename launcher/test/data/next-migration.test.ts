// Tests that the next migration only needs one more file beside the released schemas.
import assert from "node:assert/strict";
import { copyFileSync, cpSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { insertEvent } from "../../src/inbox/inbox-store.ts";
import { UnknownSchema } from "../../src/storage/failure.ts";
import { assertSchema, schemaSteps, schemaVersionOf } from "../../src/storage/schema.ts";
import { sql } from "../../src/storage/sql.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { runDatabaseFileTask } from "../../src/storage/threads/database-file-task.ts";
import { makeDataDir, migrations, removeDataDir, schemaFolder } from "../support/storage-folder.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const newest = Number(schemaSteps(migrations).at(-1)?.version);
const folder = temporaryFolder("next");
/** The released migrations and one more file. */
const next = join(folder, "migrations");
cpSync(schemaFolder, join(folder, "schema"), { recursive: true });
cpSync(migrations, next, { recursive: true });
writeFileSync(join(next, `${newest + 1}-colour.sql`), "ALTER TABLE event ADD COLUMN colour TEXT DEFAULT 'red';");

const event = {
  ...({ id: "kept", kind: "recording", eventId: "e", payload: "{}", actsOnMs: 1, receivedAtMs: 1 } as const),
  ...({ status: "accepted", reason: null, notes: [], origin: null, client: null } as const),
};

const versionIn = (path: string) => {
  using database = new DatabaseSync(path, { readOnly: true });
  return schemaVersionOf(database);
};

test("a database of the released schema is migrated to the next one after a backup, and keeps its events", async (t) => {
  const dir = makeDataDir();
  t.onTestFinished(() => removeDataDir(dir));
  const shipped = await openStorage(dir, migrations, () => undefined);
  await shipped.write(insertEvent(event));
  await shipped.close();
  assert.equal(versionIn(dir.database), newest);
  const migrated = await openStorage(dir, next, () => undefined);
  const rows = await migrated.read(sql`SELECT id, colour FROM event`);
  await migrated.close();
  assert.deepEqual(rows, [{ id: "kept", colour: "red" }]);
  assert.equal(versionIn(dir.database), newest + 1);
  const [backup] = readdirSync(dir.backups).filter((name) => name.endsWith(".db"));
  assert.equal(versionIn(join(dir.backups, String(backup))), newest);
  using database = new DatabaseSync(dir.database, { readOnly: true });
  await assertSchema(database, next);
});

test("a new database has the same schema as one that was migrated", async (t) => {
  const dir = makeDataDir();
  t.onTestFinished(() => removeDataDir(dir));
  await (await openStorage(dir, next, () => undefined)).close();
  assert.equal(existsSync(dir.backups), false);
  using database = new DatabaseSync(dir.database, { readOnly: true });
  await assertSchema(database, next);
});

test("a Kit without the next migration refuses its database and does not change it", async (t) => {
  const dir = makeDataDir();
  t.onTestFinished(() => removeDataDir(dir));
  await (await openStorage(dir, next, () => undefined)).close();
  const refused = new RegExp(`newer Kit: it has schema ${newest + 1}, and this Kit knows schemas up to ${newest}`);
  await assert.rejects(
    openStorage(dir, migrations, () => undefined),
    (error: Error) => error instanceof UnknownSchema && refused.test(error.message),
  );
  assert.equal(versionIn(dir.database), newest + 1);
});

async function ready(dir: ReturnType<typeof makeDataDir>, plant = "") {
  await (await openStorage(dir, migrations, () => undefined)).close();
  const backup = join(dir.path, "old-backup.db");
  copyFileSync(dir.database, backup);
  const database = new DatabaseSync(backup);
  database.exec(plant);
  database.close();
  const at = join(dir.path, "ready.db");
  const done = await runDatabaseFileTask({ type: "prepare", at, copyOf: backup, migrations: next, statements: [] });
  return done.path;
}

test("a backup of the released schema is restored by a Kit with the next one", async (t) => {
  const dir = makeDataDir();
  t.onTestFinished(() => removeDataDir(dir));
  assert.equal(versionIn(await ready(dir)), newest + 1);
});

test("a planted trigger in a backup of the released schema is found before the next migration writes", async (t) => {
  const dir = makeDataDir();
  t.onTestFinished(() => removeDataDir(dir));
  const plant = "CREATE TABLE ran (a); CREATE TRIGGER more AFTER INSERT ON event BEGIN INSERT INTO ran VALUES (1); END";
  await assert.rejects(ready(dir, plant), /(ran|more)/);
});
