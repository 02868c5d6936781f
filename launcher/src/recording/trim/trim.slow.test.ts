// Tests of trims: the exact frames, the trim's own values, refusals, and a launcher that ended in between.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { copyFile, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { KitError, textOf } from "@kit/contract";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import { makeVideo } from "../../../test/recording/clips-folder.ts";
import { loudness, readSound } from "../../../test/recording/sound-program.ts";
import { sql } from "../../storage/sql.ts";
import { insertTrim } from "../clips/clip-store.ts";
import { chapterTimes } from "../exports/media-fitter.ts";
import { run, stampsIn } from "../mp4/test/stamped-footage.ts";
import { readTracks } from "./copy-trim.ts";
import { clipIn, frameMs, judge, openTrim } from "./test/trim-rig.ts";

const skip = skipWithout("ffmpeg");
let rig: Awaited<ReturnType<typeof openTrim>>;
beforeAll(async () => {
  if (!skip) rig = await openTrim();
});
afterAll(() => rig?.[Symbol.asyncDispose]());
beforeEach(async () => {
  if (skip) return;
  await rig.folder.storage.write(sql`DELETE FROM clip`);
  await rm(rig.folder.clipsDir, { recursive: true });
  await rig.folder.files.createFolders();
  Object.assign(rig.world, { quotaBytes: 1e12, pictures: [], growing: new Set() });
});

const refused = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof KitError && error.code === code && message.test(JSON.stringify([error.message, error.errors]));
const partOf = async (id: string, fromSeconds: number, toSeconds: number, title?: string) => {
  const { id: part, state } = await rig.trim.trim(id, {
    fromSeconds,
    toSeconds,
    ...(title === undefined ? {} : { title }),
  });
  assert.equal(state, "pending");
  return rig.settled(part);
};

for (const [kind, recording, frame] of [
  ["written by ffmpeg's capture", {}, frameMs],
  ["with pictures decoded in another order than shown, as OBS writes them", { reordered: true }, frameMs],
  ["with sound", { sound: true }, frameMs],
  ["with pictures at uneven intervals", { uneven: true }, frameMs + 24],
] as const) {
  test(`a trim of a clip ${kind} shows its seconds exactly to the frame`, { skip }, async () => {
    const whole = await clipIn(rig.folder, recording);
    const before = await readFile(whole.path);
    const [first] = await stampsIn(whole.path);
    // The fixture's times of reordered pictures are two frames off.
    const beganMs = Number(first?.shownMs) - Number(first?.atMs);
    // From the start, between keyframes, and to the end.
    for (const [from, to] of [
      [0, 1.7],
      [2.51, 5.99],
      [6.4, 8],
    ] as const) {
      const part = await partOf(whole.id, from, to);
      assert.equal(part.state, "saved", textOf(part.reason ?? ""));
      await judge(String(part.path), { fromMs: beganMs + from * 1_000, toMs: beganMs + to * 1_000 }, frame);
      assert.ok(Math.abs(part.duration - (to - from)) <= frame / 1_000, `${part.duration} s instead of ${to - from}`);
      assert.equal(part.startedAt, new Date(whole.fromMs + from * 1_000).toISOString());
    }
    assert.ok(before.equals(await readFile(whole.path)), "the original clip is unchanged");
  });
}

test("a trim has all sound tracks of its clip, in their order", { skip }, async () => {
  const whole = await clipIn(rig.folder, { sound: true, microphone: true });
  const trimmed = await partOf(whole.id, 1.5, 5.5);
  const part = String(trimmed.path);
  assert.deepEqual([(await readTracks(part)).soundTracks, trimmed.microphone], [2, true]);
  const [sound, voice] = [await readSound(part, 0), await readSound(part, 1)];
  const isLouder = (track: Int16Array, one: number, other: number) =>
    loudness(track, one) > 10 * loudness(track, other);
  assert.ok(isLouder(sound, 440, 1_000) && isLouder(voice, 1_000, 440));
  assert.ok(Math.abs(voice.length / 48_000 - 4) < 0.05, `${voice.length / 48_000} s`);
});

test("a trim has the sound of its seconds", { skip }, async () => {
  // The tone begins four seconds into the footage, which is 2.7 s into the clip.
  const whole = await clipIn(rig.folder, { sound: 4 });
  const part = await partOf(whole.id, 1.5, 5.5);
  assert.equal(part.microphone, undefined);
  const heard = await run([
    "-i",
    String(part.path),
    "-map",
    "0:a",
    "-ac",
    "1",
    "-ar",
    "8000",
    "-af",
    "aresample=async=1:first_pts=0",
    "-f",
    "s16le",
    "pipe:1",
  ]);
  const samples = new Int16Array(heard.buffer, heard.byteOffset, heard.length >> 1);
  const toneStart = samples.findIndex((sample) => Math.abs(sample) > 500) / 8_000;
  assert.ok(Math.abs(toneStart - 1.2) < 0.05, `the tone begins at ${toneStart} s`);
  assert.ok(Math.abs(samples.length / 8_000 - 4) < 0.1, `${samples.length / 8_000} s of sound`);
});

