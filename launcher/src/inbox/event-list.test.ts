// Tests of filtered event lists: complete, in order, and reading only the parts of the journal that have such events.
import assert from "node:assert/strict";
import type { EventKind } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../test/support/storage-folder.ts";
import { type Row, type Statement, sql } from "../storage/sql.ts";
import { createEventExportStore } from "./event-export-store.ts";
import { createInboxStore, deleteOldestEvents, type EventSelection, updateEventSender } from "./inbox-store.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());

const events = 30_000;
/** `saga` sends all the time, `rare` now and then and once for a while, and some reports have no sender. */
const journal = sql`
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${events}),
  made AS (
    SELECT i, CASE WHEN i % 7 = 0 THEN 'monitor' WHEN i % 5 = 0 OR i % 4000 = 3 THEN 'social' ELSE 'recording' END AS kind,
      CASE WHEN i % 4000 = 3 OR i BETWEEN 9000 AND 9050 THEN 'rare_find' WHEN i % 97 = 0 THEN 'victory' ELSE 'saga_' || i % 20 END AS name
    FROM n)
  INSERT INTO event (seq, id, kind, event_id, payload, acts_on_ms, received_at_ms, status, checksum, sender)
  SELECT i, 'event ' || i, kind, iif(kind = 'monitor', NULL, name), '{}', i, i, 'accepted', checksum('{}'),
    CASE WHEN kind <> 'monitor' THEN NULL WHEN i % 3 = 0 THEN NULL WHEN i % 2000 = 1 THEN 9 ELSE i % 4 END
  FROM made`;

const sagaIds = Array.from({ length: 20 }, (_, index) => `saga_${index}`);
const games: readonly EventSelection["game"][] = [
  null,
  { eventIds: sagaIds, senders: [0, 1, 2], unsorted: false },
  { eventIds: ["rare_find"], senders: [9], unsorted: false },
  { eventIds: [], senders: [77], unsorted: false },
  { eventIds: ["victory"], senders: [0, 1, 2, 9], unsorted: true },
];
const kinds: readonly (EventKind | null)[] = [null, "recording", "monitor", "social"];
const selections = games.flatMap((game) => kinds.map((kind): EventSelection => ({ game, kind })));

const isWanted =
  ({ game, kind }: EventSelection) =>
  (row: Row): boolean => {
    if (kind !== null && row.kind !== kind) return false;
    if (game === null) return true;
    if (row.eventId !== null) return game.eventIds.includes(String(row.eventId));
    return game.senders.includes(Number(row.sender ?? -1)) !== game.unsorted;
  };

async function listed(selection: EventSelection, beforeSeq: number, limit: number): Promise<number[]> {
  const store = createInboxStore(folder.storage, () => null);
  const seqs: number[] = [];
  for (let next: number | null = beforeSeq; next !== null && seqs.length < limit; ) {
    const page = await store.listNewest(selection, next, limit - seqs.length);
    seqs.push(...page.entries.map(({ seq }) => seq));
    next = page.next;
  }
  return seqs;
}

async function assertLists(): Promise<void> {
  const rows = await folder.storage.read(
    sql`SELECT seq, kind, event_id AS eventId, sender FROM event ORDER BY seq DESC`,
  );
  for (const selection of selections) {
    const all = rows.filter(isWanted(selection)).map(({ seq }) => Number(seq));
    assert.deepEqual(await listed(selection, events + 1, events), all, JSON.stringify(selection));
    for (const beforeSeq of [events + 1, 20_001, 9_040, 513, 512, 1]) {
      const expected = all.filter((seq) => seq < beforeSeq).slice(0, 30);
      assert.deepEqual(await listed(selection, beforeSeq, 30), expected, `${beforeSeq} ${JSON.stringify(selection)}`);
    }
  }
}

test("every filter lists exactly its events, newest first, from any position", async () => {
  await folder.storage.write(journal);
  await assertLists();
});

test("a list follows a sender that is found late, deleted events and a wiped game", async () => {
  const { storage } = folder;
  await storage.write(updateEventSender("event 21", 9), ...deleteOldestEvents(1_300));
  await storage.write(updateEventSender("event 29988", 9));
  await assertLists();
  const gameOf = (_kind: EventKind, eventId: string | null, sender: number | null) =>
    sender === 9 || eventId === "rare_find" ? "rare" : null;
  await storage.write(...(await createEventExportStore(storage, gameOf).wipeStatements("rare", [9])));
  await assertLists();
  const [left] = await storage.read(sql`SELECT count(*) AS n FROM event_block WHERE key IN ('rare_find', 9)`);
  assert.equal(left?.n, 0, "nothing of a wiped game is left");
});

test("a filtered list searches the journal by position only, and a list without events does not read it at all", async () => {
  const statements: Statement[] = [];
  const { storage } = folder;
  const watched = (["read", "readPage"] as const).map((name) => [
    name,
    (statement: Statement) => {
      statements.push(statement);
      return storage[name](statement);
    },
  ]);
  const store = createInboxStore({ ...storage, ...Object.fromEntries(watched) }, () => null);
  for (const selection of selections.slice(1)) await store.listNewest(selection, events + 1, 100);
  for (const { text, values } of statements.splice(0)) {
    const plan = await storage.read({ text: `EXPLAIN QUERY PLAN ${text}`, values });
    const details = plan.map(({ detail }) => String(detail));
    assert.deepEqual(
      details.filter((detail) => /^(SCAN|SEARCH) event\b/.test(detail) && !/INTEGER PRIMARY KEY/.test(detail)),
      [],
      details.join("\n"),
    );
  }
  const nobody = { kind: null, game: { eventIds: ["nobody"], senders: [], unsorted: false } };
  assert.deepEqual(await store.listNewest(nobody, events + 1, 100), { entries: [], next: null });
  assert.deepEqual(
    statements.filter(({ text }) => /FROM event\b/.test(text)),
    [],
  );
});
