// Tests of clip jobs with a real database: planned, cut, extended, saved or failed, with true receipts, also for events that come long
// after.

import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { afterAll, beforeAll, beforeEach, test, vi } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { until } from "../../../test/support/until.ts";
import { sql } from "../../storage/sql.ts";
import { NoFootage } from "../plans/plan.ts";
import { ClipReceipts } from "./job.ts";
import { entry, launcher as launcherOn, recording, whole } from "./test/scripted-launcher.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.storage.write(sql`DELETE FROM clip`, sql`DELETE FROM receipt`));
const launcher = (rules?: Parameters<typeof launcherOn>[1]) => launcherOn(folder.storage, rules);

test("a trigger is recording until its seconds are over, then saved with what the file really contains", async () => {
  const { planEvents, commit, tick, until, allLeft, store, world, reasonsOf } = launcher();
  const boss = entry(1_000_000);
  await commit(planEvents(boss));
  await until(boss.seq, "recording");
  const [pending] = (await store.list({}, null, 10)).map(({ clip }) => clip);
  assert.deepEqual(
    [pending?.state, pending?.stage, pending?.title, pending?.path],
    ["pending", "waiting", "Boss", null],
  );
  world.cut = (order) => ({ ...whole(order), fromMs: order.fromMs + 4_000 });
  tick(1_005_000);
  await until(boss.seq, "recording", "saved");
  assert.deepEqual(await reasonsOf(boss.seq), [
    "12 s before, 5 s after",
    "13.0 s, Boss; starts 4 s late: nothing was recorded before that",
  ]);
  const [clip] = (await store.list({}, null, 10)).map(({ clip }) => clip);
  assert.deepEqual(
    [clip?.state, clip?.duration, clip?.notes.map(textOf), clip?.events[0]?.offset],
    ["saved", 13, ["starts 4 s late: nothing was recorded before that"], 8],
  );
  assert.equal(world.held.size, 1);
  tick(1_013_500);
  // Its footage is released when no event can join the clip any more.
  await allLeft();
});

test("a moment that joins after the cut extends the clip, which is cut again and saved once for each event", async () => {
  const { planEvents, commit, tick, until, store, world } = launcher();
  const boss = entry(1_000_000);
  const end = entry(1_010_000, "saga_end");
  await commit(planEvents(boss));
  tick(1_005_000);
  await until(boss.seq, "recording", "saved");
  world.nowMs = 1_010_000;
  await commit(planEvents(end));
  assert.equal((await store.list({}, null, 10))[0]?.clip.state, "pending");
  tick(1_015_000);
  await until(end.seq, "recording", "saved");
  await until(boss.seq, "recording", "saved");
  const clips = (await store.list({}, null, 10)).map(({ clip }) => clip);
  assert.deepEqual(
    clips.map(({ duration, events }) => [duration, events.length]),
    [[27, 2]],
  );
  assert.deepEqual(
    world.cuts.map(({ fromMs, toMs }) => [fromMs, toMs]),
    [
      [988_000, 1_005_000],
      [988_000, 1_015_000],
    ],
  );
});

test("if the longer cut fails, the first file stays, and only a moment missing from it fails", async () => {
  const { planEvents, commit, tick, until, store, world, reasonsOf } = launcher();
  const boss = entry(1_000_000);
  const end = entry(1_010_000, "saga_end");
  await commit(planEvents(boss));
  tick(1_005_000);
  await until(boss.seq, "recording", "saved");
  await commit(planEvents(end));
  world.cut = () => Promise.reject(new Error("the disk is full"));
  tick(1_015_000);
  await until(end.seq, "recording", "failed");
  await until(boss.seq, "recording", "saved");
  assert.match(String((await reasonsOf(end.seq))[1]), /could not be saved: the disk is full/);
  const [clip] = (await store.list({}, null, 10)).map(({ clip }) => clip);
  assert.deepEqual([clip?.state, clip?.duration, clip?.events.length], ["saved", 17, 1]);
});

test("a clip whose footage does not show its moment is a marker, and its file is dropped", async () => {
  const { planEvents, commit, tick, until, world, reasonsOf, store } = launcher();
  const boss = entry(1_000_000);
  await commit(planEvents(boss));
  world.cut = (order) => ({ ...whole(order), fromMs: 1_002_000 });
  tick(1_005_000);
  await until(boss.seq, "recording", "marked");
  const clips = (await store.list({}, null, 10)).map(({ clip: { kind, state, path } }) => [kind, state, path]);
  assert.deepEqual(clips, [["marker", "marked", null]]);
  const [, reason] = await reasonsOf(boss.seq);
  assert.match(String(reason), /nothing was recorded at the moment, only 2 s away/);
  assert.match(
    String(reason),
    /starts with a game's first event; choose Always on the Recorder page to record before it/,
  );
});

