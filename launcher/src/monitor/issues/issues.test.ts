// Tests of a person's actions on issues, with a real database: states, notes, merge, split, trash, lists, breadcrumbs.
import assert from "node:assert/strict";
import { Issue, IssueDetail, type KitEvent } from "@kit/contract";
import fc from "fast-check";
import { Value } from "typebox/value";
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

const list = async (...query: Parameters<MonitorFolder["issues"]["list"]>) => {
  const { issues } = await folder.issues.list(...query);
  for (const issue of issues) assert.ok(Value.Check(Issue, issue), JSON.stringify(Value.Errors(Issue, issue)));
  return issues;
};
const all = () => list({}, "lastSeen", null, 200);
const titles = async (...query: Parameters<MonitorFolder["issues"]["list"]>) =>
  (await list(...query)).map(({ title }) => title);
const now = async (id: string) => (await folder.issues.get(id)).issue;

/** Adds that many equal reports and returns their issue. */
async function issueOf(message: string, count = 1, wanted: Wanted = {}): Promise<Issue> {
  await folder.take(Array.from({ length: count }, () => reportWith(message, wanted)));
  const found = (await all()).find(({ title }) => title === message);
  assert.ok(found);
  return found;
}
const refused = (code: string) => (error: unknown) => (error as { code?: string }).code === code;

test("an issue regresses if it occurs after it was resolved, but not by a report from before", async () => {
  const { id } = await issueOf("No key");
  folder.clock.ms = beganMs + 10_000;
  assert.equal((await folder.issues.change(id, { state: "resolved" })).state, "resolved");
  await folder.take([9_999, 10_000].map((ms) => reportWith("No key", { atMs: beganMs + ms })));
  assert.deepEqual([(await now(id)).state, (await now(id)).count], ["resolved", 3]);
  await folder.take([reportWith("No key", { atMs: beganMs + 10_001 })]);
  const back = await now(id);
  assert.deepEqual(
    [back.state, back.stateSince, back.count],
    ["regressed", new Date(beganMs + 10_001).toISOString(), 4],
  );
  await folder.take([reportWith("No key", { atMs: beganMs + 12_000 })]);
  assert.equal((await now(id)).stateSince, new Date(beganMs + 10_001).toISOString(), "it regressed once");
});

test("an issue that is muted for a number of reports opens with the last of them", async () => {
  const { id } = await issueOf("No key", 5);
  const muted = await folder.issues.change(id, { state: "muted", mutedForCount: 3 });
  assert.deepEqual([muted.state, muted.mutedUntilCount, muted.mutedUntil], ["muted", 8, null]);
  await issueOf("No key", 2);
  assert.equal((await now(id)).state, "muted");
  await issueOf("No key");
  assert.deepEqual([(await now(id)).state, (await now(id)).mutedUntilCount], ["open", null]);
});

test("an issue that is muted until a time opens by itself, in lists too; one that is muted without end stays muted", async () => {
  const timed = await issueOf("No key");
  const forever = await issueOf("No door");
  const mutedUntil = new Date(beganMs + 60_000).toISOString();
  await folder.issues.change(timed.id, { state: "muted", mutedUntil });
  await folder.issues.change(forever.id, { state: "muted" });
  assert.equal((await list({ state: "muted" }, "lastSeen", null, 10)).length, 2);
  folder.clock.ms = beganMs + 60_000;
  assert.deepEqual(await titles({ state: "open" }, "lastSeen", null, 10), ["No key"]);
  assert.deepEqual(await titles({ state: "muted" }, "lastSeen", null, 10), ["No door"]);
  await assert.rejects(folder.issues.change(timed.id, { state: "muted", mutedUntil }), refused("payload_invalid"));
  await assert.rejects(folder.issues.change(timed.id, { mutedForCount: 2 }), refused("payload_invalid"));
});

test("a note stays until it is removed, and changes nothing else", async () => {
  const { id } = await issueOf("No key");
  assert.equal((await folder.issues.change(id, { note: "Mika looks at it" })).note, "Mika looks at it");
  const resolved = await folder.issues.change(id, { state: "resolved" });
  assert.deepEqual([resolved.note, resolved.state], ["Mika looks at it", "resolved"]);
  assert.equal((await folder.issues.change(id, { note: null })).note, null);
});

