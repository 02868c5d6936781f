// Tests of the issues that occurred in ranges of the journal, with real SQLite.

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

const idOf = (n: number) => `01990000-0000-7000-8000-${String(n).padStart(12, "0")}`;
const issue = (seq: number, mergedInto: number | null = null) => sql`
  INSERT INTO issue (seq, id, title, lane, dialect, why, state_since_ms, created_ms, first_seen_ms, last_seen_ms, count, merged_into)
  VALUES (${seq}, ${idOf(seq)}, '', '', '', '[]', 0, 0, 0, 0, 1, ${mergedInto})`;
const groupedReason = (issue: string) => toMessageColumn(message("issue.grouped", { issue, title: "it broke" }));
const receipt = (event: number, of: number, state = "grouped") => sql`
  INSERT INTO receipt (event_seq, state, at_ms, by, reason)
  VALUES (${event}, ${state}, 0, 'monitor', ${groupedReason(idOf(of))})`;

test("each range returns the issues of its reports once; a merged issue counts as its target, and deleted issues are left out", async () => {
  await folder.storage.write(issue(1), issue(2), issue(3, 1));
  await folder.storage.write(
    ...[receipt(1, 1), receipt(2, 1), receipt(3, 2), receipt(5, 3), receipt(6, 9), receipt(7, 2, "handed-over")],
  );
  const { issuesWithin } = createEventIssueStore(folder.storage);
  const found = await issuesWithin([
    [1, 2],
    [3, 4],
    [5, 5],
    [6, 7],
    [1, 5],
  ]);
  const shown = found.map((issues) => [...issues].sort());
  assert.deepEqual(shown, [[idOf(1)], [idOf(2)], [idOf(1)], [], [idOf(1), idOf(2)]]);
});
