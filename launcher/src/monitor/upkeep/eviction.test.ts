// Tests of the eviction of issues: which issues are deleted above the limit, and which counts stay exact.
import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { beganMs, type MonitorFolder, openMonitorFolder, reportWith } from "../../../test/monitor/monitor-folder.ts";
import { sql } from "../../storage/sql.ts";
import type { IssueLimits } from "./eviction.ts";
import { startUpkeep } from "./upkeep.ts";
import { createUpkeepStore, deleteAndCountIssues } from "./upkeep-store.ts";

let folder: MonitorFolder;
beforeAll(async () => {
  folder = await openMonitorFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await folder.clear();
  await folder.storage.write(sql`DELETE FROM issue_forgotten`);
});

const aDayMs = 86_400_000;
const dayOf = (day: number) => beganMs + day * aDayMs;
const roomy: IssueLimits = { issuesMax: 1_000_000, issuesFree: 0, bytesMax: 1e12 };

/** Runs the upkeep once on that day with these limits. Returns how often it reported removals. */
async function runUpkeep(day: number, room: Partial<IssueLimits>): Promise<number> {
  let removals = 0;
  const { storage, clock } = folder;
  clock.ms = dayOf(day);
  const onFailure = (_: string, error: unknown) => assert.fail(String(error));
  const needs = {
    store: createUpkeepStore(storage),
    write: storage.write,
    isResting: storage.isResting,
    now: () => clock.ms,
    onFailure,
    onRemoved() {
      removals += 1;
    },
  };
  const upkeep = startUpkeep({ ...needs, issueLimits: { ...roomy, ...room } });
  await upkeep.run();
  await upkeep.stop();
  return removals;
}
const letters = (index: number): string =>
  (index >= 26 ? letters(Math.floor(index / 26) - 1) : "") + String.fromCharCode(97 + (index % 26));
/** That many different errors of one game, 1.1 s apart, so that the limit for new issues does not apply. */
const flood = (kinds: number, day: number, game: string) =>
  Array.from({ length: kinds }, (_, index) =>
    reportWith(`Lost ${letters(index)} of ${game}`, { atMs: dayOf(day) + index * 1_100, game }),
  );
const titles = async (query: { bin?: boolean } = {}) =>
  (await folder.issues.list(query, "lastSeen", null, 200)).issues.map(({ title }) => title).toSorted();
const idOf = async (title: string) =>
  (await folder.issues.list({ search: title }, "lastSeen", null, 1)).issues[0]?.id ?? assert.fail(title);
const forgottenOf = async (query: { game?: string }) => (await folder.issues.list(query, "count", null, 1)).forgotten;
/** Counts by title. Asserts that each is the sum of its spans. */
async function exactCounts(): Promise<Record<string, number>> {
  const rows = await folder.rows(sql`
    SELECT title, i.count AS shown, coalesce(sum(n), 0) AS summed FROM issue AS i
    LEFT JOIN issue_fingerprint AS f ON f.issue_seq = i.seq LEFT JOIN issue_count AS c ON c.fingerprint_seq = f.seq GROUP BY i.seq`);
  for (const { title, shown, summed } of rows) assert.equal(shown, summed, String(title));
  return Object.fromEntries(rows.map(({ title, shown }) => [String(title), Number(shown)]));
}

test("a flood of one game evicts its own issues, and another game's single errors stay however old they are", async () => {
  await folder.take([
    reportWith("A rare one", { game: "saga", atMs: dayOf(0) }),
    reportWith("Another one", { atMs: dayOf(1) }),
  ]);
  await folder.take(flood(150, 3, "racer"));
  const all = await exactCounts();
  assert.equal(await runUpkeep(4, { issuesMax: 1_000 }), 0, "nothing is removed while there is room");
  assert.ok((await runUpkeep(4, { issuesMax: 100, issuesFree: 20 })) >= 2, "reported before and after");
  const left = await exactCounts();
  assert.deepEqual([Object.keys(left).length, left["A rare one"], left["Another one"]], [80, 1, 1]);
  for (const [title, count] of Object.entries(left)) assert.equal(count, all[title], title);
  assert.deepEqual(await forgottenOf({}), { issues: 72, reports: 72 });
  assert.deepEqual(await forgottenOf({ game: "racer" }), { issues: 72, reports: 72 });
  assert.deepEqual(await forgottenOf({ game: "unsorted" }), { issues: 0, reports: 0 });
});

