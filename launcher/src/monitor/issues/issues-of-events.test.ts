// Tests of the issue of a report: found through its stored report or its receipt, and after a merge.

import assert from "node:assert/strict";
import { message } from "@kit/contract/messages";
import { afterAll, beforeAll, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { sql, toMessageColumn } from "../../storage/sql.ts";
import { createEventIssueStore } from "./issue-store.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());

const idOf = (letter: string) => `${letter.repeat(8)}-0000-7000-8000-000000000000`;

test("the issue of a report is found by its stored sample or else its receipt, after a merge too; deleted issues are left out", async () => {
  const { storage } = folder;
  const issue = (seq: number, letter: string, mergedInto: number | null) => sql`
    INSERT INTO issue (seq, id, title, lane, dialect, why, state_since_ms, created_ms, first_seen_ms, last_seen_ms, count, merged_into)
    VALUES (${seq}, ${idOf(letter)}, 'No key', '', 'text', '', 0, 0, 0, 0, 1, ${mergedInto})`;
  const report = (seq: number, id: string, letter: string) => [
    sql`
      INSERT INTO event (seq, id, kind, payload, acts_on_ms, received_at_ms, status, checksum)
      VALUES (${seq}, ${id}, 'monitor', '{}', 0, 0, 'accepted', '')`,
    sql`
      INSERT INTO receipt (event_seq, state, at_ms, by, reason)
      VALUES (${seq}, 'grouped', 0, 'monitor', ${toMessageColumn(message("issue.grouped", { issue: idOf(letter), title: "No key" }))})`,
  ];
  await storage.write(
    ...[issue(1, "a", null), issue(2, "b", 1), issue(3, "c", null)],
    ...[report(1, "kept", "b"), report(2, "counted", "b"), report(3, "alone", "c"), report(4, "gone", "d")].flat(),
    sql`
      INSERT INTO issue_fingerprint (seq, issue_seq, home_seq, game, version, key, count, first_seen_ms, last_seen_ms, sampling)
      VALUES (1, 1, 2, '', 1, 'k', 2, 0, 0, '{}')`,
    sql`
      INSERT INTO issue_sample (fingerprint_seq, event, event_seq, number, at_ms, body, bytes, irrelevance, chosen)
      VALUES (1, 'kept', 1, 1, 0, '[]', 1, 0, 1)`,
  );
  const found = await createEventIssueStore(storage).issuesOf(["kept", "counted", "alone", "gone", "unknown"]);
  assert.deepEqual(Object.fromEntries(found), { kept: idOf("a"), counted: idOf("a"), alone: idOf("c") });
});
