// A database is brought to the newest schema whole or not at all, with a backup before anything is changed.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { migrations as shipped } from "../../test/storage-folder.ts";
import { NewerDatabase } from "./failure.ts";
import { migrate } from "./migrate.ts";

const folder = mkdtempSync(join(tmpdir(), "kit-migrate-"));
after(() => rmSync(folder, { recursive: true }));

/** A folder of migrations. */
function migrationsOf(name: string, ...texts: string[]): string {
  const path = mkdtempSync(join(folder, `${name}-`));
  for (const [index, text] of texts.entries()) writeFileSync(join(path, `000${index + 1}-step.sql`), text);
  return path;
}

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

/** Counts the backups and looks at what the database held when each was made. */
function backups(database: DatabaseSync) {
  const versions: unknown[] = [];
  const backup = async () => {
    versions.push(versionOf(database));
  };
  return { versions, backup };
}

test("a new database gets every migration in order, and needs no backup", async () => {
  const database = new DatabaseSync(":memory:");
  const { versions, backup } = backups(database);
  assert.equal(await migrate(database, migrationsOf("new", first, second, third), backup), 3);
  assert.equal(versionOf(database), 3);
  assert.deepEqual(eventsIn(database), [{ id: "kept", kind: "recording" }]);
  assert.deepEqual(versions, []);
});

test("an older database gets what is missing, after one backup of what it was", async () => {
  const database = new DatabaseSync(":memory:");
  const { versions, backup } = backups(database);
  await migrate(database, migrationsOf("one", first), backup);
  assert.equal(await migrate(database, migrationsOf("three", first, second, third), backup), 2);
  assert.deepEqual(versions, [1]);
  assert.deepEqual(eventsIn(database), [{ id: "kept", kind: "recording" }]);
});

test("a database that is new enough is left alone", async () => {
  const database = new DatabaseSync(":memory:");
  const { versions, backup } = backups(database);
  const path = migrationsOf("same", first, second);
  await migrate(database, path, backup);
  assert.equal(await migrate(database, path, backup), 0);
  assert.deepEqual(versions, []);
});

test("a migration that fails is rolled back whole, and the ones after it do not run", async () => {
  const database = new DatabaseSync(":memory:");
  const { backup } = backups(database);
  await migrate(database, migrationsOf("good", first), backup);
  await assert.rejects(migrate(database, migrationsOf("bad", first, second, broken, third), backup), /nowhere/);
  assert.equal(versionOf(database), 2, "the ones before it stand");
  assert.deepEqual(eventsIn(database), [{ id: "kept", kind: null }]);
  assert.equal(database.isTransaction, false);
  assert.equal(await migrate(database, migrationsOf("mended", first, second, third), backup), 1);
});

test("without a backup nothing is changed", async () => {
  const database = new DatabaseSync(":memory:");
  await migrate(database, migrationsOf("before", first), async () => {});
  const fail = () => Promise.reject(new Error("The disk is full."));
  await assert.rejects(migrate(database, migrationsOf("after", first, second), fail), /full/);
  assert.equal(versionOf(database), 1);
  assert.deepEqual(eventsIn(database), [{ id: "kept" }]);
});

test("a database of a newer Kit is refused and not touched", async () => {
  const database = new DatabaseSync(":memory:");
  const { versions, backup } = backups(database);
  await migrate(database, migrationsOf("newer", first, second), backup);
  await assert.rejects(migrate(database, migrationsOf("older", first), backup), (error: Error) => {
    assert.ok(error instanceof NewerDatabase);
    assert.match(error.message, /newer Kit.*schema 2.*knows 1/);
    return true;
  });
  assert.deepEqual([versions, versionOf(database)], [[], 2]);
});

test("the migrations that are shipped run on a new database", async () => {
  const database = new DatabaseSync(":memory:");
  assert.ok((await migrate(database, shipped, async () => {})) >= 3);
  assert.deepEqual(
    database
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => ({ ...row })),
    [{ integrity_check: "ok" }],
  );
});
