// Tests of a salvage whose damaged file lost the end of the journal.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { makeDataDir, migrations, openStorageIn, removeDataDir } from "../../../test/support/storage-folder.ts";
import { createInboxStore, insertEvent } from "../../inbox/inbox-store.ts";
import { migrateDatabase } from "../schema.ts";
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
