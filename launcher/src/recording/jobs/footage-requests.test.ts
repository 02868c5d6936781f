// Tests of footage for posts: it comes from the clips of its time, when their file is final, or not at all with the reason.

import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { sql } from "../../storage/sql.ts";
import { deleteClips, setClipTrashed } from "../clips/clip-store.ts";
import { NoFootage } from "../plans/plan.ts";
import type { FootageRequest } from "./footage-requests.ts";
import { entry, launcher as launcherOn, recording, whole } from "./test/scripted-launcher.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.storage.write(sql`DELETE FROM clip`, sql`DELETE FROM receipt`));
const launcher = (rules?: Parameters<typeof launcherOn>[1]) => launcherOn(folder.storage, rules);

let made = 0;
function wanted(atMs: number, changes: Partial<FootageRequest> = {}): FootageRequest {
  made += 1;
  const seq = 10_000 + made;
  return { event: `social-${made}`, seq, eventId: "saga_boss", game: "saga", atMs, kind: "clip", ...changes };
}
const nobody = { ...recording, state: "off", detail: "Recording is set to never", heldSeconds: 0 } as const;
type Kit = ReturnType<typeof launcher>;
const rows = async ({ store }: Kit) => (await store.list({}, null, 10)).map(({ clip }) => clip);
async function reasonOf({ footage }: Kit, { event }: FootageRequest): Promise<string> {
  const found = await footage.statusOf(event);
  return found.state === "none" ? textOf(found.reason) : found.state;
}

test("a recording trigger and a post in the same second share a clip, and only the trigger gets receipts", async () => {
  const kit = launcher();
  const { planEvents, commit, tick, until, allLeft, footage, statesOf } = kit;
  const boss = entry(1_000_000);
  const post = wanted(1_000_000);
  await commit(planEvents(boss));
  await footage.requestFootage(post);
  assert.deepEqual(await footage.statusOf(post.event), { state: "pending" });
  tick(1_005_000);
  await until(boss.seq, "recording", "saved");
  const [clip, ...others] = await rows(kit);
  assert.deepEqual([others.length, clip?.events.map(({ kind }) => kind)], [0, ["recording", "social"]]);
  assert.deepEqual(await footage.statusOf(post.event), { state: "pending" }, "the clip may still grow");
  tick(1_013_500);
  await allLeft();
  assert.deepEqual(await footage.statusOf(post.event), {
    state: "saved",
    id: clip?.id,
    kind: "clip",
    path: clip?.path,
    bytes: 7,
    seconds: 17,
    width: 64,
    height: 48,
    poster: null,
    momentPart: null,
    // The picture of the clip shows its best moment, which the trigger is.
    pictureSeconds: 12,
  });
  assert.deepEqual(await statesOf(post.seq), []);
});

test("a clip that grows while a post waits is returned in its final form", async () => {
  const { planEvents, commit, tick, until, allLeft, footage } = launcher();
  const post = wanted(1_000_000);
  await footage.requestFootage(post);
  tick(1_005_000);
  const later = entry(1_008_000);
  await commit(planEvents(later));
  tick(1_013_000);
  await until(later.seq, "recording", "saved");
  assert.equal((await footage.statusOf(post.event)).state, "pending");
  tick(1_021_500);
  await allLeft();
  const found = await footage.statusOf(post.event);
  assert.equal(found.state === "saved" && found.seconds, 25);
});

test("footage of a longer clip names the seconds around its own moment, and where it is", async () => {
  const kit = launcher({ saga_boss: { preSeconds: 4, postSeconds: 2 }, saga_won: { preSeconds: 12, postSeconds: 5 } });
  const { planEvents, commit, tick, allLeft, footage } = kit;
  await commit(planEvents(entry(1_000_000, "saga_won")));
  const post = wanted(1_007_000);
  await footage.requestFootage(post);
  tick(1_030_000);
  await allLeft();
  const found = await footage.statusOf(post.event);
  assert.ok(found.state === "saved");
  assert.deepEqual(
    [found.seconds, found.momentPart, found.pictureSeconds],
    [21, { fromSeconds: 15, toSeconds: 21 }, 19],
  );
  const ofClip = await footage.statusOfClip(found.id);
  assert.deepEqual(ofClip.state === "saved" && [ofClip.momentPart, ofClip.pictureSeconds], [null, null]);
});

