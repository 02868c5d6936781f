// Tests of split plans: if one file cannot hold all moments of a clip, each moment is in one of two clips.

import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { sql } from "../../storage/sql.ts";
import { entry, launcher as launcherOn, whole } from "../jobs/test/scripted-launcher.ts";
import type { ClipPlan } from "./plan.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.storage.write(sql`DELETE FROM clip`, sql`DELETE FROM receipt`));
const launcher = () => launcherOn(folder.storage);

/** The clips, oldest first. */
const clipsOf = async ({ store }: ReturnType<typeof launcher>) =>
  (await store.list({}, null, 10)).map(({ clip }) => clip).toReversed();
const secondsOf = ({ startedAt, duration }: { startedAt: string; duration: number }) => {
  const from = Date.parse(startedAt) / 1_000;
  return [from, from + duration];
};
/** A recorder that holds the footage of a plan from that time on. */
const heldFrom = (fromMs: number) => (order: ClipPlan) => ({ ...whole(order), fromMs: Math.max(order.fromMs, fromMs) });

test("a moment that joins after the earlier footage is gone gets its own clip, and the first file stays", async () => {
  const kit = launcher();
  const { planEvents, commit, tick, until, allLeft, world } = kit;
  const boss = entry(1_000_000);
  const end = entry(1_010_000, "saga_end");
  const late = entry(1_001_000, "saga_late");
  await commit(planEvents(boss));
  tick(1_005_000);
  await until(boss.seq, "recording", "saved");
  // The capture ended meanwhile, and its footage is gone.
  world.cut = heldFrom(1_007_000);
  await commit(planEvents(end));
  tick(1_015_000);
  await until(end.seq, "recording", "saved");
  assert.deepEqual(await kit.statesOf(boss.seq), ["recording", "saved"]);
  tick(1_023_500);
  await allLeft();
  await commit(planEvents(late));
  const clips = await clipsOf(kit);
  assert.deepEqual(
    clips.map(({ state, title, events }) => [state, title, events.map(({ label }) => label)]),
    [
      ["saved", "Boss", ["Boss", "Late"]],
      ["saved", "End", ["End"]],
    ],
  );
  assert.deepEqual(clips.map(secondsOf), [
    [988, 1_005],
    [1_007, 1_015],
  ]);
  assert.match(clips[0]?.notes.map(textOf).join() ?? "", /later moments are in a separate clip: the earlier footage/);
  assert.match(clips[1]?.notes.map(textOf).join() ?? "", /earlier moments are in a separate clip/);
});

/** Footage whose format changes at that time. A cut returns the part with the first moment. */
const meetingAt = (meetMs: number) => (order: ClipPlan) => {
  const isFirst = (order.moments[0]?.atMs ?? 0) < meetMs;
  const parts = [
    { fromMs: order.fromMs, toMs: Math.min(order.toMs, meetMs) },
    { fromMs: Math.max(order.fromMs, meetMs), toMs: order.toMs },
  ];
  const [own, other] = isFirst ? parts : parts.toReversed();
  const apart = other !== undefined && other.fromMs < other.toMs ? [other] : [];
  return { ...whole(order), ...own, otherFormat: apart };
};

test("two moments on either side of a format change are each in a clip, and no second is in both", async () => {
  const kit = launcher();
  const { planEvents, commit, tick, until, world } = kit;
  const boss = entry(1_000_000);
  const end = entry(1_010_000, "saga_end");
  const next = entry(1_016_000, "saga_next");
  world.cut = meetingAt(1_006_000);
  await commit(planEvents(boss, end));
  tick(1_015_000);
  await until(boss.seq, "recording", "saved");
  await until(end.seq, "recording", "saved");
  await commit(planEvents(next));
  tick(1_021_000);
  await until(next.seq, "recording", "saved");
  const clips = await clipsOf(kit);
  assert.deepEqual(
    clips.map(({ state, events }) => [state, events.map(({ label }) => label)]),
    [
      ["saved", ["Boss"]],
      ["saved", ["End", "Next"]],
    ],
  );
  assert.deepEqual(clips.map(secondsOf), [
    [988, 1_006],
    [1_006, 1_021],
  ]);
  assert.deepEqual(
    clips.map(({ notes }) => notes),
    [[], []],
    "nothing is lost",
  );
});

test("a moment shortly after a format change is in the clip that shows it", async () => {
  const kit = launcher();
  const boss = entry(1_000_000);
  const end = entry(1_006_100, "saga_end");
  kit.world.cut = meetingAt(1_006_000);
  await kit.commit(kit.planEvents(boss, end));
  kit.tick(1_011_200);
  await kit.until(boss.seq, "recording", "saved");
  await kit.until(end.seq, "recording", "saved");
  const clips = await clipsOf(kit);
  assert.deepEqual(
    clips.map(({ events }) => events.map(({ label }) => label)),
    [["Boss"], ["End"]],
  );
});

test("seconds of another format without a moment make no clip, and a note says what is missing", async () => {
  const kit = launcher();
  const { planEvents, commit, tick, until, world } = kit;
  const boss = entry(1_000_000);
  world.cut = meetingAt(1_002_000);
  await commit(planEvents(boss));
  tick(1_005_000);
  await until(boss.seq, "recording", "saved");
  const clips = await clipsOf(kit);
  assert.deepEqual(
    clips.map(({ notes }) => notes.map(textOf)),
    [["ends 3 s early: nothing was recorded after that"]],
  );
});

test("a split is finished before the launcher stops", async () => {
  const kit = launcher();
  const boss = entry(1_000_000);
  const end = entry(1_010_000, "saga_end");
  kit.world.cut = meetingAt(1_006_000);
  await kit.commit(kit.planEvents(boss, end));
  await kit.jobs.stop(1_012_000, 10_000);
  assert.deepEqual(await kit.statesOf(end.seq), ["recording", "saved"]);
  assert.deepEqual((await clipsOf(kit)).map(secondsOf), [
    [988, 1_006],
    [1_006, 1_012],
  ]);
});
