// Tests from reports to issues: grouped, counted exactly, sampled and bounded, in any batches and across restarts.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Issue } from "@kit/contract";
import { message } from "@kit/contract/messages";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { beganMs, type MonitorFolder, openMonitorFolder, reportWith } from "../../test/monitor/monitor-folder.ts";
import { until } from "../../test/support/until.ts";
import { sql } from "../storage/sql.ts";
import { readCorpus } from "./fixtures/corpus.ts";

let folder: MonitorFolder;
beforeAll(async () => {
  folder = await openMonitorFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.clear());

const list = async (): Promise<Issue[]> => (await folder.issues.list({}, "count", null, 200)).issues;
const countsOf = async () => (await list()).map(({ title, count }) => [title, count]);
const sumOf = async (table: "issue_count" | "issue_fingerprint") => {
  const statement =
    table === "issue_count"
      ? sql`SELECT sum(n) AS n FROM issue_count`
      : sql`SELECT sum(count) AS n FROM issue_fingerprint`;
  return Number((await folder.rows(statement))[0]?.n);
};

test("equal reports become one issue with the title of the first, and each is counted", async () => {
  const stackTrace = "at: open (res://door.gd:41)\nat: _ready (res://main.gd:5)";
  await folder.take([
    reportWith("Door 41 has no key", { stackTrace }),
    reportWith("Door 42 has no key", { stackTrace, atMs: beganMs + 1_000 }),
    reportWith("The save file is damaged", { atMs: beganMs + 2_000 }),
  ]);
  assert.deepEqual(await countsOf(), [
    ["Door 41 has no key", 2],
    ["The save file is damaged", 1],
  ]);
  const [door] = await list();
  assert.deepEqual(
    [door?.state, door?.isNew, door?.firstSeen, door?.lastSeen, door?.hours.at(-1)],
    ["open", true, new Date(beganMs).toISOString(), new Date(beganMs + 1_000).toISOString(), 2],
  );
});

test("a receipt says that the report was grouped, and names the issue by id and title", async () => {
  await folder.take([reportWith("No key"), reportWith("No key"), reportWith("No door")]);
  const [key, door] = await list();
  assert.deepEqual(folder.receiptStates, [
    { state: "grouped", events: 2, reason: message("issue.grouped", { issue: key?.id ?? "", title: "No key" }) },
    { state: "grouped", events: 1, reason: message("issue.grouped", { issue: door?.id ?? "", title: "No door" }) },
  ]);
});

test("the same message in two games makes two issues", async () => {
  await folder.take([reportWith("No key", { game: "saga" }), reportWith("No key", { game: "quest" })]);
  assert.deepEqual((await list()).map(({ game }) => game).sort(), ["quest", "saga"]);
});

test("a batch that could not be written is received again and counted once", async () => {
  const entries = [reportWith("No key"), reportWith("No key")];
  await folder.monitor.receive(entries);
  await folder.take(entries);
  assert.deepEqual(await countsOf(), [["No key", 2]]);
  assert.deepEqual(
    folder.clipRequests,
    [entries[0]?.event.id, entries[0]?.event.id],
    "the clip of the first is requested again",
  );
});

test("a merge or permanent deletion between receiving and writing a batch loses no report", async () => {
  await folder.take([reportWith("No key"), reportWith("No door"), reportWith("No door")]);
  const [door, key] = await list();
  const underWay = await folder.monitor.receive([reportWith("No key")]);
  await folder.issues.merge(door?.id ?? "", [key?.id ?? ""]);
  await folder.storage.write(...underWay.statements);
  assert.deepEqual(await countsOf(), [["No door", 4]]);
  const last = await folder.monitor.receive([reportWith("No key"), reportWith("No door")]);
  await folder.issues.moveToTrash(door?.id ?? "");
  await folder.issues.deletePermanently(door?.id ?? "");
  await folder.storage.write(...last.statements);
  const counts = await countsOf();
  assert.equal(
    counts.reduce((sum, [, count]) => sum + Number(count), 0),
    2,
  );
  assert.equal(await sumOf("issue_count"), 2);
});

test("a clip is requested once for each fingerprint and run of the game", async () => {
  const inRun = (sender: number) => ({ ...reportWith("No key"), sender });
  const first = inRun(1);
  const second = inRun(1);
  const next = inRun(2);
  await folder.take([first, second, next]);
  assert.deepEqual(folder.clipRequests, [first.event.id, next.event.id]);
});

test("if the run is unknown a clip is requested once for each fingerprint and start of the launcher", async () => {
  const first = reportWith("No key 1");
  const second = reportWith("No key 2");
  await folder.take([first, second]);
  folder.restart();
  const third = reportWith("No key 3");
  await folder.take([third]);
  assert.deepEqual(folder.clipRequests, [first.event.id, third.event.id]);
});

test("of a flood the first reports, some others and the newest are kept, and every report is counted", async () => {
  const flood = Array.from({ length: 3_000 }, (_, index) =>
    reportWith(`No key ${index}`, { atMs: beganMs + index * 10 }),
  );
  await folder.take(flood);
  const [issue] = await list();
  assert.equal(issue?.count, 3_000);
  const { occurrences, report } = await folder.issues.get(issue?.id ?? "");
  assert.deepEqual([occurrences[0]?.number, report?.message], [3_000, "No key 2999"]);
  assert.deepEqual(
    occurrences.slice(-20).map(({ number }) => number),
    Array.from({ length: 20 }, (_, index) => 20 - index),
  );
  assert.ok(occurrences.length < 70, `${occurrences.length} are kept`);
});

const floodOf = (length: number) =>
  Array.from({ length }, () => ({
    game: null,
    origin: null,
    client: "TestEngine/1.0 (Linux)",
    message: "No key",
    stackTrace: "",
    atMs: beganMs,
  }));
/** Sends that many reports and returns how many were only counted. */
async function countOnly(length: number): Promise<number> {
  const asked = await Promise.all(floodOf(length).map((report) => folder.monitor.rateLimiter.countOrAdmit(report)));
  return asked.filter((id) => id !== undefined).length;
}
const isCounted = (expected: number) => async () => (await sumOf("issue_fingerprint")) >= expected;

test("reports counted during a batch are in the sums, and no two stored reports have the same number", async () => {
  await folder.take([reportWith("No key")]);
  const counted = await countOnly(500);
  const entries = [reportWith("No key"), reportWith("No key")];
  const underWay = await folder.monitor.receive(entries);
  const beside = await countOnly(1);
  await folder.storage.write(...underWay.statements);
  underWay.committed();
  await until("the sums", isCounted(3 + counted + 1));
  const [issue] = await list();
  assert.deepEqual([counted > 400, beside], [true, 1]);
  assert.deepEqual([issue?.count, await sumOf("issue_count")], [3 + counted + 1, 3 + counted + 1]);
  const { occurrences } = await folder.issues.get(issue?.id ?? "");
  assert.deepEqual(
    occurrences.map(({ number }) => number),
    [issue?.count, Number(issue?.count) - 1, 1],
  );
});

test("reports that were only counted when the launcher ended are in the sums after the next start", async () => {
  await folder.take([reportWith("No key")]);
  await folder.monitor.stop();
  const counted = await countOnly(500);
  folder.restart();
  const [kept] = await folder.rows(sql`SELECT sum(n) AS n FROM issue_tally`);
  assert.deepEqual([await sumOf("issue_fingerprint"), kept?.n], [1, counted]);
  await folder.monitor.load();
  const [left] = await folder.rows(sql`SELECT count(*) AS n FROM issue_tally`);
  assert.deepEqual(
    [await sumOf("issue_fingerprint"), await sumOf("issue_count"), left?.n],
    [1 + counted, 1 + counted, 0],
  );
});

test("counts that arrive during the collection are added once", async () => {
  await folder.take([reportWith("No key")]);
  let counted = 0;
  for (let flood = 0; flood < 40; flood += 1) {
    counted += await countOnly(30);
    await pause(10);
  }
  await until("the sums", isCounted(1 + counted));
  assert.deepEqual([await sumOf("issue_fingerprint"), await sumOf("issue_count")], [1 + counted, 1 + counted]);
});

test("deleting an issue permanently deletes its uncollected counts", async () => {
  await folder.take([reportWith("No key")]);
  await countOnly(500);
  await folder.storage.write(sql`DELETE FROM issue`);
  const [left] = await folder.rows(sql`SELECT count(*) AS n FROM issue_tally`);
  assert.equal(left?.n, 0);
});

test("endless different messages become sixty issues a minute and one overflow issue, all counted exactly", async () => {
  const word = (index: number) => index.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "");
  const flood = Array.from({ length: 1_000 }, (_, index) => reportWith(`Lost the ${word(index)} item`));
  await folder.take(flood, 170);
  const issues = await list();
  assert.equal(issues.length, 61);
  const [rest] = issues;
  assert.deepEqual([rest?.isOverflow, rest?.count], [true, 940]);
  assert.match(rest?.title ?? "", /Too many different errors from TestEngine/);
  await folder.take([reportWith("Another game's single error", { client: "OtherEngine/2.0" })]);
  assert.equal((await list()).length, 62, "another sender has its own limit");
  await folder.take([reportWith("Lost the very last item", { atMs: beganMs + 60_001 })]);
  assert.equal((await list()).length, 63, "a minute later new issues are allowed again");
});

test("the sums of the counts equal the received reports, for any reports, batches and restarts", async () => {
  const corpus = readCorpus("training").slice(0, 60);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ which: fc.nat({ max: 59 }), afterMs: fc.integer({ min: -5_000, max: 90_000 }) }), {
        maxLength: 80,
      }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      async (sent, batchMax, restarts) => {
        await folder.clear();
        let atMs = beganMs;
        const entries = sent.map(({ which, afterMs }) => {
          atMs += afterMs;
          const { message = "", stackTrace = "" } = corpus[which] ?? {};
          return reportWith(message, { stackTrace, atMs });
        });
        const half = Math.floor(entries.length / 2);
        await folder.take(entries.slice(0, half), batchMax);
        if (restarts) folder.restart();
        await folder.take(entries.slice(half), batchMax);
        const issues = await list();
        assert.equal(
          issues.reduce((sum, { count }) => sum + count, 0),
          entries.length,
        );
        assert.deepEqual(
          [await sumOf("issue_count"), await sumOf("issue_fingerprint")],
          [entries.length, entries.length],
        );
      },
    ),
    { numRuns: 25 },
  );
});
