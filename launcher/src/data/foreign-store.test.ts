// Tests of what a restore takes over from another Kit's database: every table has a decision, and no path leads outside.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { migrations } from "../../test/support/storage-folder.ts";
import { migrateDatabase } from "../storage/schema.ts";
import { foreignTableDecisions, planDisarming } from "./foreign-store.ts";

async function fresh(): Promise<DatabaseSync> {
  const database = new DatabaseSync(":memory:");
  await migrateDatabase(database, migrations, async () => undefined);
  return database;
}

test("every table has a decision on whether a restore takes it over from another Kit", async () => {
  const database = await fresh();
  const tables = database
    .prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite%'",
    )
    .all()
    .map(({ name }) => String(name));
  assert.deepEqual(Object.keys(foreignTableDecisions).toSorted(), tables.toSorted());
});

const clips: readonly (readonly [id: string, file: string | null, kept: boolean])[] = [
  ["019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41", "Saga 2026.mp4", true],
  ["a1", "saga/Boss... defeated.mp4", true],
  ["a2", null, true],
  ["a3", "../kit.db", false],
  ["a4", "saga/../../secret", false],
  ["a5", "..\\secret", false],
  ["a6", "\\secret", false],
  ["a7", "/etc/passwd", false],
  ["a8", "C:\\secret", false],
  ["a9", "saga\\..\\..\\secret", false],
  ["../a", "a.mp4", false],
  ["", "b.mp4", false],
  ["a/b", "c.mp4", false],
];
test("a clip from another Kit whose file is outside the clips folder is removed", async () => {
  const database = await fresh();
  const insert = database.prepare(
    "INSERT INTO clip (id, kind, state, title, from_ms, to_ms, priority, file) VALUES (?, 'clip', 'saved', 'x', 0, 1, 1, ?)",
  );
  for (const [id, file] of clips) insert.run(id, file);
  const { statements } = await planDisarming({ read: async () => [] });
  for (const { text, values } of statements) database.prepare(text).run(...values);
  const left = database.prepare("SELECT id FROM clip ORDER BY seq").all();
  assert.deepEqual(
    left.map(({ id }) => id),
    clips.filter(([, , kept]) => kept).map(([id]) => id),
  );
});

test("a restore leaves out an invalid command and a cover that is not a picture", async () => {
  const database = await fresh();
  const good = JSON.stringify({ program: "/bin/sh", arguments: ["-c", "x"], folder: "/" });
  const insert = database.prepare(
    "INSERT INTO game_entry (game, command, cover_type, cover_version, cover) VALUES (?, ?, ?, ?, 'x')",
  );
  insert.run("good", good, "image/png", "abc");
  const bad = [
    "no JSON",
    "[]",
    "1",
    '{"program":1}',
    '{"program":"a","folder":"b","arguments":"c"}',
    '{"program":"a","folder":"b","arguments":[1]}',
  ];
  for (const [at, command] of bad.entries()) insert.run(`bad${at}`, command, "text/html", "abc");
  insert.run("header", null, "image/png", 'a"\r\nx: y');
  const { statements } = await planDisarming({ read: async () => [] });
  for (const { text, values } of statements) database.prepare(text).run(...values);
  assert.deepEqual(
    database
      .prepare("SELECT * FROM proposed_command")
      .all()
      .map((row) => ({ ...row })),
    [{ game: "good", command: good }],
  );
  const entries = database
    .prepare("SELECT game FROM game_entry WHERE command IS NOT NULL OR (cover IS NOT NULL AND game <> 'good')")
    .all();
  assert.deepEqual(entries, []);
});