test("a post gets its clip with the seconds set for its id, even if the id's rule records no clip", async () => {
  for (const action of ["nothing", "marker", "screenshot"] as const) {
    const { footage, tick, allLeft } = launcher({ saga_boss: { action, preSeconds: 4, postSeconds: 2 } });
    const post = wanted(1_000_000);
    await footage.requestFootage(post);
    tick(1_010_500);
    await allLeft();
    const found = await footage.statusOf(post.event);
    assert.deepEqual(found.state === "saved" && [found.kind, found.seconds], ["clip", 6], action);
  }
});

test("a requested screenshot is made separately", async () => {
  const kit = launcher();
  const post = wanted(1_000_000, { kind: "screenshot" });
  await kit.footage.requestFootage(post);
  await kit.allLeft();
  const found = await kit.footage.statusOf(post.event);
  assert.deepEqual(found.state === "saved" && [found.kind, found.seconds], ["screenshot", 0]);
});

test("repeated requests for a post, also from the next launcher, make one clip", async () => {
  const kit = launcher();
  const post = wanted(1_000_000);
  await Promise.all([kit.footage.requestFootage(post), kit.footage.requestFootage(post)]);
  const next = launcher();
  await next.footage.requestFootage(post);
  assert.equal((await rows(next)).length, 1);
  assert.equal(next.world.held.size, 0, "nothing is held");
  kit.tick(1_013_500);
  await kit.allLeft();
  await kit.footage.requestFootage(post);
  assert.equal(kit.world.held.size, 0);
  assert.equal((await next.footage.statusOf(post.event)).state, "saved");
});

test("two posts of one id within its cooldown each get a clip", async () => {
  const kit = launcher({ saga_boss: { cooldownSeconds: 600 } });
  const first = wanted(1_000_000);
  const second = wanted(1_100_000);
  await kit.footage.requestFootage(first);
  await kit.footage.requestFootage(second);
  assert.equal((await rows(kit)).length, 2);
  kit.tick(1_200_000);
  await kit.allLeft();
});

test("if recording is impossible, no marker is made, and the reason is returned", async () => {
  const kit = launcher();
  const off = wanted(1_000_000);
  const old = wanted(800_000);
  const none = wanted(1_000_000);
  kit.world.isOn = false;
  await kit.footage.requestFootage(off);
  kit.world.isOn = true;
  await kit.footage.requestFootage(old);
  kit.world.state = nobody;
  await kit.footage.requestFootage(none);
  assert.equal(await reasonOf(kit, off), "recording is switched off for saga");
  assert.match(await reasonOf(kit, old), /the launcher started later/);
  assert.equal(await reasonOf(kit, none), "Recording is set to never");
  assert.match(await reasonOf(kit, wanted(1_000_000)), /no footage was requested for it/);
  assert.deepEqual(await rows(kit), []);
});

test("a clip that failed, was deleted, or lacks the moment counts as no footage, with the reason", async () => {
  const kit = launcher();
  const { footage, world, tick, allLeft, store } = kit;
  const made = async (atMs: number, cut: typeof world.cut) => {
    const post = wanted(atMs);
    world.cut = cut;
    world.nowMs = atMs;
    await footage.requestFootage(post);
    tick(atMs + 13_500);
    await allLeft();
    return { post, id: (await store.findByEvent(post.event))?.clip.id ?? "" };
  };
  const failed = await made(1_000_000, () => Promise.reject(new NoFootage("the screen was locked")));
  assert.match(await reasonOf(kit, failed.post), /nothing was recorded at that time: the screen was locked/);
  const gaps = [{ fromMs: 1_095_000, toMs: 1_103_000 }];
  const withGap = await made(1_100_000, (order) => ({ ...whole(order), gaps }));
  assert.match(await reasonOf(kit, withGap.post), /nothing was recorded at the moment, only 3 s away/);
  const short = await made(1_200_000, (order) => ({ ...whole(order), toMs: order.toMs - 9_000 }));
  assert.match(await reasonOf(kit, short.post), /only 4 s away/);
  const gone = await made(1_300_000, whole);
  assert.equal(await reasonOf(kit, gone.post), "saved");
  world.missing.add(gone.id);
  assert.match(await reasonOf(kit, gone.post), /no longer in the clips folder/);
  await folder.storage.write(setClipTrashed(gone.id, 1, "a.mp4"));
  assert.match(await reasonOf(kit, gone.post), /in the trash/);
  await folder.storage.write(deleteClips([gone.id]));
  assert.match(await reasonOf(kit, gone.post), /deleted/);
});