test("within a game the trash is evicted first, then resolved, muted, single and recurring issues; issues with a note stay", async () => {
  const words = ["binned", "resolved", "muted", "once", "recurring", "noted", "a part", "new"];
  const at = (word: string) => (word === "new" ? dayOf(20) : dayOf(0));
  await folder.take(words.map((word) => reportWith(`It is ${word}`, { atMs: at(word) })));
  await folder.take([reportWith("It is recurring", { atMs: dayOf(1) }), reportWith("It is whole", { atMs: dayOf(0) })]);
  await folder.issues.change(await idOf("It is resolved"), { state: "resolved" });
  await folder.issues.change(await idOf("It is muted"), { state: "muted" });
  await folder.issues.change(await idOf("It is noted"), { note: "Mika" });
  const part = await idOf("It is a part");
  await folder.issues.change(part, { note: "Mika" });
  await folder.issues.merge(await idOf("It is whole"), [part]);
  await folder.issues.moveToTrash(await idOf("It is binned"));
  const gone: string[] = [];
  let before = [...(await titles()), ...(await titles({ bin: true }))];
  for (let room = before.length; room >= 2; room -= 1) {
    // A merged issue counts too.
    await runUpkeep(21, { issuesMax: room });
    const now = [...(await titles()), ...(await titles({ bin: true }))];
    gone.push(...before.filter((title) => !now.includes(title)));
    before = now;
  }
  assert.deepEqual(
    gone,
    ["binned", "resolved", "muted", "once", "recurring", "new"].map((word) => `It is ${word}`),
  );
  assert.deepEqual(before.toSorted(), ["It is noted", "It is whole"]);
  assert.equal((await exactCounts())["It is whole"], 2);
});

test("when the limit is reached the upkeep makes room, and a new error becomes an issue again", async () => {
  await folder.take(flood(30, 0, "racer"));
  const full = { issuesMax: 30, issuesFree: 10 };
  await runUpkeep(1, full);
  const [size] = await folder.rows(sql`SELECT issues, (SELECT count(*) FROM issue) AS counted FROM issue_size`);
  assert.deepEqual(size, { issues: 20, counted: 20 });
  await folder.take([reportWith("A new kind", { game: "saga", atMs: dayOf(1) })]);
  assert.ok((await titles()).includes("A new kind"));
  await folder.take([reportWith("Lost a of racer", { game: "racer", atMs: dayOf(1) })]);
  assert.equal((await exactCounts())["Lost a of racer"], 1, "a deleted issue starts again");
});

test("issues stay within their bytes, and the stored size is the real size", async () => {
  await folder.take(flood(120, 0, "racer"));
  const bytes = async () => Number((await folder.rows(sql`SELECT bytes FROM issue_size`))[0]?.bytes);
  const before = await bytes();
  await runUpkeep(1, { bytesMax: before / 2 });
  const after = await bytes();
  assert.ok(after <= before / 2 && after > before / 4, `${before} → ${after}`);
  await folder.storage.write(sql`DELETE FROM issue`);
  const [size] = await folder.rows(sql`SELECT issues, bytes, sample_bytes AS samples FROM issue_size`);
  assert.deepEqual(size, { issues: 0, bytes: 0, samples: 0 });
});

test("an issue that is seen again, reopened or annotated between choice and write stays", async () => {
  await folder.take(["one", "two", "three", "four"].map((word) => reportWith(`It is ${word}`)));
  const store = createUpkeepStore(folder.storage).issues;
  const leaving = await store.leastRelevant(null, dayOf(1), 10);
  assert.equal(leaving.length, 4);
  await folder.take([reportWith("It is one", { atMs: beganMs + 1_000 })]);
  await folder.issues.change(await idOf("It is two"), { note: "Mika" });
  await folder.issues.change(await idOf("It is three"), { state: "resolved" });
  await folder.storage.write(...deleteAndCountIssues(leaving));
  assert.deepEqual(await titles(), ["It is one", "It is three", "It is two"]);
  assert.deepEqual(await forgottenOf({}), { issues: 1, reports: 1 });
});
