// Tests of reels: exact parts and chapters, copying and encoding, refusals, cancelling, a full disk, and a launcher that ended in between.
import assert from "node:assert/strict";
import { readdir, readFile, rm, symlink } from "node:fs/promises";
import { type Clip, KitError, textOf } from "@kit/contract";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { momentAt } from "../../../test/recording/clips-folder.ts";
import { loudness, readSound } from "../../../test/recording/sound-program.ts";
import { openBrowser } from "../../../test/support/browser.ts";
import { sql } from "../../storage/sql.ts";
import type { StoredClip } from "../clips/clip-row.ts";
import { insertReel } from "../clips/clip-store.ts";
import { chapterTimes } from "../exports/media-fitter.ts";
import { run } from "../mp4/test/stamped-footage.ts";
import { readTracks } from "../trim/copy-trim.ts";
import { planReel } from "./plan-reel.ts";
import { frameMs, judgeReel, openReels } from "./test/reel-rig.ts";

const skip = skipWithout("ffmpeg");
let rig: Awaited<ReturnType<typeof openReels>>;
beforeAll(async () => {
  if (!skip) rig = await openReels();
});
afterAll(() => rig?.[Symbol.asyncDispose]());
beforeEach(async () => {
  if (skip) return;
  await rig.folder.storage.write(sql`DELETE FROM clip`);
  await rm(rig.folder.clipsDir, { recursive: true });
  await rig.folder.files.createFolders();
  Object.assign(rig.world, { quotaBytes: 1e12, pictures: [], growing: new Set(), onChanged() {} });
});

const refused = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof KitError && error.code === code && message.test(JSON.stringify([error.message, error.errors]));
const filesLeft = async () => (await readdir(rig.folder.clipsDir)).filter((name) => !name.startsWith(".")).toSorted();
const wordsOf = ({ notes }: { notes: readonly Parameters<typeof textOf>[0][] }) => notes.map(textOf).join("; ");

for (const [kind, recording] of [
  ["of Kit's own capture", { sound: true }],
  ["with pictures decoded in another order than shown", { reordered: true, sound: true }],
] as const) {
  test(`a reel of clips ${kind} shows its parts in order without encoding, with a chapter for each`, {
    skip,
  }, async () => {
    const [one, two, three] = [await rig.clip(recording), await rig.clip(recording), await rig.clip(recording)];
    const reel = await rig.reels.make({
      title: "last night",
      parts: [
        { clip: two.id, fromSeconds: 1.01, toSeconds: 3.2, title: "the blow" },
        { clip: one.id },
        { clip: three.id, fromSeconds: 0, toSeconds: 2.5 },
      ],
    });
    assert.equal(reel.state, "pending");
    const made = await rig.settled(reel.id);
    assert.equal(made.state, "saved", textOf(made.reason ?? ""));
    assert.equal(wordsOf(made), "");
    assert.equal(made.title, "last night");
    // The fixture's times of reordered pictures are two frames off.
    const lateMs = "reordered" in recording ? 2 * frameMs : 0;
    const shown = [
      { fromMs: two.fromMs + 1_010, toMs: two.fromMs + 3_200 },
      { fromMs: one.fromMs, toMs: one.toMs },
      { fromMs: three.fromMs, toMs: three.fromMs + 2_500 },
    ].map(({ fromMs, toMs }) => ({ fromMs: fromMs - lateMs, toMs: toMs - lateMs }));
    await judgeReel(made, shown);
    assert.ok(Math.abs(made.duration - 8.69) < 0.05, `it lasts ${made.duration} s`);
    assert.ok(Math.abs(Number(made.frameRate) - 30) < 0.5, `it has ${made.frameRate} frames per second`);
    const chapters = await chapterTimes({ path: pathOf("ffmpeg") }, String(made.path));
    assert.deepEqual(
      chapters.map((at) => at.toFixed(2)),
      made.parts?.map(({ offset }) => offset.toFixed(2)),
    );
    assert.deepEqual(
      made.parts?.map(({ title }) => title),
      ["the blow", one.title, three.title],
    );
    assert.deepEqual(
      made.events.map(({ offset }) => offset.toFixed(1)),
      ["1.0", "4.2", "8.2"],
    );
    assert.deepEqual(rig.world.pictures, [`poster ${reel.id}`, `preview ${reel.id}`]);
  });
}

