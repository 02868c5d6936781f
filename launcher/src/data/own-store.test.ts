// Tests that an own backup brings back no consent, and sends nothing, whatever was decided since it was made.
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { migrations, openStorageFolder } from "../../test/support/storage-folder.ts";
import { unknownOutcomeMessage } from "../storage/salvage/uncertain-posts.ts";
import { type Statement, toMessageColumn } from "../storage/sql.ts";
import { runDatabaseFileTask } from "../storage/threads/database-file-task.ts";
import { keepDecisions } from "./own-store.ts";

type Change = (run: (text: string) => void) => void;
type Restored = (text: string) => unknown[];

/** Makes a backup after `before`, restores it after `since`, and gives `check` a function that reads the restored database. */
async function restoredAfter(before: Change, since: Change, check: (rows: Restored) => void): Promise<void> {
  await using folder = await openStorageFolder();
  const { dir, storage } = folder;
  const path = join(dir.path, "backup.db");
  const change = async (made: Change) => {
    const statements: Statement[] = [];
    made((text) => statements.push({ text, values: [] }));
    await storage.write(...statements);
  };
  await change(before);
  const { path: backup } = await runDatabaseFileTask({ type: "backup", dataDir: dir.path, by: "launcher" });
  copyFileSync(backup ?? "", path);
  await change(since);
  const kept = { present: dir.database, statements: await keepDecisions(storage, 1) };
  await runDatabaseFileTask({ type: "prepare", at: path, migrations, statements: [], kept });
  using database = new DatabaseSync(path);
  check((text) =>
    database
      .prepare(text)
      .all()
      .flatMap((row) => Object.values(row)),
  );
}

const account = `INSERT INTO account (id, network, name, host, limits, kept, added_ms) VALUES
  ('one', 'webhook', 'one', 'one.example', '{}', 'file', 1), ('two', 'webhook', 'two', 'two.example', '{}', 'file', 1)`;
const rule = (
  id: string,
) => `INSERT INTO post_rule (id, pattern, accounts, text, attach, without, alt_text, content_warning,
  visibility, approval, cooldown_s, enabled, created_ms)
  VALUES ('${id}', 'saga_*', '["one"]', 'x', 'none', 'post', '', '', 'public', 'automatic', 0, 1, 1)`;
const post = (id: string, state: string, delivery: string) => [
  `INSERT INTO post (id, event, event_seq, event_id, rule, state, text, alt_text, content_warning, attach, without, visibility, footage,
    automatic, happened_ms, created_ms, sends_ms) VALUES ('${id}', 'event-${id}', 1, 'saga_won', 'r', '${state}', 'x', '', '', 'none',
    'post', 'public', 'none', 1, 1, 1, 1)`,
  `INSERT INTO delivery (post_seq, account, network, name, state, key)
    SELECT seq, 'one', 'webhook', 'one', '${delivery}', id FROM post WHERE id = '${id}'`,
];
const setPost = (id: string, state: string, delivery: string) => [
  `UPDATE post SET state = '${state}' WHERE id = '${id}'`,
  `UPDATE delivery SET state = '${delivery}' WHERE post_seq = (SELECT seq FROM post WHERE id = '${id}')`,
];

/** What a post and its delivery were, became since, and are after the restore. */
const fates = [
  { was: ["draft", "waiting"], since: ["sent", "sent"], is: ["sent", "sent"] },
  { was: ["draft", "waiting"], since: ["skipped", "waiting"], is: ["skipped", "waiting"] },
  { was: ["draft", "waiting"], since: ["sending", "sending"], is: ["unsure", "maybe"] },
  { was: ["draft", "waiting"], since: ["draft", "waiting"], is: ["draft", "waiting"] },
  { was: ["approved", "waiting"], since: ["skipped", "waiting"], is: ["skipped", "waiting"] },
  { was: ["approved", "waiting"], since: ["draft", "waiting"], is: ["draft", "waiting"] },
  { was: ["approved", "waiting"], since: ["approved", "waiting"], is: ["unsure", "maybe"] },
  { was: ["approved", "waiting"], since: ["sent", "sent"], is: ["sent", "sent"] },
  { was: ["approved", "waiting"], since: undefined, is: ["unsure", "maybe"] },
  { was: ["sending", "sending"], since: ["unsure", "maybe"], is: ["unsure", "maybe"] },
  { was: ["failed", "failed"], since: ["sent", "sent"], is: ["sent", "sent"] },
] as const;

