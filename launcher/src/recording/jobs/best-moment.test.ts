// Tests of what a clip is of: its best moment names and pictures it, and errors only where nothing else happened.
import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { sql } from "../../storage/sql.ts";
import { ErrorClipLimiter } from "../plans/planner.ts";
import { entry, launcher as launcherOn, whole } from "./test/scripted-launcher.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.storage.write(sql`DELETE FROM clip`, sql`DELETE FROM receipt`));
const launcher = (rules?: Parameters<typeof launcherOn>[1]) => launcherOn(folder.storage, rules);
type Kit = ReturnType<typeof launcher>;

/** Plans the clip of an error report as the launcher does. */
async function reportError(kit: Kit, atMs: number): Promise<void> {
  const request = new ErrorClipLimiter(
    () => atMs,
    () => 12_000,
  ).requestFor({ event: `error-${atMs}`, seq: atMs, game: "saga", message: "No key", atMs });
  assert.ok(request);
  await kit.commit(kit.planMoment(request));
}
const clipsOf = async ({ store }: Kit) =>
  (await store.list({}, null, 10)).map(({ clip: { kind, state, subject, title, priority, events } }) => ({
    is: [kind, state, subject, title, priority].join(" "),
    events: events.map(({ label }) => label),
  }));

test("a highlight that covers an error takes it over as a chapter, and no clip is made of the error", async () => {
  const kit = launcher();
  await reportError(kit, 990_000);
  const boss = entry(1_000_000);
  kit.tick(1_000_000);
  await kit.commit(kit.planEvents(boss));
  kit.tick(1_013_500);
  await kit.until(boss.seq, "recording", "saved");
  await kit.allLeft();
  assert.deepEqual(await clipsOf(kit), [{ is: "clip saved highlight Boss 500", events: ["No key", "Boss"] }]);
  assert.deepEqual(
    kit.world.cuts.map(({ fromMs, toMs }) => [fromMs, toMs]),
    [[988_000, 1_005_000]],
  );
});

test("an error that no highlight covers gets its own clip, which is no highlight", async () => {
  const kit = launcher();
  await reportError(kit, 980_000);
  const boss = entry(1_000_000);
  kit.tick(1_000_000);
  await kit.commit(kit.planEvents(boss));
  kit.tick(1_013_500);
  await kit.until(boss.seq, "recording", "saved");
  await kit.allLeft();
  assert.deepEqual(await clipsOf(kit), [
    { is: "clip saved highlight Boss 500", events: ["Boss"] },
    { is: "clip saved error No key 500", events: ["No key"] },
  ]);
});

test("a moment of a higher priority that joins later renames its clip, unless a person named it", async () => {
  const kit = launcher({ saga_boss: { priority: 900 } });
  const step = entry(1_000_000, "saga_step");
  const boss = entry(1_004_000);
  await kit.commit(kit.planEvents(step));
  await kit.commit(kit.planEvents(boss));
  assert.equal((await clipsOf(kit))[0]?.is, "clip pending highlight Boss 900");
  await folder.storage.write(sql`UPDATE clip SET title = 'Mine', named = 1`);
  await kit.commit(kit.planEvents(entry(1_006_000, "saga_end")));
  assert.equal((await clipsOf(kit))[0]?.is, "clip pending highlight Mine 900");
});

test("of two moments, the one before the footage is a marker, and the clip is of the other", async () => {
  const kit = launcher();
  const start = entry(1_000_000, "saga_start");
  const boss = entry(1_006_000);
  kit.world.cut = (order) => ({ ...whole(order), fromMs: Math.max(order.fromMs, 1_003_000) });
  await kit.commit(kit.planEvents(start, boss));
  kit.tick(1_011_000);
  await kit.until(boss.seq, "recording", "saved");
  await kit.until(start.seq, "recording", "marked");
  kit.tick(1_019_500);
  await kit.allLeft();
  assert.deepEqual(await clipsOf(kit), [
    { is: "marker marked highlight Start 500", events: ["Start"] },
    { is: "clip saved highlight Boss 500", events: ["Boss"] },
  ]);
});

test("a clip that ends where the footage changes its format is named after what it still shows", async () => {
  const kit = launcher({ saga_boss: { preSeconds: 12, postSeconds: 5, priority: 900 } });
  const { world } = kit;
  await reportError(kit, 994_000);
  const boss = entry(1_000_000);
  kit.tick(1_000_000);
  await kit.commit(kit.planEvents(boss));
  // The game's window changed its size between the error and the boss.
  world.cut = (plan) =>
    plan.fromMs < 997_000
      ? { ...whole(plan), toMs: 997_000, otherFormat: [{ fromMs: 997_000, toMs: 1_005_000 }] }
      : whole(plan);
  kit.tick(1_013_500);
  await kit.until(boss.seq, "recording", "saved");
  await kit.allLeft();
  assert.deepEqual(await clipsOf(kit), [
    { is: "clip saved highlight Boss 900", events: ["Boss"] },
    { is: "clip saved error No key 500", events: ["No key"] },
  ]);
});
