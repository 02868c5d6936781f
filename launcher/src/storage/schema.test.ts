// Tests of migrations: a database gets the newest schema completely or not at all, after a backup.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, test } from "vitest";
import { schemaFolder, migrations as shipped } from "../../test/support/storage-folder.ts";
import { UnknownSchema } from "./failure.ts";
import { migrateDatabase, schemaSteps } from "./schema.ts";

const folder = mkdtempSync(join(tmpdir(), "kit-migrate-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a folder of migrations beside a schema with these files. */
function besideSchema(name: string, schema: Readonly<Record<string, string>>, ...texts: string[]): string {
  const path = mkdtempSync(join(folder, `${name}-`));
  for (const inside of ["schema", "migrations"]) mkdirSync(join(path, inside));
  for (const [file, text] of Object.entries(schema)) writeFileSync(join(path, "schema", file), text);
  for (const [index, text] of texts.entries()) writeFileSync(join(path, "migrations", `${101 + index}-step.sql`), text);
  return join(path, "migrations");
}

/** The first text is the schema, the others are migrations. */
const migrationsOf = (name: string, text: string, ...texts: string[]) =>
  besideSchema(name, { "journal.sql": text }, ...texts);

const first = "CREATE TABLE event (id TEXT); INSERT INTO event VALUES ('kept');";
const second = "ALTER TABLE event ADD COLUMN kind TEXT;";
const third = "UPDATE event SET kind = 'recording';";
const broken = "ALTER TABLE event ADD COLUMN half TEXT; DELETE FROM event; ALTER TABLE nowhere ADD COLUMN x;";

const versionOf = (database: DatabaseSync) => database.prepare("PRAGMA user_version").get()?.user_version;
const eventsIn = (database: DatabaseSync) =>
  database
    .prepare("SELECT * FROM event")
    .all()
    .map((row) => ({ ...row }));

/** Records the schema version of the database at each backup. */
function backups(database: DatabaseSync) {
  const versions: unknown[] = [];
  const backup = async () => {
    versions.push(versionOf(database));
  };
  return { versions, backup };
}

test("a new database gets the schema and every migration in order, without a backup", async () => {
  const database = new DatabaseSync(":memory:");
  const { versions, backup } = backups(database);
  assert.equal(await migrateDatabase(database, migrationsOf("new", first, second, third), backup), 3);
  assert.equal(versionOf(database), 102);
  assert.deepEqual(eventsIn(database), [{ id: "kept", kind: "recording" }]);
  assert.deepEqual(versions, []);
});

test("an older database gets the missing migrations after one backup", async () => {
  const database = new DatabaseSync(":memory:");
  const { versions, backup } = backups(database);
  await migrateDatabase(database, migrationsOf("one", first), backup);
  assert.equal(await migrateDatabase(database, migrationsOf("three", first, second, third), backup), 2);
  assert.deepEqual(versions, [100]);
  assert.deepEqual(eventsIn(database), [{ id: "kept", kind: "recording" }]);
});

test("a database with the newest schema is not changed", async () => {
  const database = new DatabaseSync(":memory:");
  const { versions, backup } = backups(database);
  const path = migrationsOf("same", first, second);
  await migrateDatabase(database, path, backup);
  assert.equal(await migrateDatabase(database, path, backup), 0);
  assert.deepEqual(versions, []);
});

test("a failed migration is rolled back completely, and later ones do not run", async () => {
  const database = new DatabaseSync(":memory:");
  const { backup } = backups(database);
  await migrateDatabase(database, migrationsOf("good", first), backup);
  await assert.rejects(migrateDatabase(database, migrationsOf("bad", first, second, broken, third), backup), /nowhere/);
  assert.equal(versionOf(database), 101, "earlier migrations stay");
  assert.deepEqual(eventsIn(database), [{ id: "kept", kind: null }]);
  assert.equal(database.isTransaction, false);
  assert.equal(await migrateDatabase(database, migrationsOf("mended", first, second, third), backup), 1);
});

test("if the backup fails, nothing is changed", async () => {
  const database = new DatabaseSync(":memory:");
  await migrateDatabase(database, migrationsOf("before", first), async () => {});
  const fail = () => Promise.reject(new Error("The disk is full."));
  await assert.rejects(migrateDatabase(database, migrationsOf("after", first, second), fail), /full/);
  assert.equal(versionOf(database), 100);
  assert.deepEqual(eventsIn(database), [{ id: "kept" }]);
});

test("a database of a newer Kit is refused and not changed", async () => {
  const database = new DatabaseSync(":memory:");
  const { versions, backup } = backups(database);
  await migrateDatabase(database, migrationsOf("newer", first, second), backup);
  await assert.rejects(migrateDatabase(database, migrationsOf("older", first), backup), (error: Error) => {
    assert.ok(error instanceof UnknownSchema);
    assert.match(error.message, /newer Kit.*schema 101.*up to 100/);
    return true;
  });
  assert.deepEqual([versions, versionOf(database)], [[], 101]);
});

for (const version of [1, 20, 99]) {
  test(`a database of a development build, with schema ${version}, is refused and not changed`, async () => {
    const database = new DatabaseSync(":memory:");
    database.exec(`CREATE TABLE event (id TEXT); PRAGMA user_version = ${version}`);
    const { versions, backup } = backups(database);
    await assert.rejects(migrateDatabase(database, migrationsOf("old", first, second), backup), (error: Error) => {
      assert.ok(error instanceof UnknownSchema);
      assert.match(
        error.message,
        new RegExp(`schema number is ${version}\\..*development builds before Kit 0\\.1\\.0`),
      );
      return true;
    });
    assert.deepEqual([versions, versionOf(database), eventsIn(database)], [[], version, []]);
  });
}

test("the schema files run in the order of their names, all of them or none", async () => {
  const database = new DatabaseSync(":memory:");
  const { backup } = backups(database);
  const files = { "b.sql": "CREATE INDEX by_id ON event (id);", "a.sql": first, "notes.txt": "no SQL" };
  const broken = besideSchema("half", { ...files, "c.sql": "CREATE INDEX lost ON nowhere (x);" });
  await assert.rejects(migrateDatabase(database, broken, backup), /nowhere/);
  assert.equal(versionOf(database), 0);
  assert.equal(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n, 0);
  assert.equal(await migrateDatabase(database, besideSchema("whole", files), backup), 1);
  assert.deepEqual([versionOf(database), eventsIn(database)], [100, [{ id: "kept" }]]);
});

test("a missing migrations folder counts as empty", async () => {
  const database = new DatabaseSync(":memory:");
  const path = migrationsOf("alone", first);
  rmSync(path, { recursive: true });
  assert.equal(await migrateDatabase(database, path, async () => {}), 1);
  assert.equal(versionOf(database), 100);
});

test("the released schema and migrations run on a new database", async () => {
  const database = new DatabaseSync(":memory:");
  const steps = schemaSteps(shipped);
  assert.equal(await migrateDatabase(database, shipped, async () => {}), steps.length);
  assert.equal(versionOf(database), steps.at(-1)?.version);
  assert.deepEqual(
    database
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => ({ ...row })),
    [{ integrity_check: "ok" }],
  );
});

test("the name of a released migration has its schema number", () => {
  const names = readdirSync(shipped).filter((name) => name.endsWith(".sql"));
  for (const [index, name] of names.toSorted().entries()) assert.match(name, new RegExp(`^${101 + index}-`));
  assert.ok(readdirSync(schemaFolder).includes("inbox.sql"));
});
