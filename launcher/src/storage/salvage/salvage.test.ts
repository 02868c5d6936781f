// Tests of a salvage whose damaged file lost the end of the journal, or what was decided.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import { makeDataDir, migrations, openStorageIn, removeDataDir } from "../../../test/support/storage-folder.ts";
import { createInboxStore, insertEvent } from "../../inbox/inbox-store.ts";
import { createBackup } from "../backup.ts";
import { defaultOpenOptions, openIntactDatabase, quarantineDatabase, recordSalvageAttempt } from "../opening.ts";
import { migrateDatabase } from "../schema.ts";
import { toMessageColumn } from "../sql.ts";
import { runDatabaseFileOperation } from "../threads/database-file-operations.ts";
import { salvageDatabase } from "./salvage.ts";

const event = (id: string) =>
  insertEvent({
    id,
    kind: "monitor",
    eventId: null,
    payload: "{}",
    actsOnMs: 1,
    receivedAtMs: 1,
    status: "accepted",
    reason: null,
    notes: [],
    origin: null,
    client: null,
  });

/** What is left of lost events, as an SQL list of numbers in receipts. The cursors of the slices are always left. */
const remains = {
  cursors: "SELECT 1 AS seq WHERE 0",
  receipts: "WITH RECURSIVE n (seq) AS (SELECT 11 UNION ALL SELECT seq + 1 FROM n WHERE seq < 300) SELECT seq FROM n",
  "receipts with a damaged number": `SELECT 300 AS seq UNION SELECT ${2n ** 60n}`,
};
for (const [left, numbers] of Object.entries(remains))
  test(`after a salvage, no slice skips a new event because lost ones left their ${left}`, async () => {
    const dir = makeDataDir();
    try {
      const from = join(dir.path, "quarantine");
      mkdirSync(from);
      await (await openStorageIn(dir)).storage.close();
      const damaged = new DatabaseSync(join(from, "kit.db"));
      await migrateDatabase(damaged, migrations, async () => undefined);
      damaged.exec(`
        INSERT INTO receipt (event_seq, state, at_ms, by) SELECT seq, 'processed', 1, 'monitor' FROM (${numbers});
        INSERT INTO hand_over SELECT value, 300 FROM json_each('["recording", "monitor", "social", "sessions"]')`);
      damaged.close();
      await salvageDatabase({ dir, from, backup: undefined, migrations });
      await using opened = await openStorageIn(dir);
      await opened.storage.write(event("new"));
      const journal = createInboxStore(opened.storage, () => null);
      const [row] = await opened.storage.read({ text: "SELECT seq FROM event WHERE id = 'new'", values: [] });
      for (const [slice, cursor] of await journal.loadCursors()) assert.ok(cursor < Number(row?.seq), slice);
    } finally {
      removeDataDir(dir);
    }
  });

const armed = [
  `INSERT INTO account (id, network, name, host, limits, kept, added_ms) VALUES ('one', 'webhook', 'one', 'one.example', '{}', 'file', 1)`,
  `INSERT INTO post_rule (id, pattern, accounts, text, attach, without, alt_text, content_warning, visibility, approval, cooldown_s,
    enabled, created_ms) VALUES ('r', 'saga_*', '["one"]', 'x', 'none', 'post', '', '', 'public', 'automatic', 0, 1, 1)`,
  `INSERT INTO post (id, event, event_seq, event_id, rule, state, text, alt_text, content_warning, attach, without, visibility, footage,
    happened_ms, created_ms, sends_ms)
    VALUES ('p', 'event', 1, 'saga_won', 'r', 'approved', 'x', '', '', 'none', 'post', 'public', 'none', 1, 1, 1)`,
  "INSERT INTO delivery (post_seq, account, network, name, state, key) VALUES (1, 'one', 'webhook', 'one', 'waiting', 'key')",
  "INSERT INTO forward_target (id, kind, host, access, created_ms) VALUES ('t', 'otlp', 'h', 'a', 1)",
  "INSERT INTO recorder_setting VALUES ('microphone', 'true'), ('height', '1080')",
  "INSERT INTO origin VALUES ('https://one.example', '30-days', 1, 2)",
  "INSERT INTO session VALUES ('hash', 1, 1)",
];

for (const how of ["unreadable", "gone", "one that ended Kit twice"] as const)
  test(`if the damaged database is ${how}, nothing that the backup has as approved is posted, nothing is forwarded, and the microphone and sign-ins are off`, async () => {
    const dir = makeDataDir();
    try {
      {
        await using opened = await openStorageIn(dir);
        await opened.storage.write(...armed.map((text) => ({ text, values: [] })));
      }
      const options = { ...defaultOpenOptions, mustCheck: true, runFileTask: runDatabaseFileOperation };
      {
        using database = new DatabaseSync(dir.database);
        await createBackup(database, dir.backups, new Date());
      }
      writeFileSync(dir.database, "no database at all ".repeat(1_000));
      if (how !== "unreadable") {
        const aside = await quarantineDatabase(dir, new Date(), () => true);
        if (how === "gone") rmSync(join(aside.place, "kit.db"));
        else recordSalvageAttempt({ ...aside, attempts: 1 });
      }
      using database = await openIntactDatabase(dir, migrations, options, []);
      const rows = (text: string) => database.prepare(text).all().flatMap(Object.values);
      assert.deepEqual(rows("SELECT enabled, fault FROM account"), [0, toMessageColumn(message("account.restored"))]);
      assert.deepEqual(rows("SELECT enabled, fault FROM forward_target"), [
        0,
        toMessageColumn(message("target.restored")),
      ]);
      assert.deepEqual(rows("SELECT approval FROM post_rule"), ["ask"]);
      assert.deepEqual(rows("SELECT p.state, d.state AS delivery FROM post AS p, delivery AS d"), ["unsure", "maybe"]);
      assert.deepEqual(rows("SELECT name FROM recorder_setting"), ["height"]);
      assert.deepEqual(rows("SELECT origin FROM origin UNION ALL SELECT cookie_hash FROM session"), []);
    } finally {
      removeDataDir(dir);
    }
  });
