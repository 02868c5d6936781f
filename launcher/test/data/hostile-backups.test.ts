// Tests of hostile database files: a backup with anything that Kit did not create is refused before SQLite runs any of it.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Backup } from "@kit/contract";
import { test } from "vitest";
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
/** Rewrites the schema directly, as a hostile program would. */
const rewrites = (statement: string): Plant =>
  runs("PRAGMA writable_schema = ON", statement, "PRAGMA writable_schema = RESET");

/** What is planted in the launcher's own backup, and what the refusal must name. */
const plants: readonly (readonly [content: string, plant: Plant, named: RegExp])[] = [
  [
    "a trigger that opens a session",
    runs("CREATE TRIGGER again AFTER DELETE ON session BEGIN INSERT INTO session VALUES (OLD.cookie_hash, 1, 1); END"),
    /trigger \\"again\\"/,
  ],
  [
    "a trigger that deletes events",
    runs("CREATE TRIGGER lost AFTER INSERT ON event BEGIN DELETE FROM event; END"),
    /trigger \\"lost\\"/,
  ],
  [
    "a changed trigger of Kit",
    runs("DROP TRIGGER event_came", "CREATE TRIGGER event_came AFTER INSERT ON event BEGIN DELETE FROM event; END"),
    /trigger \\"event_came\\"/,
  ],
  ["a missing trigger of Kit", runs("DROP TRIGGER issue_gone"), /trigger \\"issue_gone\\"/],
  [
    "a view in place of a table",
    runs("DROP TABLE wipe", "CREATE VIEW wipe AS SELECT game, 0 AS due_ms FROM game"),
    /wipe/,
  ],
  ["an added table", runs("CREATE TABLE more (a)"), /table \\"more\\"/],
  ["an added view", runs("CREATE VIEW more AS SELECT 1"), /view \\"more\\"/],
  ["an added index with an expression", runs("CREATE INDEX more ON event (lower(id))"), /index \\"more\\"/],
  ["an added virtual table", runs("CREATE VIRTUAL TABLE more USING fts5(a)"), /more/],
  [
    "an added computed column",
    runs("ALTER TABLE session ADD COLUMN more TEXT AS (lower(cookie_hash))"),
    /table \\"session\\"/,
  ],
  [
    "a changed check",
    rewrites(
      "UPDATE sqlite_master SET sql = replace(sql, 'kind IN (''recording'',', 'kind IN (''x'', ''recording'',') WHERE name = 'event'",
    ),
    /table \\"event\\"/,
  ],
  [
    "a changed default",
    rewrites(
      "UPDATE sqlite_master SET sql = replace(sql, 'registered       INTEGER NOT NULL DEFAULT 0', 'registered       INTEGER NOT NULL DEFAULT 1') WHERE name = 'game'",
    ),
    /table \\"game\\"/,
  ],
  [
    "a table that is no longer strict",
    rewrites("UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')') WHERE name = 'receipt'"),
    /table \\"receipt\\"/,
  ],
  [
    "a schema entry without SQL",
    rewrites("INSERT INTO sqlite_master VALUES ('table', 'more', 'more', 0, NULL)"),
    /Nothing was changed/,
  ],
  ["a table name with terminal commands", runs('CREATE TABLE "\u001b[2J\u001b[31m" (a)'), /\\\\u001b/],
  ["the schema number of a development build", runs("PRAGMA user_version = 5"), /Its schema number is 5/],
];

async function refused(name: string): Promise<string> {
  const path = join(launcher.dataDir, "backups", name);
  const bytes = readFileSync(path);
  const reply = await launcher.api("POST", `/api/backups/${name}/restore`);
  assert.equal(reply.status, 422, reply.text);
  assert.match(reply.text, /Nothing was changed/);
  assert.deepEqual(readFileSync(path), bytes, "the file is not changed");
  assert.equal((await launcher.api("GET", `/api/events/${event}`)).status, 200);
  assert.deepEqual((await launcher.api("GET", "/api/aside")).json(), { aside: [] });
  return reply.text;
}

for (const [content, plant, named] of plants) {
  test(`a backup with ${content} is refused, and the refusal names it`, async () => {
    const [from, to] = [genuine, "hostile-own.db"].map((name) => join(launcher.dataDir, "backups", name));
    copyFileSync(String(from), String(to));
    const database = new DatabaseSync(String(to));
    database.enableDefensive(false);
    plant(database);
    database.close();
    assert.match(await refused("hostile-own.db"), named);
  });
}

const others: readonly (readonly [kind: string, write: (path: string) => void])[] = [
  ["a text file", (path) => writeFileSync(path, "no database at all ".repeat(1_000))],
  ["an empty file", (path) => writeFileSync(path, "")],
  ["another program's database", (path) => new DatabaseSync(path).exec("CREATE TABLE other (a)")],
  [
    "another program's database with Kit's schema number",
    (path) => new DatabaseSync(path).exec("CREATE TABLE other (a); PRAGMA user_version = 100"),
  ],
  [
    "a database with a negative schema number",
    (path) => new DatabaseSync(path).exec("CREATE TABLE other (a); PRAGMA user_version = -3"),
  ],
  [
    "a database of a newer Kit",
    (path) => new DatabaseSync(path).exec("CREATE TABLE other (a); PRAGMA user_version = 9999"),
  ],
  [
    "a truncated backup",
    (path) => writeFileSync(path, readFileSync(join(launcher.dataDir, "backups", genuine)).subarray(0, 40_000)),
  ],
  [
    "a database with half of the schema",
    (path) =>
      new DatabaseSync(path).exec(
        `${readFileSync(join(schemaFolder, "inbox.sql"), "utf8")}; PRAGMA user_version = 100`,
      ),
  ],
];
for (const [kind, write] of others) {
  test(`${kind} is refused`, async () => {
    const path = join(launcher.dataDir, "backups", "other-own.db");
    rmSync(path, { force: true });
    write(path);
    await refused("other-own.db");
  });
}

test("previous data with a planted trigger is refused too", async () => {
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