test("a trim has the moments, chapters, tags and backend of its seconds, and the original keeps its events", {
  skip,
}, async () => {
  const whole = await clipIn(rig.folder);
  await rig.library.change(whole.id, { tags: ["boss", "Best"], pinned: true });
  await rig.folder.storage.write(sql`
    UPDATE clip_moment SET priority = 100 WHERE event = ${whole.moments[0]?.event ?? ""}`);
  const part = await partOf(whole.id, 1, 4, "the blow");
  assert.equal(part.priority, 100, "its priority is that of its own best moment");
  const { title, trimmedFrom, tags, pinned, backend, game, kind } = part;
  assert.deepEqual(
    { title, trimmedFrom, tags, pinned, backend, game, kind },
    {
      title: "the blow",
      trimmedFrom: whole.id,
      tags: ["Best", "boss"],
      pinned: false,
      backend: "ffmpeg",
      game: "saga",
      kind: "clip",
    },
  );
  assert.deepEqual(
    part.events.map(({ id, offset }) => [id, offset]),
    [[whole.moments[0]?.event, 1]],
  );
  assert.deepEqual(await chapterTimes({ path: rig.world.program }, String(part.path)), [1]);
  assert.equal((await rig.library.get(whole.id)).events.length, 2);
  assert.deepEqual(rig.world.pictures, [`poster ${part.id}`, `preview ${part.id}`]);
  const ofPart = await partOf(part.id, 0.5, 2);
  assert.deepEqual([ofPart.trimmedFrom, ofPart.events[0]?.offset], [part.id, 0.5]);
  await judge(String(ofPart.path), { fromMs: whole.fromMs + 1_500, toMs: whole.fromMs + 3_000 });
  await rig.library.moveToTrash(whole.id);
  await rig.library.deleteForever(whole.id);
  assert.equal((await rig.library.get(part.id)).events.length, 1, "a trim stays when the original is deleted");
});

test("a video that replaced a clip and cannot be copied is encoded again, with a note", {
  skip,
}, async () => {
  const whole = await clipIn(rig.folder);
  const fragmented = join(rig.folder.clipsDir, "fragmented");
  await run(["-i", whole.path, "-c", "copy", "-f", "mp4", "-movflags", "frag_keyframe+empty_moov", fragmented]);
  await copyFile(fragmented, whole.path);
  const part = await partOf(whole.id, 2.51, 5.99);
  assert.deepEqual([part.state, part.notes.length], ["saved", 1], textOf(part.reason ?? ""));
  assert.match(textOf(part.notes[0] ?? ""), /encoded again/);
  await judge(String(part.path), { fromMs: whole.fromMs + 2_510, toMs: whole.fromMs + 5_990 });
});

test("a trim of a damaged clip fails with the reason, and leaves no file", { skip }, async () => {
  const whole = await clipIn(rig.folder);
  await truncate(whole.path, 3_000);
  const part = await partOf(whole.id, 1, 3);
  assert.equal(part.state, "failed");
  assert.match(textOf(part.reason ?? ""), /^it could not be trimmed: /);
  assert.deepEqual(
    (await readdir(rig.folder.clipsDir)).filter((name) => /part|saga/.test(name)),
    [],
  );
});

test("an impossible trim is refused with the allowed values", { skip }, async () => {
  const { id } = await clipIn(rig.folder);
  const trim = (fromSeconds: number, toSeconds: number, of = id) => rig.trim.trim(of, { fromSeconds, toSeconds });
  await assert.rejects(trim(1, 9), refused("payload_invalid", /toSeconds.*at most 8\.00/));
  await assert.rejects(trim(1, 1.4), refused("payload_invalid", /toSeconds.*at least 1\.50/));
  await assert.rejects(trim(8, 8.5), refused("payload_invalid", /toSeconds/));
  await assert.rejects(trim(0, 1, "nobody"), refused("not_found", /no such clip/));
  rig.world.growing.add(id);
  await assert.rejects(trim(1, 3), refused("payload_invalid", /grow/));
  rig.world.growing.clear();
  await rig.library.moveToTrash(id);
  await assert.rejects(trim(1, 3), refused("payload_invalid", /trash/));
  await rig.library.restore(id);
  await rig.folder.storage.write(sql`UPDATE clip SET kind = 'screenshot'`);
  await assert.rejects(trim(1, 3), refused("payload_invalid", /screenshot/));
});

