// Tests of the upkeep: growing data is kept within limits, and no count is lost.
import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { beganMs, type MonitorFolder, openMonitorFolder, reportWith } from "../../../test/monitor/monitor-folder.ts";
import { sql } from "../../storage/sql.ts";
import { startUpkeep } from "./upkeep.ts";
import { createUpkeepStore } from "./upkeep-store.ts";

let folder: MonitorFolder;
beforeAll(async () => {
  folder = await openMonitorFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.clear());

const anHourMs = 3_600_000;
const aDayMs = 86_400_000;

/** Runs the upkeep once at the folder's time. */
async function runUpkeep(sampleBytesMax?: number): Promise<void> {
  const { storage, clock } = folder;
  const onFailure = (_: string, error: unknown) => assert.fail(String(error));
  const bound = sampleBytesMax === undefined ? {} : { sampleBytesMax };
  const needs = {
    store: createUpkeepStore(storage),
    write: storage.write,
    isResting: storage.isResting,
    now: () => clock.ms,
    onFailure,
    onRemoved: () => undefined,
    ...bound,
  };
  const upkeep = startUpkeep(needs);
  await upkeep.run();
  await upkeep.stop();
}
const spans = async () =>
  (await folder.rows(sql`SELECT span, count(*) AS kept, sum(n) AS n FROM issue_count GROUP BY span ORDER BY span`)).map(
    ({ span, kept, n }) => [span, kept, n],
  );
const onlyId = async () => (await folder.issues.list({}, "count", null, 1)).issues[0]?.id ?? "";

test("counts are combined from minutes to hours to days, and their sum stays the same", async () => {
  const atMinute = (minute: number, what = "key") => reportWith(`No ${what}`, { atMs: beganMs + minute * 60_000 });
  const minutes = Array.from({ length: 200 }, (_, index) => index);
  // So many rows that several writes are needed, and that an hour is divided among writes.
  for (const what of ["key", "door", "lamp"]) await folder.take(minutes.map((minute) => atMinute(minute, what)));
  assert.deepEqual(await spans(), [["minute", 600, 600]]);
  folder.clock.ms = beganMs + 3 * anHourMs + 100 * 60_000;
  await runUpkeep();
  const [hours, late] = await spans();
  assert.equal(hours?.[1], 6, "two hours for each of three issues");
  assert.deepEqual([hours?.[0], late?.[0], Number(hours?.[2]) + Number(late?.[2])], ["hour", "minute", 600]);
  assert.equal(
    (await folder.issues.get(await onlyId())).days.reduce((sum, n) => sum + n),
    200,
  );
  folder.clock.ms = beganMs + 32 * aDayMs;
  await folder.take([atMinute(3)]);
  await runUpkeep();
  assert.deepEqual(await spans(), [["day", 3, 601]], "a late report is added to its day");
});

test("above the limit the most frequent issues lose samples first, and each keeps its first and its newest", async () => {
  const stackTrace = "x".repeat(2_000);
  const rare = ["No key", "No door", "No lamp"].flatMap((message) => [
    reportWith(message, { stackTrace }),
    reportWith(message, { stackTrace }),
  ]);
  const flood = Array.from({ length: 2_000 }, (_, index) =>
    reportWith("The sword is lost", { stackTrace, atMs: beganMs + index * 1_000 }),
  );
  await folder.take([...rare, ...flood]);
  await runUpkeep(100_000);
  const { bytes } = (await folder.rows(sql`SELECT sum(bytes) AS bytes FROM issue_sample`))[0] ?? {};
  assert.ok(Number(bytes) <= 100_000 && Number(bytes) > 60_000, `${bytes} bytes`);
  for (const { id, title } of (await folder.issues.list({}, "count", null, 10)).issues) {
    const numbers = (await folder.issues.get(id)).occurrences.map(({ number }) => number);
    const newest = title === "The sword is lost" ? 2_000 : 2;
    assert.deepEqual([numbers[0], numbers.at(-1)], [newest, 1], title);
  }
  assert.equal((await folder.issues.get(await onlyId())).issue.count, 2_000);
});

test("if even the remaining samples exceed the limit they are truncated, and stay readable", async () => {
  const long = (word: string) =>
    reportWith(`Lost the ${word} item`, { stackTrace: `first line\n${"y".repeat(50_000)}` });
  await folder.take(["red", "green", "blue", "black"].map(long));
  await runUpkeep(20_000);
  const { bytes } = (await folder.rows(sql`SELECT sum(bytes) AS bytes FROM issue_sample`))[0] ?? {};
  assert.ok(Number(bytes) <= 20_000, `${bytes} bytes`);
  const { report } = await folder.issues.get(await onlyId());
  assert.match(report?.stackTrace ?? "", /^first line\ny{1000}/);
});

test("an issue is deleted after a month in the trash, and an issue whose mute is over is stored as open", async () => {
  await folder.take([reportWith("No key"), reportWith("No door")]);
  const [first, second] = (await folder.issues.list({}, "count", null, 2)).issues;
  await folder.issues.moveToTrash(first?.id ?? "");
  await folder.issues.change(second?.id ?? "", { state: "muted", mutedUntil: new Date(beganMs + 1_000).toISOString() });
  folder.clock.ms = beganMs + 31 * aDayMs;
  await runUpkeep();
  assert.deepEqual(await folder.rows(sql`SELECT id, state FROM issue`), [{ id: second?.id, state: "open" }]);
});
