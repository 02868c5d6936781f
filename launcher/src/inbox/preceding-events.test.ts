// Tests of preceding events: those of the same sender only, newest first, and not from long ago.
import assert from "node:assert/strict";
import { afterAll, beforeAll, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../test/support/storage-folder.ts";
import { createInboxStore, type InboxStore, insertEvent } from "./inbox-store.ts";

let folder: StorageFolder;
let journal: InboxStore;
beforeAll(async () => {
  folder = await openStorageFolder();
  journal = createInboxStore(folder.storage, () => null);
});
afterAll(() => folder?.[Symbol.asyncDispose]());

const beganMs = Date.UTC(2026, 4, 3, 10);
const store = (
  id: string,
  receivedAtMs: number,
  client: string | null,
  origin: string | null = null,
  sender: number | null = null,
) =>
  folder.storage.write(
    insertEvent({
      id,
      kind: "monitor",
      eventId: null,
      payload: "{}",
      actsOnMs: receivedAtMs,
      receivedAtMs,
      status: "accepted",
      reason: null,
      notes: [],
      origin,
      client,
      sender,
    }),
  );

test("the events before an event are its own sender's of the last ten minutes, newest first", async () => {
  await store("long ago", beganMs - 600_001, "Engine/1");
  await store("first", beganMs - 2_000, "Engine/1");
  await store("of a page", beganMs - 1_500, "Engine/1", "https://example.org");
  await store("second", beganMs - 1_000, "Engine/1");
  await store("of nobody", beganMs - 500, null);
  await store("this", beganMs, "Engine/1");
  await store("after", beganMs, "Engine/1");
  assert.deepEqual(
    (await journal.listPreceding("this")).map(({ id }) => id),
    ["second", "first"],
  );
  assert.deepEqual(await journal.listPreceding("of nobody"), []);
  assert.deepEqual(await journal.listPreceding("forgotten"), []);
});

test("two games of one engine with known senders are not mixed, and a long session is not cut", async () => {
  await store("of an hour ago", beganMs - 3_600_000, "Twin/1", null, 1);
  await store("of the other one", beganMs - 2_000, "Twin/1", null, 2);
  await store("of nobody known", beganMs - 1_500, "Twin/1");
  await store("of just now", beganMs - 1_000, "Twin/1", null, 1);
  await store("twin", beganMs, "Twin/1", null, 1);
  await store("stranger", beganMs, "Twin/1");
  const before = async (id: string) => (await journal.listPreceding(id)).map(({ id }) => id);
  assert.deepEqual(await before("twin"), ["of just now", "of an hour ago"]);
  assert.deepEqual(await before("stranger"), ["of nobody known"]);
});