test("a merged issue counts in the other one, and a split gives each issue its own count back", async () => {
  const door = await issueOf("No door", 3);
  const key = await issueOf("No key", 2, { atMs: beganMs + 60_000 });
  const whole = await folder.issues.merge(door.id, [key.id]);
  assert.deepEqual([whole.count, whole.lastSeen, whole.hours.at(-1)], [5, key.lastSeen, 5]);
  assert.deepEqual(await titles({}, "count", null, 10), ["No door"]);
  await folder.take([reportWith("No key", { atMs: beganMs + 120_000 })]);
  const detail = await folder.issues.get(key.id);
  assert.deepEqual([detail.issue.id, detail.issue.count], [door.id, 6], "its old id returns the target of the merge");
  assert.deepEqual(detail.merged, [{ id: key.id, title: "No key", count: 3 }]);
  assert.deepEqual([detail.report?.message, detail.occurrences.length], ["No key", 6]);
  const alone = await folder.issues.split(key.id);
  assert.deepEqual([alone.id, alone.count, (await now(door.id)).count], [key.id, 3, 3]);
  assert.equal((await now(door.id)).lastSeen, door.lastSeen);
  await folder.take([reportWith("No key")]);
  assert.deepEqual([(await now(key.id)).count, (await now(door.id)).count], [4, 3]);
});

test("merges and splits in any order count every report once, and after all splits each issue has its own reports", async () => {
  const letters = ["a", "b", "c", "d"];
  const name = (index: number) => `Lost ${letters[index] ?? ""}`;
  const step = fc.record({
    what: fc.constantFrom("merge", "split", "report"),
    a: fc.nat({ max: 3 }),
    b: fc.nat({ max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await folder.clear();
      const ids: string[] = [];
      for (let index = 0; index < 4; index += 1) ids.push((await issueOf(name(index))).id);
      const sent = [1, 1, 1, 1];
      const idOf = (index: number) => ids[index] ?? "";
      for (const { what, a, b } of steps) {
        if (what === "report") {
          await folder.take([reportWith(name(a))]);
          sent[a] = (sent[a] ?? 0) + 1;
        } else {
          const { issues } = folder;
          await (what === "merge" ? issues.merge(idOf(a), [idOf(b)]) : issues.split(idOf(a))).catch((error) => {
            assert.ok(refused("payload_invalid")(error), String(error));
          });
        }
        const total = (await all()).reduce((sum, { count }) => sum + count, 0);
        assert.equal(
          total,
          sent.reduce((sum, n) => sum + n),
        );
      }
      for (const id of ids) await folder.issues.split(id).catch(() => undefined);
      const counts = await Promise.all(ids.map(async (id) => (await now(id)).count));
      assert.deepEqual(counts, sent);
    }),
    { numRuns: 15 },
  );
});

test("only unmerged issues of one game outside the trash can be merged", async () => {
  const door = await issueOf("No door");
  const key = await issueOf("No key");
  const other = await issueOf("No sword", 1, { game: "saga" });
  const isRefused = (into: string, id: string) =>
    assert.rejects(folder.issues.merge(into, [id]), refused("payload_invalid"));
  await isRefused(door.id, other.id);
  await isRefused(door.id, door.id);
  await folder.issues.merge(door.id, [key.id]);
  await isRefused(other.id, key.id);
  await assert.rejects(folder.issues.merge(door.id, ["nothing"]), refused("not_found"));
  await assert.rejects(folder.issues.split(door.id), refused("payload_invalid"));
});

test("an issue in the trash is still counted, can be restored, and is permanently deleted only from there", async () => {
  const { id } = await issueOf("No key", 2);
  await assert.rejects(folder.issues.deletePermanently(id), refused("not_found"));
  await folder.issues.moveToTrash(id);
  await folder.take([reportWith("No key")]);
  assert.deepEqual(await titles({}, "count", null, 10), []);
  assert.deepEqual(await titles({ bin: true }, "count", null, 10), ["No key"]);
  const restored = await folder.issues.restore(id);
  assert.deepEqual([restored.deletedAt, restored.count], [null, 3]);
  await folder.issues.moveToTrash(id);
  await folder.issues.deletePermanently(id);
  await assert.rejects(folder.issues.get(id), refused("not_found"));
  const [left] = await folder.rows(sql`
    SELECT (SELECT count(*) FROM issue_count) + (SELECT count(*) FROM issue_sample) + (SELECT count(*) FROM issue_fingerprint) AS n`);
  assert.equal(left?.n, 0);
  assert.equal((await issueOf("No key")).count, 1, "it starts again");
});

test("a list continues from page to page in each order, without gaps and repeats", async () => {
  const words = ["door", "key", "lamp", "map", "rope", "sword", "torch"];
  for (const [index, word] of words.entries()) {
    const atMs = beganMs + (index % 3) * 1_000;
    await folder.take(Array.from({ length: 1 + (index % 4) }, () => reportWith(`No ${word}`, { atMs })));
  }
  for (const sort of ["lastSeen", "firstSeen", "count"] as const) {
    const whole = await titles({}, sort, null, 50);
    const paged: string[] = [];
    for (let after: string | null = null; ; ) {
      const { issues, more }: Awaited<ReturnType<MonitorFolder["issues"]["list"]>> = await folder.issues.list(
        {},
        sort,
        after,
        2,
      );
      paged.push(...issues.map(({ title }) => title));
      after = issues.at(-1)?.id ?? null;
      if (!more) break;
    }
    assert.deepEqual([paged, new Set(paged).size], [whole, 7], sort);
  }
  const counts = (await list({}, "count", null, 50)).map(({ count }) => count);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  );
});