test("a reel has the microphone of its parts, and none if a part has none", { skip }, async () => {
  const talk = { sound: true, microphone: true };
  const [one, two, quiet] = [await rig.clip(talk), await rig.clip(talk), await rig.clip({ sound: true })];
  const reelOf = async (...ids: string[]) => {
    const { id } = await rig.reels.make({ parts: ids.map((clip) => ({ clip, fromSeconds: 1, toSeconds: 3 })) });
    const made = await rig.settled(id);
    assert.equal(made.state, "saved", textOf(made.reason ?? ""));
    return String(made.path);
  };
  const both = await reelOf(one.id, two.id);
  assert.equal((await readTracks(both)).soundTracks, 2);
  for (const [track, hertz, other] of [
    [0, 440, 1_000],
    [1, 1_000, 440],
  ] as const) {
    const sound = await readSound(both, track);
    for (const from of [0, 2]) {
      const [own, foreign] = [
        loudness(sound, hertz, from + 0.2, from + 1.8),
        loudness(sound, other, from + 0.2, from + 1.8),
      ];
      assert.ok(own > 10 * foreign, `track ${track} from ${from} s: ${own}, ${foreign}`);
    }
  }
  assert.equal((await readTracks(await reelOf(one.id, quiet.id))).soundTracks, 1);
});

test("the sound of each part of a reel plays with its pictures", { skip }, async () => {
  // In each clip the tone begins 2.3 s after the first picture.
  const clips = [await rig.clip({ sound: 3 }), await rig.clip({ sound: 3 })];
  const reel = await rig.reels.make({ parts: clips.map(({ id }) => ({ clip: id, fromSeconds: 1.3, toSeconds: 3.3 })) });
  const made = await rig.settled(reel.id);
  assert.equal(made.state, "saved", textOf(made.reason ?? ""));
  const filters = ["-af", "aresample=async=1:first_pts=0"];
  const heard = await run([
    "-i",
    String(made.path),
    "-map",
    "0:a",
    "-ac",
    "1",
    "-ar",
    "1000",
    ...filters,
    "-f",
    "s16le",
    "pipe:1",
  ]);
  const samples = new Int16Array(heard.buffer, heard.byteOffset, heard.length >> 1);
  const isLoud = (second: number) =>
    samples.subarray(second * 1_000, second * 1_000 + 100).some((sample) => Math.abs(sample) > 500);
  const loud = [0.4, 0.8, 1.15, 1.7, 2.4, 2.8, 3.15, 3.7].map(isLoud);
  assert.deepEqual(loud, [false, false, true, true, false, false, true, true]);
});

test("a reel of clips of different sizes, one without sound, is encoded once and says so", { skip }, async () => {
  const [wide, plain] = [await rig.clip({ width: 480, height: 270, sound: true }), await rig.clip()];
  const reel = await rig.reels.make({
    parts: [wide, plain].map(({ id }) => ({ clip: id, fromSeconds: 0.5, toSeconds: 2 })),
  });
  const made = await rig.settled(reel.id);
  assert.equal(made.state, "saved", textOf(made.reason ?? ""));
  assert.match(wordsOf(made), /encoded again: its clips differ in size$/);
  assert.deepEqual([made.width, made.height], [480, 270]);
  assert.ok(Math.abs(made.duration - 3) < 0.04, `it lasts ${made.duration} s`);
  assert.equal((await chapterTimes({ path: pathOf("ffmpeg") }, String(made.path))).length, 2);
  assert.deepEqual((await filesLeft()).length, 3);
});

