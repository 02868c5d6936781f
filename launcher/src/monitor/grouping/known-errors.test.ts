// Tests that errors which older rules of grouping read differently stay known after an upgrade.
import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { beganMs, type MonitorFolder, openMonitorFolder, reportWith } from "../../../test/monitor/monitor-folder.ts";
import { sql } from "../../storage/sql.ts";

let folder: MonitorFolder;
beforeAll(async () => {
  folder = await openMonitorFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.clear());

const issues = async () =>
  (await folder.issues.list({}, "firstSeen", null, 200)).issues.map(({ title, count }) => [title, count]).reverse();
const newNotices = async () => (await folder.rows(sql`SELECT count(*) AS n FROM notice WHERE kind = 'new'`))[0]?.n;

/** Ends this launcher and starts a newer one, whose rules read every stored report differently. */
async function upgrade(): Promise<void> {
  await folder.storage.write(sql`UPDATE issue_fingerprint SET version = 1, key = 'older ' || key WHERE version > 0`);
  folder.restart();
  await folder.monitor.load();
}

test("the next report of an error that older rules read differently belongs to its issue, and is no new error", async () => {
  await folder.take([
    reportWith("No key", { game: "saga" }),
    reportWith("No door", { game: "saga", atMs: beganMs + 1 }),
  ]);
  await upgrade();
  await folder.take([
    reportWith("No key", { game: "saga" }),
    reportWith("No key", { game: "quest", atMs: beganMs + 2 }),
  ]);
  assert.deepEqual(await issues(), [
    ["No key", 2],
    ["No door", 1],
    ["No key", 1],
  ]);
  assert.equal(await newNotices(), 3);
});

test("all reports that older rules grouped as one error stay one issue", async () => {
  await folder.take([reportWith("No key"), reportWith("No door", { atMs: beganMs + 1 })]);
  await folder.storage.write(
    sql`UPDATE issue_sample SET number = 2, fingerprint_seq = (SELECT min(seq) FROM issue_fingerprint)
      WHERE fingerprint_seq = (SELECT max(seq) FROM issue_fingerprint)`,
    sql`DELETE FROM issue WHERE title = 'No door'`,
  );
  await upgrade();
  await folder.take([reportWith("No door"), reportWith("No key"), reportWith("No key")]);
  assert.deepEqual(await issues(), [["No key", 4]]);
});

test("if two issues are one error by the newer rules, the older issue gets its reports", async () => {
  await folder.take([reportWith("No key"), reportWith("No door", { atMs: beganMs + 1 })]);
  await folder.storage.write(sql`UPDATE issue_sample SET body = (SELECT body FROM issue_sample ORDER BY seq LIMIT 1)`);
  await upgrade();
  await folder.take([reportWith("No key")]);
  assert.deepEqual(await issues(), [
    ["No key", 2],
    ["No door", 1],
  ]);
});
