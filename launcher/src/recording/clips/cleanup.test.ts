// Tests of the cleanup plan: the order in which clips are deleted, and that pinned clips stay.
import assert from "node:assert/strict";
import { type Clip, textOf } from "@kit/contract";
import fc from "fast-check";
import { test } from "vitest";
import { sampleClip } from "../../../test/recording/sample-clip.ts";
import { makeCleanupPlan } from "./cleanup.ts";

const nowMs = Date.UTC(2026, 5, 1);
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(nowMs - days * dayMs).toISOString();

const clip = (changes: Partial<Clip>): Clip => sampleClip({ id: "a", startedAt: daysAgo(3), bytes: 100, ...changes });
const idsOf = (clips: readonly Clip[], quota = 0) =>
  makeCleanupPlan(clips, quota, nowMs).goes.map(({ clip: { id } }) => id);

test("no clip is deleted while all clips fit into the quota", () => {
  const plan = makeCleanupPlan([clip({ id: "a" }), clip({ id: "b" })], 200, nowMs);
  assert.deepEqual(plan, { bytes: 200, freedBytes: 0, freeableBytes: 200, goes: [], fits: true });
});

test("the trash is deleted first, then errors, then the lowest priority, then the oldest; shared clips, new clips and those that drafts need follow", () => {
  const clips = [
    clip({ id: "shared", shared: true }),
    clip({ id: "needed", startedAt: daysAgo(9), priority: 0 }),
    clip({ id: "error", subject: "error", startedAt: daysAgo(1), priority: 900 }),
    clip({ id: "new", startedAt: daysAgo(2) }),
    clip({ id: "just made", startedAt: daysAgo(0), priority: 0 }),
    clip({ id: "old", startedAt: daysAgo(9) }),
    clip({ id: "low", priority: 100, startedAt: daysAgo(1) }),
    clip({ id: "trashed today", deletedAt: daysAgo(0), priority: 1_000 }),
    clip({ id: "trashed long ago", deletedAt: daysAgo(8), priority: 1_000, shared: true }),
  ];
  const order = ["trashed long ago", "trashed today", "error", "low", "old", "new", "shared", "just made", "needed"];
  const needed = new Set(["needed"]);
  for (const all of [clips, clips.toReversed()])
    assert.deepEqual(
      makeCleanupPlan(all, 0, nowMs, { needed }).goes.map(({ clip: { id } }) => id),
      order,
    );
});