test("without footage a trigger is a marker with the reason", async () => {
  const { planEvents, commit, tick, until, store, world } = launcher();
  const boss = entry(1_000_000);
  const end = entry(1_100_000, "saga_end");
  world.cut = () => Promise.reject(new NoFootage("the capture had just begun"));
  await commit(planEvents(boss));
  tick(1_005_000);
  await until(boss.seq, "recording", "marked");
  tick(1_100_000);
  await commit(planEvents(end));
  world.state = { ...recording, state: "broken", detail: "The screen is gone", heldSeconds: 0 };
  tick(1_105_000);
  await until(end.seq, "recording", "marked");
  const clips = (await store.list({}, null, 10)).map(({ clip: { kind, state, reason } }) => [
    kind,
    state,
    textOf(reason ?? ""),
  ]);
  assert.deepEqual(clips, [
    ["marker", "marked", "The screen is gone"],
    ["marker", "marked", "nothing was recorded at that time: the capture had just begun"],
  ]);
});

test("a trigger becomes a marker at once if nothing records, or if no launcher ran at its time", async () => {
  const { planEvents, commit, world, statesOf, reasonsOf } = launcher();
  const old = entry(800_000);
  await commit(planEvents(old));
  assert.deepEqual(
    [await statesOf(old.seq), await reasonsOf(old.seq)],
    [["marked"], ["the launcher was not running at that time"]],
  );
  world.state = { ...recording, state: "off", detail: "Recording is switched off", heldSeconds: 0 };
  const boss = entry(1_000_000, "saga_other");
  await commit(planEvents(boss));
  assert.deepEqual([await statesOf(boss.seq), await reasonsOf(boss.seq)], [["marked"], ["Recording is switched off"]]);
  assert.equal(world.held.size, 0);
});

test("no event is reported as saved before its plan is durable, and a repeated plan makes one clip", async () => {
  const { planEvents, commit, tick, until, store, world, statesOf } = launcher();
  const boss = entry(1_000_000);
  const next = entry(1_002_000, "saga_next");
  planEvents(boss);
  tick(1_005_000);
  assert.deepEqual([await statesOf(boss.seq), (await store.list({}, null, 10)).length], [[], 0]);
  await commit(planEvents(boss, next));
  tick(1_007_000);
  await until(boss.seq, "recording", "saved");
  await until(next.seq, "recording", "saved");
  const clips = (await store.list({}, null, 10)).map(({ clip }) => clip);
  assert.deepEqual(
    clips.map(({ state, events }) => [state, events.length]),
    [["saved", 2]],
  );
  assert.equal(world.held.size, 1);
});

test("a rule can make a screenshot or a marker, or ignore the event", async () => {
  const { planEvents, commit, until, allLeft, store, world, statesOf } = launcher({
    saga_look: { action: "screenshot" },
    saga_mark: { action: "marker" },
    saga_quiet: { action: "nothing" },
  });
  const look = entry(1_000_000, "saga_look");
  const mark = entry(1_000_001, "saga_mark");
  const quiet = entry(1_000_002, "saga_quiet");
  await commit(planEvents(look, mark, quiet));
  await until(look.seq, "recording", "saved");
  assert.deepEqual([await statesOf(mark.seq), await statesOf(quiet.seq)], [["marked"], ["ignored"]]);
  const kinds = (await store.list({}, null, 10)).map(({ clip: { kind, state } }) => `${kind} ${state}`);
  assert.deepEqual(kinds.toSorted(), ["marker marked", "screenshot saved"]);
  const [order] = world.cuts;
  assert.ok(order && order.fromMs < 1_000_000 && order.toMs > 1_000_000 && order.toMs - order.fromMs < 3_000);
  await allLeft();
});

test("an event that arrives after its clip is finished joins it, and gets its final receipt at once", async () => {
  const { planEvents, commit, tick, until, allLeft, store, statesOf } = launcher();
  const boss = entry(1_000_000);
  const late = entry(1_001_000, "saga_late");
  await commit(planEvents(boss));
  tick(1_005_000);
  await until(boss.seq, "recording", "saved");
  tick(1_013_500);
  await allLeft();
  await commit(planEvents(late));
  assert.deepEqual(await statesOf(late.seq), ["saved"]);
  assert.equal((await store.list({}, null, 10))[0]?.clip.events.length, 2);
});