test("a post is after a restore what the current database says, otherwise uncertain if it was approved, and nothing sends it", () =>
  restoredAfter(
    (run) => {
      run(account);
      // A post that only the backup has shifts the numbers.
      for (const text of post("old", "skipped", "dropped")) run(text);
      for (const [at, { was }] of fates.entries()) for (const text of post(`p${at}`, was[0], was[1])) run(text);
    },
    (run) => {
      run("DELETE FROM post WHERE id = 'old'");
      for (const [at, { since }] of fates.entries()) {
        const changes =
          since === undefined ? [`DELETE FROM post WHERE id = 'p${at}'`] : setPost(`p${at}`, since[0], since[1]);
        for (const text of changes) run(text);
      }
    },
    (rows) => {
      for (const [at, { was, since, is }] of fates.entries())
        assert.deepEqual(
          rows(`SELECT p.state, d.state AS delivery, automatic, sends_ms FROM post AS p JOIN delivery AS d ON d.post_seq = p.seq
            WHERE p.id = 'p${at}'`),
          [...is, 0, null],
          `${was[0]}, then ${since?.[0]}`,
        );
    },
  ));

test("a trigger that waited when a backup was made, and may have been posted since, makes no post after its restore, and its receipt says so", () =>
  restoredAfter(
    (run) => {
      for (const seq of [1, 2])
        run(`INSERT INTO event (seq, id, kind, payload, acts_on_ms, received_at_ms, status, checksum)
          VALUES (${seq}, 'event-${seq}', 'social', '{}', 1, 1, 'accepted', '')`);
      run("INSERT INTO hand_over VALUES ('social', 1)");
      run("INSERT INTO receipt (event_seq, state, at_ms, by) VALUES (1, 'drafted', 1, 'social')");
    },
    (run) => run("UPDATE hand_over SET seq = 2"),
    (rows) => {
      assert.deepEqual(rows("SELECT seq FROM hand_over WHERE slice = 'social'"), [2]);
      assert.deepEqual(rows("SELECT event_seq, state, reason FROM receipt WHERE by = 'social'"), [
        ...[1, "drafted", null],
        ...[2, "failed", toMessageColumn(unknownOutcomeMessage)],
      ]);
    },
  ));

test("what was switched off since a backup is off after its restore", () =>
  restoredAfter(
    (run) => {
      run(account);
      run(rule("deleted"));
      run(rule("asks"));
      run(rule("elsewhere"));
      run(rule("same"));
      run("INSERT INTO service VALUES ('recording', 1), ('monitor', 1)");
      run("INSERT INTO game (game, first_seen_at_ms) VALUES ('saga', 1), ('trail', 1)");
      run(
        "INSERT INTO rule (kind, event_id, first_seen_at_ms) VALUES ('recording', 'saga_won', 1), ('social', 'saga_won', 1)",
      );
      run("INSERT INTO post_setting VALUES ('perHour', '9')");
      run("INSERT INTO recorder_setting VALUES ('microphone', 'true'), ('height', '1080')");
    },
    (run) => {
      run("UPDATE account SET enabled = 0 WHERE id = 'one'");
      run("DELETE FROM post_rule WHERE id = 'deleted'");
      run("UPDATE post_rule SET approval = 'ask' WHERE id = 'asks'");
      run(`UPDATE post_rule SET accounts = '["two"]' WHERE id = 'elsewhere'`);
      run("UPDATE service SET enabled = 0 WHERE kind = 'recording'");
      run("UPDATE game SET recording = 0 WHERE game = 'saga'");
      run("UPDATE rule SET enabled = 0 WHERE kind = 'social'");
      run("UPDATE post_setting SET value = '1'");
      run("UPDATE recorder_setting SET value = 'false' WHERE name = 'microphone'");
      run("DELETE FROM recorder_setting WHERE name = 'height'");
    },
    (rows) => {
      assert.deepEqual(rows("SELECT id FROM account WHERE enabled"), ["two"]);
      assert.deepEqual(rows("SELECT id FROM post_rule WHERE approval = 'automatic'"), ["same"]);
      assert.deepEqual(rows("SELECT kind FROM service WHERE enabled"), ["monitor"]);
      assert.deepEqual(rows("SELECT game FROM game WHERE recording"), ["trail"]);
      assert.deepEqual(rows("SELECT kind FROM rule WHERE enabled"), ["recording"]);
      assert.deepEqual(rows("SELECT value FROM post_setting"), ["1"]);
      // A setting that only the backup has returns, as after a wipe.
      assert.deepEqual(rows("SELECT value FROM recorder_setting ORDER BY name"), ["1080", "false"]);
    },
  ));