test("the picture and the sound of a reel fade in and out in each part, and its microphone stays", {
  skip,
}, async () => {
  const talk = { sound: true, microphone: true };
  const clips = [await rig.clip(talk), await rig.clip(talk)];
  const parts = clips.map(({ id }) => ({ clip: id, fromSeconds: 0.5, toSeconds: 2.5 }));
  const { id } = await rig.reels.make({ parts, fade: true });
  const made = await rig.settled(id);
  assert.equal(made.state, "saved", textOf(made.reason ?? ""));
  assert.equal(wordsOf(made), "");
  assert.ok(Math.abs(made.duration - 4) < 0.04, `it lasts ${made.duration} s`);
  const path = String(made.path);
  const luma = [...(await run(["-i", path, "-vf", "scale=1:1:flags=area,format=gray", "-f", "rawvideo", "pipe:1"]))];
  assert.equal((await readTracks(path)).soundTracks, 2);
  const sounds = [await readSound(path, 0), await readSound(path, 1)];
  for (const part of [0, 1]) {
    const shown = luma.slice((part * luma.length) / 2, ((part + 1) * luma.length) / 2);
    const middle = shown[Math.floor(shown.length / 2)] ?? 0;
    assert.ok(middle > 5, `the middle is as dark as ${middle}`);
    for (const edge of [shown[0], shown.at(-1)]) assert.ok((edge ?? 255) < 0.4 * middle, `${edge} beside ${middle}`);
    for (const [track, hertz] of [440, 1_000].entries()) {
      const heard = (from: number, to: number) =>
        loudness(sounds[track] as Int16Array, hertz, part * 2 + from, part * 2 + to);
      for (const edge of [heard(0.02, 0.1), heard(1.9, 1.98)])
        assert.ok(edge < 0.4 * heard(0.9, 1.1), `track ${track} of part ${part}: ${edge} beside ${heard(0.9, 1.1)}`);
    }
  }
});

test("each part of a reel is trimmed to the seconds around its moment", { skip }, async () => {
  const clips = [await rig.clip(), await rig.clip()];
  const reel = await rig.reels.make({ parts: clips.map(({ id }) => ({ clip: id })), aroundSeconds: 1.1 });
  const ranges = reel.parts?.map(({ fromSeconds, toSeconds }) => [fromSeconds, toSeconds]);
  assert.deepEqual(ranges, [
    [1.3, 2.3],
    [1.3, 2.3],
  ]);
  assert.equal((await rig.settled(reel.id)).state, "saved");
});

test("the best clips of a day become a reel in the order of their times, without errors, reels and the originals of trims", {
  skip,
}, async () => {
  const { id: first, fromMs } = await rig.clip({}, { priority: 400 });
  const error = await rig.clip({}, { priority: 900, moments: [momentAt(fromMs + 100_000, "monitor")] });
  const whole = await rig.clip({}, { priority: 500 });
  const { id: last, toMs } = await rig.clip({}, { priority: 500 });
  await rig.folder.storage.write(sql`
    UPDATE clip SET trimmed_from = ${whole.id}, from_ms = ${whole.fromMs + 1_000} WHERE id = ${last}`);
  const ofErrors = await rig.reels.make({ parts: [{ clip: error.id }] });
  assert.equal((await rig.settled(ofErrors.id)).subject, "error");
  const times = { from: new Date(fromMs).toISOString(), to: new Date(toMs + 60_000).toISOString() };
  const reel = await rig.reels.make({ best: { ...times, count: 10 } });
  assert.deepEqual(
    reel.parts?.map(({ clip }) => clip),
    [first, last],
  );
  assert.equal((await rig.settled(reel.id)).subject, "highlight");
  const again = rig.reels.make({ best: { ...times, count: 10 } });
  await assert.rejects(again, refused("payload_invalid", /There is such a reel already/));
  const none = { from: "2001-01-01T00:00:00.000Z", to: "2001-01-02T00:00:00.000Z" };
  await assert.rejects(rig.reels.make({ best: none }), refused("payload_invalid", /no saved clip/));
});

