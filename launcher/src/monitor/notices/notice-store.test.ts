// Tests of the choice of notices, made by real SQLite in the same commit as the counts.
import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import {
  beganMs,
  type MonitorFolder,
  openMonitorFolder,
  reportWith,
  type Wanted,
} from "../../../test/monitor/monitor-folder.ts";
import { sql } from "../../storage/sql.ts";

let folder: MonitorFolder;
beforeAll(async () => {
  folder = await openMonitorFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.clear());

const noticed = async () =>
  (
    await folder.rows(sql`
      SELECT kind, n.count AS count, title FROM notice AS n JOIN issue ON seq = issue_seq ORDER BY number`)
  ).map(({ kind, count, title }) => `${kind} ${count} ${title}`);
const reports = (message: string, count: number, wanted: Wanted = {}) =>
  Array.from({ length: count }, () => reportWith(message, wanted));
const idOf = async (title: string) =>
  (await folder.issues.list({}, "count", null, 200)).issues.find((issue) => issue.title === title)?.id ?? "";
const at = (seconds: number): Wanted => ({ atMs: beganMs + seconds * 1_000 });

test("a new issue is noticed once, and again at each power of ten, in any batches", async () => {
  const all = reports("No key", 1_050);
  await folder.take(all.slice(0, 1), 1);
  await folder.take(all.slice(1, 105), 7);
  await folder.take(all.slice(105), 500);
  // The count at the end of the batch that reached it.
  assert.deepEqual(await noticed(), ["new 1 No key", "times 15 No key", "times 105 No key", "times 1050 No key"]);
});

test("an issue whose first reports arrive all at once is noticed as new, once", async () => {
  await folder.take(reports("No key", 450));
  assert.deepEqual(await noticed(), ["new 450 No key"]);
  await folder.take(reports("No key", 549));
  assert.deepEqual(await noticed(), ["new 450 No key"], "999");
  await folder.take(reports("No key", 1));
  assert.deepEqual(await noticed(), ["new 450 No key", "times 1000 No key"]);
});

test("a report of a build from before the one that resolved its issue is no regression", async () => {
  await folder.take(reports("No key", 1));
  await folder.issues.change(await idOf("No key"), { state: "resolved", resolvedBuild: "1.10" });
  await folder.take(reports("No key", 1, { ...at(20), build: "1.9" }));
  assert.deepEqual(await noticed(), ["new 1 No key"]);
  await folder.take(reports("No key", 1, { ...at(21), build: "1.10" }));
  assert.deepEqual(await noticed(), ["new 1 No key", "regressed 3 No key"]);
});

test("a regression is noticed, but not by reports from before the issue was resolved", async () => {
  await folder.take(reports("No key", 8));
  folder.clock.ms = beganMs + 10_000;
  await folder.issues.change(await idOf("No key"), { state: "resolved" });
  await folder.take(reports("No key", 5, at(9)));
  await folder.take(reports("No key", 3, at(11)));
  await folder.take(reports("No key", 3, at(12)));
  assert.deepEqual(await noticed(), ["new 8 No key", "regressed 16 No key"]);
  await folder.take(reports("No key", 90, at(13)));
  assert.deepEqual((await noticed()).slice(2), ["times 109 No key"], "in the state regressed");
});

test("a muted or trashed issue is not noticed, but a mute that ends by its count is", async () => {
  await folder.take([...reports("No key", 5), ...reports("No door", 5), ...reports("No lamp", 5)]);
  await folder.issues.change(await idOf("No key"), { state: "muted", mutedForCount: 20 });
  await folder.issues.change(await idOf("No lamp"), { state: "muted" });
  await folder.issues.moveToTrash(await idOf("No door"));
  await folder.take([...reports("No key", 19), ...reports("No door", 200), ...reports("No lamp", 200)]);
  assert.equal((await noticed()).length, 3);
  await folder.take(reports("No key", 1));
  assert.deepEqual((await noticed()).slice(3), ["woke 25 No key"]);
});

test("the first report after the end of a mute is noticed, even if the upkeep has opened the issue already", async () => {
  const mutedUntil = new Date(beganMs + 60_000).toISOString();
  for (const title of ["No key", "No door"]) {
    await folder.take(reports(title, 1));
    await folder.issues.change(await idOf(title), { state: "muted", mutedUntil });
  }
  await folder.take([...reports("No key", 1, at(59)), ...reports("No door", 1, at(59))]);
  // As the upkeep does.
  await folder.storage.write(
    sql`UPDATE issue SET state = 'open', state_since_ms = muted_until_ms WHERE title = 'No door'`,
  );
  await folder.take(reports("No door", 1, at(58)));
  assert.equal((await noticed()).length, 2);
  for (const second of [61, 62])
    await folder.take([...reports("No key", 1, at(second)), ...reports("No door", 1, at(second))]);
  assert.deepEqual((await noticed()).slice(2).toSorted(), ["woke 3 No key", "woke 4 No door"]);
});

test("reports of a merged issue are noticed for the issue that it belongs to", async () => {
  await folder.take([...reports("No key", 6), ...reports("No door", 3)]);
  await folder.issues.merge(await idOf("No key"), [await idOf("No door")]);
  await folder.take(reports("No door", 1));
  assert.deepEqual((await noticed()).slice(2), ["times 10 No key"]);
  folder.clock.ms = beganMs + 10_000;
  await folder.issues.change(await idOf("No key"), { state: "resolved" });
  await folder.take(reports("No door", 1, at(11)));
  assert.deepEqual((await noticed()).slice(3), ["regressed 11 No key"]);
});

test("a flood of different errors is noticed up to the limit, and the overflow once", async () => {
  const word = (index: number) => String.fromCharCode(...[...String(index)].map((digit) => 97 + Number(digit)));
  await folder.take(Array.from({ length: 300 }, (_, index) => reportWith(`Lost the ${word(index)} item`)));
  const lines = await noticed();
  assert.equal(lines.length, 61);
  assert.equal(lines.filter((line) => line.startsWith("new 240 Too many different errors")).length, 1);
  await folder.take(Array.from({ length: 900 }, (_, index) => reportWith(`Broke the ${word(index)} item`)));
  assert.equal((await noticed()).length, 61, "the overflow has no powers of ten");
});

test("the newest five hundred notices are kept, and no number is used twice", async () => {
  const [before] = await folder.rows(sql`SELECT coalesce(max(seq), 0) AS n FROM sqlite_sequence WHERE name = 'notice'`);
  const games = Array.from({ length: 530 }, (_, index) => reportWith("No key", { game: `g${index}` }));
  await folder.take(games);
  const [kept] = await folder.rows(sql`SELECT count(*) AS n, min(number) AS oldest, max(number) AS newest FROM notice`);
  const first = Number(before?.n);
  assert.deepEqual(kept, { n: 500, oldest: first + 31, newest: first + 530 });
  await folder.storage.write(sql`DELETE FROM issue`);
  await folder.take(reports("No door", 1));
  assert.deepEqual(await folder.rows(sql`SELECT number FROM notice`), [{ number: first + 531 }]);
});

test("a batch that failed and is handed over again is noticed once", async () => {
  const batch = reports("No key", 12);
  const { statements } = await folder.monitor.receive(batch);
  await assert.rejects(folder.storage.write(...statements, sql`INSERT INTO notice (kind) VALUES ('no')`));
  assert.deepEqual(await noticed(), []);
  await folder.take(batch);
  assert.deepEqual(await noticed(), ["new 12 No key"]);
});