test("a trim gets space within the quota by deleting other clips, and is refused if only pinned clips are left", {
  skip,
}, async () => {
  const whole = await clipIn(rig.folder);
  const other = await clipIn(rig.folder);
  await rig.library.change(whole.id, { pinned: true });
  rig.world.quotaBytes = whole.footage.bytes * 1.9;
  rig.world.nowMs = Date.now();
  const part = await partOf(whole.id, 1, 3);
  await rig.library.enforceLimits();
  assert.equal((await rig.library.get(part.id)).state, "saved", "a new trim is not the first to be deleted");
  await assert.rejects(rig.library.get(other.id), refused("not_found", /no such clip/));
  rig.world.quotaBytes = whole.footage.bytes;
  await rig.library.change(part.id, { pinned: true });
  await assert.rejects(
    rig.trim.trim(whole.id, { fromSeconds: 1, toSeconds: 3 }),
    refused("payload_invalid", /[Pp]inned/),
  );
});

test("a trim that an ended launcher left half written is made again at the next start", { skip }, async () => {
  const whole = await clipIn(rig.folder);
  const plan = {
    ...whole,
    id: "01900000-0000-7000-8000-00000000aaaa",
    fromMs: whole.fromMs + 2_000,
    toMs: whole.fromMs + 4_000,
  };
  await rig.folder.storage.write(...insertTrim(plan, { id: whole.id, backend: "ffmpeg", subject: "highlight" }));
  await writeFile(rig.folder.files.partPath(plan.id), (await readFile(whole.path)).subarray(0, 5_000));
  await rig.recover();
  assert.ok(!existsSync(rig.folder.files.partPath(plan.id)));
  await rig.create().resume();
  const part = await rig.settled(plan.id);
  assert.equal(part.state, "saved", textOf(part.reason ?? ""));
  await judge(String(part.path), plan);
  assert.equal((await rig.library.get(whole.id)).events.length, 2);
});

test("a trim whose file has its final name is not made again, and one whose original is deleted fails with the reason", {
  skip,
}, async () => {
  const whole = await clipIn(rig.folder);
  const made = await partOf(whole.id, 2, 4);
  await rig.folder.storage.write(
    sql`UPDATE clip SET state = 'pending', file = NULL, duration_ms = 0 WHERE id = ${made.id}`,
  );
  await rig.recover();
  const found = await rig.library.get(made.id);
  assert.deepEqual([found.state, found.path, found.notes, found.backend], ["saved", made.path, [], "ffmpeg"]);
  await rig.folder.storage.write(sql`UPDATE clip SET state = 'pending', file = NULL WHERE id = ${made.id}`);
  await rm(String(made.path));
  await rig.library.moveToTrash(whole.id);
  await rig.library.deleteForever(whole.id);
  await rig.recover();
  await rig.create().resume();
  assert.match(
    textOf((await rig.settled(made.id)).reason ?? ""),
    /ended before it was trimmed, and the original clip no longer exists/,
  );
});

test("a trim that waits when the launcher stops stays pending", { skip }, async () => {
  const whole = await clipIn(rig.folder);
  const trim = rig.create();
  const parts = await Promise.all(
    [1, 2, 3].map((from) => trim.trim(whole.id, { fromSeconds: from, toSeconds: from + 2 })),
  );
  await trim.stop();
  const states = await Promise.all(parts.map(async ({ id }) => (await rig.library.get(id)).state));
  assert.ok(states.includes("pending") && !states.includes("failed"), states.join());
  await rig.recover();
  await rig.create().resume();
  for (const { id } of parts) assert.equal((await rig.settled(id)).state, "saved");
  assert.equal((await readdir(rig.folder.clipsDir)).filter((name) => name.endsWith(".mp4")).length, 4);
});

test("a launcher that ends waits for the cleanup after a trim", { skip }, async () => {
  const whole = await clipIn(rig.folder);
  const order: string[] = [];
  const begun = Promise.withResolvers<void>();
  const trim = rig.create({
    library: {
      ...rig.library,
      async enforceLimits() {
        begun.resolve();
        await pause(50);
        order.push("cleaned");
        return [];
      },
    },
  });
  await trim.trim(whole.id, { fromSeconds: 1, toSeconds: 3 });
  await begun.promise;
  await trim.stop();
  order.push("stopped");
  assert.deepEqual(order, ["cleaned", "stopped"]);
});

test("an ordinary video of any length is copied, not encoded", { skip }, async () => {
  const whole = await clipIn(rig.folder);
  await makeVideo(whole.path, 8);
  const part = await partOf(whole.id, 3, 5);
  assert.deepEqual([part.state, part.notes, part.width], ["saved", [], 320], textOf(part.reason ?? ""));
});
