// Tests of a clip's row with real SQLite: planned, extended, saved, failed, marked, and returned as the contract says.

import assert from "node:assert/strict";
import { join } from "node:path";
import { Clip, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { Value } from "typebox/value";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import {
  beganMs,
  type ClipsFolder,
  momentAt,
  openClipsFolder,
  planWith,
  savedWith,
  saveRow,
} from "../../../test/recording/clips-folder.ts";
import { sql } from "../../storage/sql.ts";
import type { ClipPlan } from "../plans/plan.ts";
import {
  addMoments,
  deleteClips,
  extendClip,
  insertClip,
  insertMarker,
  insertSplitClip,
  markClipFailed,
  markClipPictured,
  markClipSaved,
  pruneClipsWithoutFile,
  setClipTrashed,
  updateClip,
} from "./clip-store.ts";

let folder: ClipsFolder;
beforeAll(async () => {
  folder = await openClipsFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.storage.write(sql`DELETE FROM clip`));

const clipOf = async ({ id }: Pick<ClipPlan, "id">): Promise<Clip> => {
  const kept = await folder.store.find(id);
  assert.ok(kept !== undefined, "the clip exists");
  assert.ok(Value.Check(Clip, kept.clip), JSON.stringify(Value.Errors(Clip, kept.clip)));
  return kept.clip;
};
const longer = (plan: ClipPlan, byMs: number): ClipPlan => ({
  ...plan,
  toMs: plan.toMs + byMs,
  moments: [...plan.moments, momentAt(plan.toMs + byMs - 500)],
});
const write = (...statements: Parameters<ClipsFolder["storage"]["write"]>) => folder.storage.write(...statements);
const titlesIn = async (...query: Parameters<ClipsFolder["store"]["list"]>) =>
  (await folder.store.list(...query)).map(({ clip }) => clip.title);

const startsLate = message("clip.starts_late", { seconds: "4" });
const lost = message("clip.earlier_footage_lost");
const noFootage = message("moment.no_footage");

test("a planned clip is pending, and its events are sorted by time", async () => {
  const moments = [momentAt(beganMs + 500), momentAt(beganMs + 900, "monitor")];
  const plan = planWith({ moments, notes: [startsLate] });
  await write(...insertClip(plan));
  const clip = await clipOf(plan);
  assert.deepEqual([clip.state, clip.stage, clip.path, clip.bytes, clip.duration], ["pending", "cutting", null, 0, 0]);
  assert.deepEqual([clip.startedAt, clip.notes], [new Date(beganMs).toISOString(), [startsLate]]);
  assert.deepEqual(
    clip.events.map(({ id, offset, eventId }) => [id, offset, eventId]),
    [
      [moments[0]?.event, 0.5, "saga_boss"],
      [moments[1]?.event, 0.9, null],
    ],
  );
  assert.deepEqual(
    (await folder.store.pending()).map((pending) => pending.plan),
    [plan],
  );
});

test("planning a clip twice changes nothing, and an event stays in the clip that already has it", async () => {
  const plan = planWith();
  await write(...insertClip(plan), ...insertClip(plan));
  const other = planWith({ moments: plan.moments });
  await write(...insertClip(other));
  assert.equal((await clipOf(plan)).events.length, 1);
  assert.equal((await clipOf(other)).events.length, 0);
  assert.equal((await folder.store.findByEvent(plan.moments[0]?.event ?? ""))?.clip.id, plan.id);
});

test("a saved clip has the values measured in its file, and the file's path", async () => {
  const plan = await saveRow(folder, planWith(), {
    fromMs: beganMs + 300,
    durationMs: 1_700,
    frames: 51,
    file: "a clip.mp4",
    notes: [startsLate],
  });
  const clip = await clipOf(plan);
  assert.equal(clip.frameRate, 30);
  assert.equal((await clipOf(await saveRow(folder, planWith({ kind: "screenshot" }), { frames: 0 }))).frameRate, null);
  assert.deepEqual([clip.state, clip.duration, clip.notes, clip.backend], ["saved", 1.7, [startsLate], "ffmpeg"]);
  assert.deepEqual(
    [clip.path, clip.startedAt],
    [join(folder.clipsDir, "a clip.mp4"), new Date(beganMs + 300).toISOString()],
  );
  assert.equal(clip.events[0]?.offset, 0.7, "counted from the real start of the file");
  assert.equal("stage" in clip, false);
});

test("a saved clip that is extended is pending again and keeps its file until the longer cut", async () => {
  const plan = await saveRow(folder, planWith());
  const grown = longer(plan, 3_000);
  await write(...extendClip(grown));
  const clip = await clipOf(plan);
  assert.deepEqual([clip.state, clip.events.length, clip.duration], ["pending", 2, 2]);
  assert.notEqual(clip.path, null);
  await write(markClipSaved(plan.id, savedWith(grown)));
  assert.deepEqual([(await clipOf(plan)).state, (await clipOf(plan)).duration], ["saved", 5]);
});

test("if the longer cut fails, the first cut stays, with only the moments in it", async () => {
  const plan = await saveRow(folder, planWith());
  await write(...extendClip(longer(plan, 3_000)));
  await write(...markClipFailed(plan.id, lost));
  const clip = await clipOf(plan);
  assert.deepEqual([clip.state, clip.notes, clip.duration, clip.reason], ["saved", [lost], 2, undefined]);
  assert.deepEqual(
    clip.events.map(({ id }) => id),
    plan.moments.map(({ event }) => event),
  );
});

test("a clip that was never cut fails with its reason, and keeps its moments", async () => {
  const plan = planWith();
  await write(...insertClip(plan), ...markClipFailed(plan.id, lost));
  const clip = await clipOf(plan);
  assert.deepEqual([clip.state, clip.reason, clip.events.length], ["failed", lost, 1]);
  await write(...markClipFailed(plan.id, noFootage));
  assert.deepEqual((await clipOf(plan)).reason, lost);
});

test("a marker has no footage, keeps its reason, and takes a later moment", async () => {
  const plan = planWith({ kind: "marker", toMs: beganMs });
  await write(...insertMarker(plan, noFootage));
  const again = { ...plan, moments: [...plan.moments, momentAt(beganMs + 10)] };
  await write(...insertMarker(again, lost));
  const clip = await clipOf(plan);
  assert.deepEqual([clip.kind, clip.state, clip.reason, clip.events.length], ["marker", "marked", noFootage, 2]);
  const plain = planWith({ kind: "marker", toMs: beganMs });
  await write(...insertMarker(plain, null));
  assert.equal("reason" in (await clipOf(plain)), false);
});

test("a moment added to a finished clip does not change the clip's state", async () => {
  const plan = await saveRow(folder, planWith());
  await write(...addMoments({ ...plan, priority: 900, moments: [momentAt(beganMs + 100)] }));
  const clip = await clipOf(plan);
  assert.deepEqual([clip.state, clip.events.length, clip.priority], ["saved", 2, 900]);
});

test("a change keeps every value that it does not name", async () => {
  const plan = await saveRow(folder, planWith());
  await write(...updateClip(plan.id, { pinned: true }));
  await write(...updateClip(plan.id, { title: "the best one", shared: true }));
  const { pinned, shared, title } = await clipOf(plan);
  assert.deepEqual({ pinned, shared, title }, { pinned: true, shared: true, title: "the best one" });
  await write(...updateClip(plan.id, { pinned: false }), markClipPictured(plan.id, "poster"));
  const { pinned: isPinned, poster, preview } = await clipOf(plan);
  assert.deepEqual([isPinned, poster, preview], [false, true, false]);
});

test("the list is sorted newest first, in pages, by game, kind, state, event and trash", async () => {
  const one = planWith({ title: "one" });
  const two = planWith({ title: "two", game: null });
  const three = planWith({ title: "three" });
  await saveRow(folder, one);
  await write(...insertClip(two));
  await saveRow(folder, three);
  const marker = planWith({ title: "marker", kind: "marker" });
  await write(...insertMarker(marker, noFootage));
  assert.deepEqual(await titlesIn({}, null, 10), ["marker", "three", "two", "one"]);
  assert.deepEqual(await titlesIn({}, null, 2), ["marker", "three"]);
  assert.deepEqual(await titlesIn({}, three.id, 10), ["two", "one"]);
  assert.deepEqual(await titlesIn({ game: "saga", kind: "clip" }, null, 10), ["three", "one"]);
  assert.deepEqual(await titlesIn({ game: "unsorted" }, null, 10), ["two"]);
  assert.deepEqual(await titlesIn({ state: "pending" }, null, 10), ["two"]);
  assert.deepEqual(await titlesIn({ event: one.moments[0]?.event ?? "" }, null, 10), ["one"]);
  await write(setClipTrashed(one.id, beganMs, `${one.id}.mp4`));
  assert.deepEqual(await titlesIn({ bin: true }, null, 10), ["one"]);
  assert.deepEqual(await titlesIn({}, null, 10), ["marker", "three", "two"]);
});

test("bytes are counted, also those in the trash, and a missing file counts as none", async () => {
  const one = await saveRow(folder, planWith());
  const two = await saveRow(folder, planWith(), { bytes: 500 });
  await saveRow(folder, planWith(), { bytes: 70 });
  await write(sql`UPDATE clip SET missing = 1 WHERE bytes = 70`, setClipTrashed(two.id, beganMs, "two.mp4"));
  assert.deepEqual(await folder.store.usage(), { bytes: 1_500, binBytes: 500, binDays: 0 });
  assert.deepEqual((await folder.store.withFile()).length, 3);
  await write(deleteClips([one.id, two.id]));
  assert.deepEqual(await folder.store.usage(), { bytes: 0, binBytes: 0, binDays: 0 });
  assert.deepEqual(await folder.storage.read(sql`SELECT count(*) AS moments FROM clip_moment`), [{ moments: 1 }]);
});

test("markers and failures above the limit are deleted, oldest first, and pinned ones are kept", async () => {
  const plans = Array.from({ length: 6 }, (_, index) => planWith({ title: `marker ${index}`, kind: "marker" }));
  for (const plan of plans) await write(...insertMarker(plan, noFootage));
  await write(...updateClip(plans[0]?.id ?? "", { pinned: true }));
  await write(pruneClipsWithoutFile(3));
  assert.deepEqual(await titlesIn({}, null, 10), ["marker 5", "marker 4", "marker 3", "marker 0"]);
});

test("a clip keeps every character that a game sends", async () => {
  const title = `boss "'; DROP TABLE clip; -- \u{1f409} \\ %s \u202e`;
  const plan = planWith({
    title,
    game: title,
    notes: [message("error.other", { text: title })],
    moments: [{ ...momentAt(beganMs), label: title }],
  });
  await write(...insertClip(plan));
  const clip = await clipOf(plan);
  assert.deepEqual(
    [clip.title, clip.game, clip.notes.map(textOf), clip.events[0]?.label],
    [title, title, [title], title],
  );
  assert.deepEqual(await titlesIn({ game: title }, null, 10), [title]);
});

test("a split moves moments into another clip, and the others stay", async () => {
  const moments = [momentAt(beganMs + 500), momentAt(beganMs + 1_500)];
  const plan = await saveRow(folder, planWith({ moments }));
  const rest = planWith({ moments: moments.slice(1) });
  await write(...insertSplitClip(rest));
  assert.deepEqual(
    [await clipOf(plan), await clipOf(rest)].map(({ state, events }) => [state, events.map(({ id }) => id)]),
    [
      ["saved", [moments[0]?.event]],
      ["pending", [moments[1]?.event]],
    ],
  );
});
