// Tests of retention: the journal stays below its size limit, and keeps every event that was not dispatched.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, test } from "vitest";
import { dataDirAt } from "../storage/data-dir.ts";
import { openStorage, type Storage } from "../storage/storage.ts";
import { createInboxStore, insertEvent, insertReceiptState, type NewEvent } from "./inbox-store.ts";
import { startJournalRetention } from "./retention.ts";

const migrations = fileURLToPath(new URL("../storage/migrations", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "kit-retention-"));
const fail = (what: string, error: unknown) => assert.fail(`${what}: ${error}`);
let storage: Storage;

beforeAll(async () => {
  storage = await openStorage(dataDirAt(folder), migrations, () => undefined);
});
afterAll(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

const report = (number: number): NewEvent => ({
  id: `event-${number}`,
  kind: "monitor",
  eventId: null,
  payload: JSON.stringify({ message: "x".repeat(4_000), number }),
  actsOnMs: number,
  receivedAtMs: number,
  status: "accepted",
  reason: null,
  notes: [],
  origin: null,
  client: null,
});

test("the oldest dispatched events are deleted first and counted, and a waiting event stays with all events after it", async () => {
  const journal = createInboxStore(storage, () => null);
  for (let number = 1; number <= 300; number += 1) await storage.write(insertEvent(report(number)));
  const seqs = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({ seq: from + index }));
  await storage.write(insertReceiptState(seqs(1, 120), "handed-over", "monitor", 0));

  const retention = startJournalRetention({ storage, journal, onFailure: fail, bytesMax: 300_000 });
  await retention.enforceLimit();
  retention.stop();

  assert.equal(retention.removedCount(), 120);
  const { entries: left } = await journal.listAfter(0, null, 500);
  assert.deepEqual([left.length, left[0]?.seq], [180, 121]);
});

test("a journal below its size limit is not changed", async () => {
  const journal = createInboxStore(storage, () => null);
  const retention = startJournalRetention({ storage, journal, onFailure: fail });
  await retention.enforceLimit();
  retention.stop();
  assert.equal(retention.removedCount(), 0);
});
