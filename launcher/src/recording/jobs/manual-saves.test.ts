// Tests of clips and markers that a person asks for, with a real database and a scripted recorder.
import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { sql } from "../../storage/sql.ts";
import { NoFootage } from "../plans/plan.ts";
import { createManualSaves } from "./manual-saves.ts";
import { launcher as launcherOn, recording, whole } from "./test/scripted-launcher.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.storage.write(sql`DELETE FROM clip`));

function openSaves() {
  const { world, jobs, store, allLeft } = launcherOn(folder.storage);
  world.nowMs = new Date(2026, 10, 26, 21, 4, 30).getTime();
  const library = {
    get: async (id: string) => (await store.find(id))?.clip ?? assert.fail("the clip is stored"),
  };
  const saves = createManualSaves({
    jobs,
    library,
    recorder: { state: () => world.state },
    write: folder.storage.write,
    now: () => world.nowMs,
    bufferSeconds: () => 90,
    gameSince: () => "saga",
    isOn: () => world.isOn,
    onChanged: () => undefined,
  });
  return { world, saves, store, allLeft };
}

test("the last 30 seconds become a clip of the running game that is named after the time", async () => {
  const { world, saves, allLeft } = openSaves();
  const clip = await saves.save();
  assert.deepEqual(
    [
      clip.kind,
      clip.state,
      clip.title,
      Object(clip.titleMessage).code,
      clip.game,
      clip.duration,
      clip.events,
      clip.notes,
    ],
    ["clip", "saved", "Saved by you, 21:04", "clip.saved_by_you", "saga", 30, [], []],
  );
  assert.deepEqual(
    world.cuts.map(({ fromMs, toMs }) => [fromMs, toMs]),
    [[world.nowMs - 30_000, world.nowMs]],
  );
  await allLeft();
});

test("a clip that begins late says only how much was not recorded", async () => {
  const { world, saves } = openSaves();
  world.cut = (plan) => ({ ...whole(plan), fromMs: plan.fromMs + 18_000 });
  const { duration, notes } = await saves.save(30);
  assert.deepEqual([duration, notes.map(textOf)], [12, ["starts 18 s late: nothing was recorded before that"]]);
});

test("more seconds than the replay buffer holds are refused, and nothing is stored", async () => {
  const { saves, store } = openSaves();
  await assert.rejects(saves.save(91), { code: "payload_invalid", message: /replay buffer holds at most 90 s/u });
  assert.deepEqual(await store.list({}, null, 10), []);
});

test("without footage the result is a marker that says why", async () => {
  const { world, saves, store } = openSaves();
  world.state = { ...recording, state: "idle", detail: "Waits for a game's first event", heldSeconds: 0 };
  const idle = await saves.save();
  world.state = recording;
  world.cut = () => Promise.reject(new NoFootage("ffmpeg has just started"));
  const started = await saves.save();
  world.isOn = false;
  const off = await saves.save();
  const markers = [idle, started, off];
  for (const { kind, state, title } of markers)
    assert.deepEqual([kind, state, title], ["marker", "marked", "Saved by you, 21:04"]);
  assert.deepEqual(
    markers.map(({ reason }) => textOf(reason ?? "")),
    [
      "Nothing is recorded yet: Waits for a game's first event",
      "nothing was recorded at that time: ffmpeg has just started",
      "recording is switched off",
    ],
  );
  assert.equal((await store.list({}, null, 10)).length, 3);
});

test("asking again while a clip is being saved makes no second clip", async () => {
  const { saves, store } = openSaves();
  const [first, second] = await Promise.all([saves.save(), saves.save()]);
  assert.equal(first.id, second.id);
  assert.equal((await store.list({}, null, 10)).length, 1);
  assert.notEqual((await saves.save()).id, first.id);
});

test("a marker is set at this moment, with no reason to explain", async () => {
  const { world, saves } = openSaves();
  const { kind, state, title, startedAt, reason } = await saves.mark();
  assert.deepEqual(
    [kind, state, title, Date.parse(startedAt), reason],
    ["marker", "marked", "Marked by you, 21:04", world.nowMs, undefined],
  );
});
