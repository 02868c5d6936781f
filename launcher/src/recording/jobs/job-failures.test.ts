// Tests of clip jobs that fail or grow at a bad moment: every event gets a final receipt, and none claims too much.
import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { sql } from "../../storage/sql.ts";
import { NoFootage } from "../plans/plan.ts";
import { entry, launcher as launcherOn, recording, whole } from "./test/scripted-launcher.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.storage.write(sql`DELETE FROM clip`, sql`DELETE FROM receipt`));
type Rules = NonNullable<Parameters<typeof launcherOn>[1]>;
const launcher = (rules?: Rules) => launcherOn(folder.storage, rules);
type Launcher = ReturnType<typeof launcher>;

const newestOf = async ({ store }: Launcher) => {
  const [kept] = await store.list({}, null, 10);
  assert.ok(kept);
  return kept.clip;
};

/** A trigger whose cut waits, and a second trigger that joins its clip meanwhile. */
async function grownWhileCut(kit: Launcher) {
  const { planEvents, commit, tick, world } = kit;
  const boss = entry(1_000_000);
  const end = entry(1_010_000, "saga_end");
  const gate = Promise.withResolvers<void>();
  await commit(planEvents(boss));
  world.cut = async (order) => {
    await gate.promise;
    return whole(order);
  };
  tick(1_005_000);
  world.nowMs = 1_010_000;
  await commit(planEvents(end));
  return { boss, end, gate };
}

test("a clip that grew while it was cut is still pending when that cut is saved, so that a crash leaves no receipt open", async () => {
  const kit = launcher();
  const { boss, end, gate } = await grownWhileCut(kit);
  gate.resolve();
  await kit.until(boss.seq, "recording", "saved");
  const { state, duration, events } = await newestOf(kit);
  assert.deepEqual([state, duration, events.length], ["pending", 17, 2]);
  kit.tick(1_015_000);
  await kit.until(end.seq, "recording", "saved");
  assert.equal((await newestOf(kit)).state, "saved");
});

test("a clip that grew while it was cut is still pending when that cut fails", async () => {
  const kit = launcher();
  const { boss, end, gate } = await grownWhileCut(kit);
  gate.reject(new Error("the disk is full"));
  await kit.until(boss.seq, "recording", "failed");
  assert.equal((await newestOf(kit)).state, "pending");
  kit.world.cut = whole;
  kit.tick(1_015_000);
  await kit.until(end.seq, "recording", "saved");
  await kit.until(boss.seq, "recording", "failed", "saved");
});

test("a launcher that stops while a growing clip is cut saves the later moment too", async () => {
  const kit = launcher();
  const { boss, end, gate } = await grownWhileCut(kit);
  const stopped = kit.jobs.stop(1_011_000, 5_000);
  gate.resolve();
  await stopped;
  await kit.until(boss.seq, "recording", "saved");
  await kit.until(end.seq, "recording", "saved");
  assert.equal(kit.world.cuts.at(-1)?.toMs, 1_011_000);
});

test("a late event is a marker if its clip does not show its time", async () => {
  const kit = launcher();
  const { planEvents, commit, tick, until, world } = kit;
  const boss = entry(1_000_000);
  const late = entry(990_000, "saga_late");
  world.cut = (order) => ({ ...whole(order), fromMs: 996_000 });
  await commit(planEvents(boss));
  tick(1_005_000);
  await until(boss.seq, "recording", "saved");
  tick(1_013_500);
  await kit.allLeft();
  await commit(planEvents(late));
  await until(late.seq, "marked");
  assert.match(
    String((await kit.reasonsOf(late.seq))[0]),
    /nothing was recorded at the moment, only 6 s away from it$/,
  );
});

test("a moment before the first file is not reported as saved if the longer cut fails", async () => {
  const kit = launcher({ saga_boss: { mergeGapSeconds: 20 } });
  const { planEvents, commit, tick, until, world } = kit;
  const boss = entry(1_000_000);
  const early = entry(984_000, "saga_early");
  await commit(planEvents(boss));
  tick(1_005_000);
  await until(boss.seq, "recording", "saved");
  world.cut = () => Promise.reject(new Error("the disk is full"));
  await commit(planEvents(early));
  tick(1_005_100);
  await until(early.seq, "recording", "failed");
  assert.deepEqual(
    (await newestOf(kit)).events.map(({ label }) => label),
    ["Boss"],
  );
});

test("a moment in a gap of the footage is a marker", async () => {
  const { planEvents, commit, tick, until, world, reasonsOf } = launcher();
  const boss = entry(1_000_000);
  world.cut = (order) => ({ ...whole(order), gaps: [{ fromMs: 998_000, toMs: 1_001_000 }] });
  await commit(planEvents(boss));
  tick(1_005_000);
  await until(boss.seq, "recording", "marked");
  assert.match(String((await reasonsOf(boss.seq))[1]), /nothing was recorded at the moment, only 1 s away from it$/);
});

test("a rule changed to nothing does not cancel a clip that was already planned", async () => {
  const rules: Rules = {};
  const { planEvents, commit, tick, until, allLeft } = launcher(rules);
  const boss = entry(1_000_000);
  planEvents(boss);
  rules.saga_boss = { action: "nothing" };
  await commit(planEvents(boss));
  tick(1_005_000);
  await until(boss.seq, "recording", "saved");
  tick(1_013_500);
  await allLeft();
});

test("a clip is saved even if the cleanup after it fails", async () => {
  const kit = launcher();
  const boss = entry(1_000_000);
  await kit.commit(kit.planEvents(boss));
  kit.world.tidy = () => Promise.reject(new Error("the folder cannot be read"));
  const failures: string[] = [];
  kit.world.onFailure = (what) => void failures.push(what);
  kit.tick(1_005_000);
  await kit.until(boss.seq, "recording", "saved");
  kit.tick(1_013_500);
  await kit.allLeft();
  const late = entry(1_001_000, "saga_late");
  await kit.commit(kit.planEvents(late));
  assert.match(String((await kit.reasonsOf(late.seq))[0]), /^17\.0 s/);
});

test("a moment after a clip that became a marker gets its own clip", async () => {
  const kit = launcher();
  const { planEvents, commit, tick, until, world } = kit;
  const boss = entry(1_000_000);
  const end = entry(1_008_000, "saga_end");
  await commit(planEvents(boss));
  world.cut = () => Promise.reject(new NoFootage("the screen is gone"));
  world.state = { ...recording, state: "broken", detail: "The screen is gone", heldSeconds: 0 };
  tick(1_005_000);
  await until(boss.seq, "recording", "marked");
  [world.state, world.cut] = [recording, whole];
  await commit(planEvents(end));
  tick(1_013_000);
  await until(end.seq, "recording", "saved");
  const { kind, state, events } = await newestOf(kit);
  assert.deepEqual([kind, state, events.length], ["clip", "saved", 1]);
});

test("a failed cut starts no cooldown, and the same trigger gets its clip later", async () => {
  const { planEvents, commit, tick, until, world } = launcher();
  const boss = entry(1_000_000);
  const again = entry(1_006_000);
  await commit(planEvents(boss));
  world.cut = () => Promise.reject(new Error("the disk is full"));
  tick(1_005_000);
  await until(boss.seq, "recording", "failed");
  world.cut = whole;
  await commit(planEvents(again));
  tick(1_011_000);
  await until(again.seq, "recording", "saved");
});