test("the title that a reel gets by itself has the day of the system's clock", { skip }, async () => {
  const zone = process.env.TZ;
  process.env.TZ = "Pacific/Kiritimati";
  try {
    const [one, two] = [await rig.clip(), await rig.clip()];
    // 14 hours ahead of UTC, where it is the third of May.
    assert.equal(new Date(one.fromMs).getUTCDate(), 3);
    const reel = await rig.reels.make({ parts: [{ clip: one.id }, { clip: two.id }] });
    assert.equal(reel.title, "Reel 2026-05-04");
    await rig.settled(reel.id);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test("a reel of what cannot be in one is refused with the name of the clip", { skip }, async () => {
  const clip = await rig.clip();
  const parts = [{ clip: clip.id }];
  await assert.rejects(rig.reels.make({}), refused("payload_invalid", /either parts or best/));
  await assert.rejects(rig.reels.make({ parts: [{ clip: "unknown" }] }), refused("not_found", /./));
  const beyond = [{ clip: clip.id, fromSeconds: 3, toSeconds: 9 }];
  await assert.rejects(
    rig.reels.make({ parts: beyond }),
    refused("payload_invalid", /part \d+.*\/parts\/0\/toSeconds/),
  );
  rig.world.growing.add(clip.id);
  await assert.rejects(rig.reels.make({ parts }), refused("payload_invalid", /may still grow/));
  rig.world.growing.clear();
  rig.world.quotaBytes = 10;
  await rig.library.change(clip.id, { pinned: true });
  await assert.rejects(rig.reels.make({ parts }), refused("payload_invalid", /Pinned/));
  await rig.library.moveToTrash(clip.id);
  await assert.rejects(rig.reels.make({ parts }), refused("payload_invalid", /Only saved video clips/));
});

test("a cancelled reel leaves no file and no clip, and its clips stay", { skip }, async () => {
  const clips = [await rig.clip({ width: 480 }), await rig.clip()];
  const before = await filesLeft();
  const reel = await rig.reels.make({ parts: clips.map(({ id }) => ({ clip: id })) });
  await rig.reels.cancel(reel.id);
  assert.equal(await rig.store.find(reel.id), undefined);
  assert.deepEqual(await filesLeft(), before);
  await assert.rejects(rig.reels.cancel(reel.id), refused("not_found", /not being made/));
});

test("a reel tells its progress and the remaining seconds while it is made", { skip }, async () => {
  const clips = [await rig.clip({ width: 480 }), await rig.clip()];
  const told: NonNullable<Clip["progress"]>[] = [];
  let id = "";
  rig.world.onChanged = () => void told.push(rig.reels.progressById(id) ?? { share: 0, secondsLeft: null });
  ({ id } = await rig.reels.make({ parts: clips.map((one) => ({ clip: one.id })) }));
  await rig.settled(id);
  const shares = told.map(({ share }) => share).filter((share) => share > 0);
  assert.deepEqual(shares.toSorted(), shares);
  const known = told.filter(({ share, secondsLeft }) => share < 1 && secondsLeft !== null && secondsLeft >= 1);
  assert.ok(known.length > 0, JSON.stringify(told));
});

test("a reel whose clip has lost its file fails with the reason, and leaves nothing half-made", { skip }, async () => {
  const clips = [await rig.clip(), await rig.clip()];
  const reel = planReel(
    (await Promise.all(clips.map(({ id }) => rig.store.find(id)))) as StoredClip[],
    [],
    {},
    "0190f000-0000-7000-8000-000000000001",
  );
  await rig.folder.storage.write(insertReel(reel.plan, reel.parts, null));
  await rm(clips[1]?.path ?? "");
  await rig.create().resume();
  const failed = await rig.settled(reel.plan.id);
  assert.equal(failed.state, "failed");
  assert.match(textOf(failed.reason ?? ""), /could not be made/);
  assert.equal((await filesLeft()).length, 1);
});

test("a full disk while a reel is written leaves nothing half-made, and the reel says why", { skip }, async () => {
  const clips = [await rig.clip(), await rig.clip()];
  const before = await filesLeft();
  const sources = await Promise.all(clips.map(({ id }) => rig.store.find(id)));
  const reel = planReel(
    sources.flatMap((one) => one ?? []),
    [],
    {},
    "0190f000-0000-7000-8000-000000000003",
  );
  await rig.folder.storage.write(insertReel(reel.plan, reel.parts, null));
  // Each write to this device fails as on a full disk.
  await symlink("/dev/full", rig.folder.files.partPath(reel.plan.id));
  await rig.create().resume();
  const failed = await rig.settled(reel.plan.id);
  assert.equal(failed.state, "failed");
  assert.match(textOf(failed.reason ?? ""), /could not be made.*(space|ENOSPC).*make it again/);
  assert.deepEqual(await filesLeft(), before);
});

test("a reel that was unfinished when the launcher ended is made at the next start", { skip }, async () => {
  const clips = [await rig.clip(), await rig.clip()];
  const whole = await Promise.all(clips.map(({ path }) => readFile(path)));
  const sources = (await Promise.all(clips.map(({ id }) => rig.store.find(id)))) as StoredClip[];
  const reel = planReel(sources, [], { title: "the evening" }, "0190f000-0000-7000-8000-000000000002");
  await rig.folder.storage.write(insertReel(reel.plan, reel.parts, "ffmpeg"));
  await rig.recover();
  await rig.create().resume();
  const made = await rig.settled(reel.plan.id);
  assert.equal(made.state, "saved", textOf(made.reason ?? ""));
  // The next launcher finds the file if only its row was not written.
  await rig.folder.storage.write(sql`UPDATE clip SET state = 'pending', file = NULL WHERE id = ${reel.plan.id}`);
  assert.deepEqual((await rig.recover()).saved, [reel.plan.id]);
  assert.equal((await rig.library.get(reel.plan.id)).path, made.path);
  assert.deepEqual(await Promise.all(clips.map(({ path }) => readFile(path))), whole);
});

test("a reel of ten clips plays to its end in Chromium, and each chapter starts at its part", {
  skip: skip || skipWithout("Chromium"),
}, async () => {
  const clips: Awaited<ReturnType<typeof rig.clip>>[] = [];
  for (let i = 0; i < 10; i += 1) clips.push(await rig.clip({ sound: true }));
  const reel = await rig.reels.make({ parts: clips.map(({ id }) => ({ clip: id })), aroundSeconds: 1.6 });
  const made = await rig.settled(reel.id);
  assert.equal(made.state, "saved", textOf(made.reason ?? ""));
  assert.equal(wordsOf(made), "");
  const browser = await openBrowser([]);
  try {
    const page = await browser.newPage();
    const bytes = (await readFile(String(made.path))).toString("base64");
    const starts = made.parts?.map(({ offset }) => offset) ?? [];
    const watched = await page.evaluate<{ shown: number[]; ended: number; duration: number }>(
      `(${watchScript})(${JSON.stringify(bytes)}, ${JSON.stringify(starts)})`,
    );
    assert.ok(Math.abs(watched.duration - made.duration) < 0.05, `the browser says ${watched.duration} s`);
    assert.ok(watched.ended > made.duration - 0.1, `it played until ${watched.ended} s`);
    for (const [i, shownMs] of watched.shown.entries()) {
      const wantedMs = (clips[i]?.fromMs ?? 0) + (made.parts?.[i]?.fromSeconds ?? 0) * 1_000 + 500;
      assert.ok(Math.abs(shownMs - wantedMs) <= frameMs + 5, `chapter ${i} is ${shownMs - wantedMs} ms off`);
    }
  } finally {
    await browser.close();
  }
});

/** Runs in the page: looks at the picture half a second into each chapter, and plays the reel to its end. */
const watchScript = `async (base64, starts) => {
  const blob = await (await fetch("data:video/mp4;base64," + base64)).blob();
  const video = document.createElement("video");
  const happens = (name) => new Promise((resolve, reject) => {
    video.addEventListener(name, resolve, { once: true });
    video.addEventListener("error", () => reject(new Error("the browser: " + video.error?.message)), { once: true });
  });
  const context = new OffscreenCanvas(384, 16).getContext("2d", { willReadFrequently: true });
  const shownMs = () => {
    context.drawImage(video, 0, 0, 384, 16, 0, 0, 384, 16);
    const { data } = context.getImageData(0, 8, 384, 1);
    return Array.from({ length: 48 }, (_, cell) => data[(cell * 8 + 4) * 4] > 128).reduce((time, bit) => time * 2 + Number(bit), 0);
  };
  video.muted = true;
  video.src = URL.createObjectURL(blob);
  document.body.append(video);
  await happens("loadeddata");
  const shown = [];
  for (const start of starts) {
    const earlierMs = shownMs();
    const done = happens("seeked");
    video.currentTime = start + 0.5;
    await done;
    // "seeked" may come before the new picture can be drawn.
    const deadlineMs = performance.now() + 20_000;
    while (shownMs() === earlierMs && performance.now() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 20));
    shown.push(shownMs());
  }
  video.currentTime = 0;
  video.playbackRate = 2;
  const ended = happens("ended");
  await video.play();
  await ended;
  return { shown, ended: video.currentTime, duration: video.duration };
}`;