test("a new trim of an old clip is deleted after older clips, and an hour later it has no advantage", () => {
  const idMadeAt = (ms: number) => {
    const digits = ms.toString(16).padStart(12, "0");
    return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000001`;
  };
  const young = idMadeAt(nowMs - 60_000);
  const old = idMadeAt(nowMs - 2 * 3_600_000);
  const part = { trimmedFrom: "whole", startedAt: daysAgo(30), priority: 0 };
  const clips = [clip({ ...part, id: young }), clip({ ...part, id: old }), clip({ id: "other" })];
  assert.deepEqual(idsOf(clips), [old, "other", young]);
});

test("by age the oldest clips are deleted first, whatever their rank, and only those of the chosen game", () => {
  const clips = [
    clip({ id: "old and important", startedAt: daysAgo(9), priority: 900 }),
    clip({ id: "new", startedAt: daysAgo(1), priority: 0 }),
    clip({ id: "other game", startedAt: daysAgo(20), game: "other" }),
    clip({ id: "no game", startedAt: daysAgo(20), game: null }),
    clip({ id: "in the trash", startedAt: daysAgo(2), deletedAt: daysAgo(1) }),
  ];
  const ids = (choice: Parameters<typeof makeCleanupPlan>[3]) =>
    makeCleanupPlan(clips, 0, nowMs, choice).goes.map(({ clip: { id } }) => id);
  const game = clips[0]?.game ?? "";
  assert.deepEqual(ids({ by: "age", game }), ["in the trash", "old and important", "new"]);
  assert.deepEqual(ids({ game }), ["in the trash", "new", "old and important"]);
  assert.deepEqual(ids({ game: "unsorted" }), ["no game"]);
});

test("no more clips are deleted than necessary", () => {
  const clips = [clip({ id: "a", startedAt: daysAgo(9) }), clip({ id: "b", startedAt: daysAgo(8) }), clip({ id: "c" })];
  const { goes, freedBytes, fits } = makeCleanupPlan(clips, 250, nowMs);
  assert.deepEqual([goes.map(({ clip: { id } }) => id), freedBytes, fits], [["a"], 100, true]);
});

test("each planned deletion has its reason", () => {
  const clips = [
    clip({ id: "a", deletedAt: daysAgo(1) }),
    clip({ id: "b", shared: true }),
    clip({ id: "c", priority: 20 }),
  ];
  assert.deepEqual(
    makeCleanupPlan(clips, 0, nowMs).goes.map(({ why }) => textOf(why)),
    ["in the trash for 1 day", "priority 20, not shared, 3 days old", "priority 500, shared, 3 days old"],
  );
});

test("clips that are pinned, unfinished or without a file are never deleted, and the plan says if the quota cannot be met", () => {
  const clips = [
    clip({ id: "pinned", pinned: true, priority: 0 }),
    clip({ id: "pinned in the trash", pinned: true, deletedAt: daysAgo(3) }),
    clip({ id: "being cut again", state: "pending" }),
    clip({ id: "missing", missing: true }),
    clip({ id: "marker", state: "marked", path: null, bytes: 0 }),
  ];
  assert.deepEqual(makeCleanupPlan(clips, 10, nowMs), {
    ...{ bytes: 300, freedBytes: 0, freeableBytes: 0, goes: [], fits: false },
  });
});

const anyClip = fc.record({
  state: fc.constantFrom("saved", "saved", "saved", "pending", "failed"),
  bytes: fc.nat(1_000),
  priority: fc.nat(1_000),
  pinned: fc.boolean(),
  shared: fc.boolean(),
  missing: fc.boolean(),
  startedAt: fc.nat(60).map(daysAgo),
  deletedAt: fc.option(fc.nat(30).map(daysAgo)),
}) as fc.Arbitrary<Partial<Clip>>;
const library = fc
  .array(anyClip, { maxLength: 40 })
  .map((all) => all.map((one, index) => clip({ ...one, id: `clip ${index}` })));

test("for any library, pinned clips stay, every deletion is necessary, and the order is always the same", () => {
  const check = (clips: readonly Clip[], quota: number, seed: number) => {
    const plan = makeCleanupPlan(clips, quota, nowMs);
    const held = clips.reduce((sum, { missing, bytes }) => sum + (missing ? 0 : bytes), 0);
    const freed = plan.goes.reduce((sum, { clip: { bytes } }) => sum + bytes, 0);
    assert.deepEqual([plan.bytes, plan.freedBytes, plan.fits], [held, freed, held - freed <= quota]);
    assert.ok(
      plan.goes.every(({ clip: one }) => !one.pinned && one.state === "saved" && !one.missing && one.bytes > 0),
    );
    const last = plan.goes.at(-1)?.clip.bytes ?? 0;
    assert.ok(plan.goes.length === 0 || held - freed + last > quota, "the last deletion was necessary");
    if (!plan.fits) {
      const left = clips.filter((one) => !plan.goes.some(({ clip: { id } }) => id === one.id));
      assert.ok(
        left.every(({ pinned, state, missing, bytes }) => pinned || state !== "saved" || missing || bytes === 0),
      );
    }
    const shuffled = clips.toSorted(
      (a, b) => ((Number(a.id.slice(5)) * 7 + seed) % 11) - ((Number(b.id.slice(5)) * 7 + seed) % 11),
    );
    assert.deepEqual(makeCleanupPlan(shuffled, quota, nowMs), plan);
    // A smaller quota deletes the same clips first, and then more.
    const more = makeCleanupPlan(clips, Math.floor(quota / 2), nowMs);
    assert.deepEqual(more.goes.slice(0, plan.goes.length), plan.goes);
  };
  fc.assert(fc.property(library, fc.nat(20_000), fc.nat(11), check), { numRuns: 500 });
});