test("a list can be filtered by game and by words of the title, the place and the note", async () => {
  await issueOf("No key", 1, { game: "saga", stackTrace: "at: open_door (res://door.gd:41)" });
  const { id } = await issueOf("No 100% lamp");
  await folder.issues.change(id, { note: "Ask MIKA" });
  const found = (search: string) => titles({ search }, "lastSeen", null, 10);
  assert.deepEqual(await titles({ game: "saga" }, "lastSeen", null, 10), ["No key"]);
  assert.deepEqual(await titles({ game: "unsorted" }, "lastSeen", null, 10), ["No 100% lamp"]);
  assert.deepEqual(
    [await found("OPEN_door"), await found("mika"), await found("0%")],
    [["No key"], ["No 100% lamp"], ["No 100% lamp"]],
  );
  assert.deepEqual(await found("%k_y%"), [], "wildcards are ordinary characters");
});

test("an issue shows the frames of its newest report and the sender's events before it, without the same error", async () => {
  const stackTrace = "at: open (res://door.gd:41)\nat: _ready (res://main.gd:5)";
  const entry = reportWith("No key 41", { stackTrace });
  await folder.take([entry]);
  const before = (id: string, changes: Partial<KitEvent>): KitEvent => ({ ...entry.event, id, ...changes });
  folder.before = [
    before("same", {}),
    before("boss", { kind: "recording", eventId: "saga_boss", payload: { timestamp: "" } }),
    before("lamps", { payload: { message: "No lamp\nat all", stackTrace: "", timestamp: "" } }),
    before("lamp", { payload: { message: "No lamp\nat all", stackTrace: "", timestamp: "" } }),
  ];
  const [issue] = await all();
  const detail = await folder.issues.get(issue?.id ?? "");
  assert.ok(Value.Check(IssueDetail, detail), JSON.stringify(Value.Errors(IssueDetail, detail)));
  assert.deepEqual(
    detail.breadcrumbs.map(({ text }) => text),
    ["No lamp", "saga_boss"],
  );
  const [frame] = detail.report?.frames ?? [];
  assert.deepEqual([frame?.function, frame?.file, frame?.line, frame?.inApp], ["open", "res://door.gd", 41, true]);
  assert.deepEqual(
    [detail.issue.culprit, detail.issue.dialect],
    [{ function: "open", file: "res://door.gd" }, "gdscript"],
  );
  assert.equal((await folder.issues.get(detail.issue.id, entry.event.id)).report?.event, entry.event.id);
  await assert.rejects(folder.issues.get(detail.issue.id, "nothing"), refused("not_found"));
});

test("any text is returned as it was sent: half characters, zeros, quotes", async () => {
  const message = "Lost \ud800 \u0000 ' \" % key";
  await folder.take([reportWith(message, { stackTrace: "at \udfff nothing" })]);
  const [issue] = await all();
  const { report } = await folder.issues.get(issue?.id ?? "");
  assert.deepEqual([report?.message, report?.stackTrace], [message, "at \udfff nothing"]);
  assert.ok(issue?.title.isWellFormed());
});

test("an issue shows the builds it was seen in, and one resolved in a build regresses only with that build or a later one", async () => {
  const { id } = await issueOf("No key", 1, { build: "1.4" });
  await issueOf("No key", 1, { build: "1.9", atMs: beganMs + 1_000 });
  await issueOf("No key", 1, { atMs: beganMs + 2_000 });
  const { firstBuild, lastBuild, resolvedBuild } = await now(id);
  assert.deepEqual([firstBuild, lastBuild, resolvedBuild], ["1.4", "1.9", null]);
  folder.clock.ms = beganMs + 3_000;
  assert.equal((await folder.issues.change(id, { state: "resolved", resolvedBuild: "1.10" })).resolvedBuild, "1.10");
  const stateAfter = async (second: number, build: string) => {
    await issueOf("No key", 1, { build, atMs: beganMs + second * 1_000 });
    return (await now(id)).state;
  };
  assert.deepEqual(
    [await stateAfter(4, "1.9"), await stateAfter(5, "1.10-beta"), await stateAfter(6, "1.10.1")],
    ["resolved", "resolved", "regressed"],
  );
  await assert.rejects(folder.issues.change(id, { state: "muted", resolvedBuild: "2" }), refused("payload_invalid"));
  const other = await issueOf("No door", 1, { build: "0.9", atMs: beganMs - 1_000 });
  assert.equal((await folder.issues.merge(id, [other.id])).firstBuild, "0.9");
  await folder.issues.split(other.id);
  assert.equal((await now(id)).firstBuild, "1.4");
});
