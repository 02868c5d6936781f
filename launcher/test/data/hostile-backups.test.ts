// Tests of hostile database files: a backup with anything that Kit did not create is refused before SQLite runs any of it.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Backup } from "@kit/contract";
import { launcherOfFile } from "../support/own-launcher.ts";
import { schemaFolder } from "../support/storage-folder.ts";

const launcher = await launcherOfFile();
const event = await launcher.trigger("saga_first", "social");
const genuine = (await launcher.api("POST", "/api/backups")).json<Backup>().name;

type Plant = (database: DatabaseSync) => void;
const runs =
  (...statements: readonly string[]): Plant =>
  (database) =>
    database.exec(statements.join(";"));
/** Writes the text of the schema itself, as a hostile program would. */
const rewrites = (statement: string): Plant =>
  runs("PRAGMA writable_schema = ON", statement, "PRAGMA writable_schema = RESET");

/** What is planted in a backup of this very launcher, and what the refusal has to name. */
const plants: readonly (readonly [what: string, plant: Plant, named: RegExp])[] = [
  [
    "a trigger that opens a session",
    runs(
      "CREATE TRIGGER again AFTER DELETE ON session BEGIN INSERT INTO session VALUES (OLD.cookie_hash, 'x', 1, 1); END",
    ),
    /trigger \\"again\\"/,
  ],
  [
    "a trigger that deletes events",
    runs("CREATE TRIGGER lost AFTER INSERT ON event BEGIN DELETE FROM event; END"),
    /trigger \\"lost\\"/,
  ],
  [
    "a trigger of Kit's with other words",
    runs("DROP TRIGGER event_came", "CREATE TRIGGER event_came AFTER INSERT ON event BEGIN DELETE FROM event; END"),
    /trigger \\"event_came\\"/,
  ],
  ["a trigger of Kit's that is missing", runs("DROP TRIGGER issue_gone"), /trigger \\"issue_gone\\"/],
  [
    "a view in place of a table",
    runs("DROP TABLE wipe", "CREATE VIEW wipe AS SELECT game, 0 AS due_ms FROM game"),
    /wipe/,
  ],
  ["a table more", runs("CREATE TABLE more (a)"), /table \\"more\\"/],
  ["a view more", runs("CREATE VIEW more AS SELECT 1"), /view \\"more\\"/],
  ["an index with an expression", runs("CREATE INDEX more ON event (lower(id))"), /index \\"more\\"/],
  ["a virtual table", runs("CREATE VIRTUAL TABLE more USING fts5(a)"), /more/],
  [
    "a column that is computed",
    runs("ALTER TABLE session ADD COLUMN more TEXT AS (lower(cookie_hash))"),
    /table \\"session\\"/,
  ],
  [
    "another check",
    rewrites(
      "UPDATE sqlite_master SET sql = replace(sql, 'kind IN (''recording'',', 'kind IN (''x'', ''recording'',') WHERE name = 'event'",
    ),
    /table \\"event\\"/,
  ],
  [
    "another default",
    rewrites(
      "UPDATE sqlite_master SET sql = replace(sql, 'registered       INTEGER NOT NULL DEFAULT 0', 'registered       INTEGER NOT NULL DEFAULT 1') WHERE name = 'game'",
    ),
    /table \\"game\\"/,
  ],
  [
    "a table that is not strict",
    rewrites("UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')') WHERE name = 'receipt'"),
    /table \\"receipt\\"/,
  ],
  [
    "an entry without words",
    rewrites("INSERT INTO sqlite_master VALUES ('table', 'more', 'more', 0, NULL)"),
    /Nothing was changed/,
  ],
  ["a name with a terminal's commands", runs('CREATE TABLE "\u001b[2J\u001b[31m" (a)'), /\\\\u001b/],
  ["a development build's number", runs("PRAGMA user_version = 5"), /Its schema number is 5/],
];

async function refused(name: string): Promise<string> {
  const path = join(launcher.dataDir, "backups", name);
  const bytes = readFileSync(path);
  const pid = launcher.process().pid;
  const reply = await launcher.api("POST", `/api/backups/${name}/restore`);
  assert.equal(reply.status, 422, reply.text);
  assert.match(reply.text, /Nothing was changed/);
  assert.deepEqual(readFileSync(path), bytes, "the file itself is as it was");
  assert.equal((await launcher.api("GET", `/api/events/${event}`)).status, 200);
  assert.deepEqual((await launcher.api("GET", "/api/aside")).json(), { aside: [] });
  assert.equal(launcher.process().pid, pid);
  return reply.text;
}

for (const [what, plant, named] of plants) {
  test(`a backup with ${what} is refused by name`, async () => {
    const [from, to] = [genuine, "hostile-own.db"].map((name) => join(launcher.dataDir, "backups", name));
    copyFileSync(String(from), String(to));
    const database = new DatabaseSync(String(to));
    database.enableDefensive(false);
    plant(database);
    database.close();
    assert.match(await refused("hostile-own.db"), named);
  });
}

const others: readonly (readonly [what: string, write: (path: string) => void])[] = [
  ["a text", (path) => writeFileSync(path, "no database at all ".repeat(1_000))],
  ["an empty file", (path) => writeFileSync(path, "")],
  ["another program's database", (path) => new DatabaseSync(path).exec("CREATE TABLE other (a)")],
  [
    "another program's database with a number",
    (path) => new DatabaseSync(path).exec("CREATE TABLE other (a); PRAGMA user_version = 100"),
  ],
  ["a negative number", (path) => new DatabaseSync(path).exec("CREATE TABLE other (a); PRAGMA user_version = -3")],
  ["a newer Kit's", (path) => new DatabaseSync(path).exec("CREATE TABLE other (a); PRAGMA user_version = 9999")],
  [
    "a torn backup",
    (path) => writeFileSync(path, readFileSync(join(launcher.dataDir, "backups", genuine)).subarray(0, 40_000)),
  ],
  [
    "half a schema",
    (path) =>
      new DatabaseSync(path).exec(
        `${readFileSync(join(schemaFolder, "inbox.sql"), "utf8")}; PRAGMA user_version = 100`,
      ),
  ],
];
for (const [what, write] of others) {
  test(`${what} is refused`, async () => {
    const path = join(launcher.dataDir, "backups", "other-own.db");
    rmSync(path, { force: true });
    write(path);
    await refused("other-own.db");
  });
}

test("what was set aside goes the same way", async () => {
  const folder = join(launcher.dataDir, "aside", "2026-01-01T00-00-00.000Z-restored");
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(launcher.dataDir, "backups", genuine), join(folder, "kit.db"));
  const database = new DatabaseSync(join(folder, "kit.db"));
  database.exec("CREATE TRIGGER more AFTER DELETE ON session BEGIN DELETE FROM event; END");
  database.close();
  const reply = await launcher.api("POST", "/api/aside/2026-01-01T00-00-00.000Z-restored/restore");
  assert.equal(reply.status, 422, reply.text);
  assert.match(reply.text, /trigger \\"more\\"/);
  assert.equal((await launcher.api("GET", `/api/events/${event}`)).status, 200);
});