test("an event that arrives while its closed clip is cut joins it, and gets its final receipt with it", async () => {
  const { planEvents, commit, tick, until, store, statesOf, world } = launcher();
  const boss = entry(1_000_000);
  const late = entry(1_001_000, "saga_late");
  const gate = Promise.withResolvers<void>();
  world.cut = (order) => gate.promise.then(() => whole(order));
  await commit(planEvents(boss));
  tick(1_013_500);
  await commit(planEvents(late));
  assert.deepEqual(await statesOf(late.seq), ["recording"]);
  gate.resolve();
  await until(late.seq, "recording", "saved");
  await until(boss.seq, "recording", "saved");
  assert.equal((await store.list({}, null, 10))[0]?.clip.events.length, 2);
});

test("a clip is finished when it is saved, even if the cleanup after it takes long", async () => {
  const { planEvents, commit, tick, allLeft, statesOf, world } = launcher();
  const boss = entry(1_000_000);
  world.tidy = () => new Promise(() => {});
  await commit(planEvents(boss));
  tick(1_013_500);
  await allLeft();
  assert.deepEqual(await statesOf(boss.seq), ["recording", "saved"]);
});

test("clips that wait for the database do not delay other cuts", async () => {
  const { planEvents, commit, tick, until } = launcher();
  const one = entry(1_000_000);
  const two = entry(1_050_000, "saga_two");
  const three = entry(1_100_000, "saga_three");
  const unwritten = [planEvents(one), planEvents(two)];
  await commit(planEvents(three));
  tick(1_105_000);
  await until(three.seq, "recording", "saved");
  for (const taken of unwritten) await commit(taken);
  await until(one.seq, "recording", "saved");
  await until(two.seq, "recording", "saved");
});

test("when the launcher stops, open clips are saved with the footage so far", async () => {
  const { planEvents, commit, jobs, until, world, reasonsOf } = launcher();
  const boss = entry(1_000_000);
  await commit(planEvents(boss));
  world.nowMs = 1_001_500;
  await jobs.stop(1_001_500, 5_000);
  await until(boss.seq, "recording", "saved");
  assert.match(String((await reasonsOf(boss.seq))[1]), /ends 3.5 s early/);
  assert.equal(world.cuts[0]?.toMs, 1_001_500);
});

test("a clip that cannot be cut in time when the launcher stops stays pending for the next start", async () => {
  const { planEvents, commit, jobs, store, statesOf, world } = launcher();
  const stuck = entry(1_000_000, "saga_stuck");
  await commit(planEvents(stuck));
  const gate = Promise.withResolvers<void>();
  world.cut = (order) => gate.promise.then(() => whole(order));
  await jobs.stop(1_001_500, 10);
  gate.resolve();
  await jobs.whenIdle();
  assert.deepEqual(await statesOf(stuck.seq), ["recording"]);
  assert.deepEqual(
    (await store.pending()).map(({ plan }) => plan.moments.map(({ seq }) => seq)),
    [[stuck.seq]],
  );
});

test("a planned clip becomes a marker at once when it can no longer be recorded", async () => {
  const { planEvents, commit, jobs, schedule, until, allLeft } = launcher();
  const boss = entry(1_000_000);
  await commit(planEvents(boss));
  const [plan] = schedule.openPlans();
  jobs.turnIntoMarker(plan?.id ?? "", message("moment.no_footage"));
  assert.deepEqual(schedule.openPlans(), []);
  await until(boss.seq, "recording", "marked");
  await allLeft();
});

test("shortly before its end a clip is rehearsed with the available footage, and then cut with all of it", async () => {
  const { planEvents, commit, tick, until: reached, world } = launcher();
  world.nowMs = Date.now();
  // The wait for the rehearsal must not depend on how long the planning takes.
  vi.spyOn(Date, "now").mockImplementation(() => world.nowMs);
  const atMs = world.nowMs - 3_300;
  const boss = entry(atMs);
  await commit(planEvents(boss));
  await until("the clip is rehearsed", () => world.cuts.length > 0);
  tick(atMs + 5_000);
  await reached(boss.seq, "recording", "saved");
  assert.deepEqual(
    world.cuts.map(({ fromMs, toMs }) => [fromMs - atMs, toMs - atMs]),
    [
      [-12_000, 3_800],
      [-12_000, 5_000],
    ],
  );
});

test("an event of a clip that is no longer in memory is a marker with the reason", () => {
  const receipts = new ClipReceipts(() => []);
  const moment = { event: "event", seq: 1, kind: "recording", eventId: "saga_boss", label: "boss" } as const;
  const { state, reason } = receipts.outcomeFor("long over", { ...moment, priority: 500, atMs: 1 });
  assert.equal(state, "marked");
  assert.match(textOf(reason), /long after its clip was finished/);
});
