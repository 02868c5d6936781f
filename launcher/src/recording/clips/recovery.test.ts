// Tests of recovery: a clip whose launcher ended in the middle is finished at the next start, or fails with a reason.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { copyFile, readdir, rename, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Message, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import {
  beganMs,
  type ClipsFolder,
  makeVideo,
  momentAt,
  openClipsFolder,
  planWith,
  savedWith,
  saveRow,
} from "../../../test/recording/clips-folder.ts";
import { quickFfmpeg } from "../../../test/support/quick-ffmpeg.ts";
import { insertReceiptState } from "../../inbox/inbox-store.ts";
import { sql } from "../../storage/sql.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import type { ClipPlan, Moment } from "../plans/plan.ts";
import { extendClip, insertClip, setClipTrashed } from "./clip-store.ts";
import { fileBaseName, namePartsForPlan } from "./file-names.ts";
import { finishedLaterMessage, neverCutMessage, recoverClips } from "./recovery.ts";

const skip = skipWithout("ffmpeg");
let folder: ClipsFolder;
/** Two seconds, as a cut would have written them. */
let video: string;
let outcomes: { seqs: number[]; state: string; reason: Message }[] = [];

beforeAll(async () => {
  if (skip !== false) return;
  folder = await openClipsFolder();
  video = join(folder.dir.path, "video");
  await makeVideo(video);
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(async () => {
  if (skip !== false) return;
  await folder.storage.write(sql`DELETE FROM clip`);
  await rm(folder.clipsDir, { recursive: true, force: true });
  await folder.files.createFolders();
  outcomes = [];
});

const at = (...names: string[]) => join(folder.clipsDir, ...names);
const recover = () => {
  const { clipsDir: dir, store, files, storage } = folder;
  const receipts = (events: readonly { seq: number }[], state: "saved" | "failed" | "marked", reason: Message) => {
    outcomes.push({ seqs: events.map(({ seq }) => seq), state, reason });
    return [];
  };
  return recoverClips({ dir, store, files, write: storage.write, receiptStatements: receipts });
};
async function planned(changes: Partial<ClipPlan> = {}): Promise<ClipPlan> {
  const plan = planWith(changes);
  await folder.storage.write(...insertClip(plan));
  return plan;
}
const seqsOf = (plan: ClipPlan) => plan.moments.map(({ seq }) => seq);
const clipOf = async ({ id }: ClipPlan) => {
  const kept = await folder.store.find(id);
  assert.ok(kept !== undefined, "the clip exists");
  return kept.clip;
};
/** Writes the video as a cut would have, with its start and the events that it was cut for. */
async function cutVideo(path: string, fromMs: number, moments: readonly Moment[], source = video): Promise<void> {
  const words = {
    date: new Date(fromMs).toISOString(),
    comment: JSON.stringify({ events: moments.map(({ event }) => event) }),
  };
  const metadata = Object.entries(words).flatMap(([name, value]) => ["-metadata", `${name}=${value}`]);
  const copy = ["-v", "error", "-i", source, "-c", "copy", ...metadata, "-f", "mp4", path];
  await runFfmpeg({ path: quickFfmpeg() }, copy, { outBytesMax: 0 });
}
const finalNameOf = (plan: ClipPlan) => `${fileBaseName(namePartsForPlan(plan))}.mp4`;

test("a clip without any written footage fails, and so do its events, with the reason", { skip }, async () => {
  const plan = await planned();
  assert.deepEqual(await recover(), { saved: [], failed: [plan.id] });
  const { state, reason } = await clipOf(plan);
  assert.deepEqual([state, reason], ["failed", neverCutMessage]);
  assert.deepEqual(outcomes, [{ seqs: seqsOf(plan), state: "failed", reason: neverCutMessage }]);
  assert.deepEqual(await recover(), { saved: [], failed: [] }, "a second recovery finds nothing");
});

test("a complete part is checked and kept, and the clip keeps the notes of its plan", { skip }, async () => {
  const isBlack = message("clip.is_black");
  const plan = await planned({ notes: [isBlack] });
  await cutVideo(folder.files.partPath(plan.id), plan.fromMs, plan.moments);
  assert.deepEqual(await recover(), { saved: [plan.id], failed: [] });
  const { state, path, duration, notes, startedAt } = await clipOf(plan);
  assert.deepEqual([state, duration, notes], ["saved", 2, [isBlack]]);
  assert.deepEqual([path, startedAt], [at(finalNameOf(plan)), new Date(plan.fromMs).toISOString()]);
  assert.ok(existsSync(at(finalNameOf(plan))) && !existsSync(folder.files.partPath(plan.id)));
  assert.deepEqual(outcomes, [{ seqs: seqsOf(plan), state: "saved", reason: finishedLaterMessage }]);
});

test("a part that was cut before the clip was extended is saved for the events it was cut for, and for no others", {
  skip,
}, async () => {
  const moments = [momentAt(beganMs + 1_000), momentAt(beganMs + 6_000)];
  const plan = await planned({ moments, toMs: beganMs + 8_000 });
  await cutVideo(folder.files.partPath(plan.id), beganMs, moments.slice(0, 1));
  assert.deepEqual((await recover()).saved, [plan.id]);
  assert.deepEqual(outcomes, [
    { seqs: [moments[0]?.seq], state: "saved", reason: finishedLaterMessage },
    { seqs: [moments[1]?.seq], state: "marked", reason: neverCutMessage },
  ]);
  const marker = (await folder.store.findByEvent(moments[1]?.event ?? ""))?.clip;
  assert.deepEqual([marker?.kind, marker?.state], ["marker", "marked"]);
  const { startedAt, notes } = await clipOf(plan);
  assert.equal(startedAt, new Date(beganMs).toISOString());
  assert.match(notes.map(textOf).join(), /was to become longer/);
});

test("a part that begins later than planned has its real start, and the clip has a note about what is missing", {
  skip,
}, async () => {
  const plan = await planned({ moments: [momentAt(beganMs + 4_000)], toMs: beganMs + 5_000 });
  await cutVideo(folder.files.partPath(plan.id), beganMs + 3_000, plan.moments);
  await recover();
  const { startedAt, notes } = await clipOf(plan);
  assert.equal(startedAt, new Date(beganMs + 3_000).toISOString());
  assert.match(notes.map(textOf).join(), /starts 3 s late/);
});

test("a part that shows no moment of its clip is deleted, and the clip is a marker", { skip }, async () => {
  const plan = await planned({ toMs: beganMs + 6_000, moments: [momentAt(beganMs + 500)] });
  await cutVideo(folder.files.partPath(plan.id), beganMs + 3_000, plan.moments);
  await recover();
  const { kind, state, path } = await clipOf(plan);
  assert.deepEqual([kind, state, path], ["marker", "marked", null]);
  assert.ok(!existsSync(at(finalNameOf(plan))));
  assert.deepEqual(outcomes, [{ seqs: seqsOf(plan), state: "marked", reason: neverCutMessage }]);
});

test("a part without its start time is kept, and the clip has a note that its start is not certain", {
  skip,
}, async () => {
  const plan = await planned();
  await copyFile(video, folder.files.partPath(plan.id));
  await recover();
  assert.match((await clipOf(plan)).notes.map(textOf).join(), /before it stored where the clip starts/);
});

test("a moment that is not in its part is not reported as saved", { skip }, async () => {
  const moments = [momentAt(beganMs + 100), momentAt(beganMs + 5_000)];
  const plan = await planned({ moments, toMs: beganMs + 6_000 });
  await cutVideo(folder.files.partPath(plan.id), beganMs + 4_000, moments);
  await recover();
  assert.deepEqual(
    outcomes.map(({ seqs, state }) => [seqs, state]),
    [
      [[moments[1]?.seq], "saved"],
      [[moments[0]?.seq], "marked"],
    ],
  );
});

for (const [damage, spoil] of [
  ["cut short", (part: string) => truncate(part, 20_000)],
  ["empty", (part: string) => truncate(part, 0)],
  ["not a video", (part: string) => writeFile(part, "garbage".repeat(1_000))],
] as const) {
  test(`a part that is ${damage} is deleted, and the clip fails`, { skip }, async () => {
    const plan = await planned();
    await copyFile(video, folder.files.partPath(plan.id));
    await spoil(folder.files.partPath(plan.id));
    assert.deepEqual((await recover()).failed, [plan.id]);
    assert.deepEqual((await readdir(folder.clipsDir)).toSorted(), [".bin", ".media"]);
  });
}

test("a file that had its final name but no row yet is found and kept", { skip }, async () => {
  const plan = await planned();
  await copyFile(video, at(finalNameOf(plan)));
  assert.deepEqual((await recover()).saved, [plan.id]);
  assert.equal((await clipOf(plan)).path, at(finalNameOf(plan)));
});

test("a clip gets its name even if an empty file reserved it", { skip }, async () => {
  const plan = await planned();
  await writeFile(at(finalNameOf(plan)), "");
  await cutVideo(folder.files.partPath(plan.id), plan.fromMs, plan.moments);
  await recover();
  assert.equal((await clipOf(plan)).path, at(finalNameOf(plan)));
  const lost = await planned({ fromMs: beganMs + 60_000 });
  await writeFile(at(finalNameOf(lost)), "");
  assert.deepEqual((await recover()).failed, [lost.id]);
  assert.ok(!existsSync(at(finalNameOf(lost))));
});

test("another clip's file and a file from before the moment are not used for a clip with their name", {
  skip,
}, async () => {
  const plan = await planned();
  await copyFile(video, at(finalNameOf(plan)));
  await saveRow(folder, planWith(), { file: finalNameOf(plan) });
  const older = at(finalNameOf(plan).replace(".mp4", " 2.mp4"));
  await copyFile(video, older);
  await utimes(older, new Date(beganMs - 1_000), new Date(beganMs - 1_000));
  assert.deepEqual((await recover()).failed, [plan.id]);
  assert.ok(existsSync(older));
});

/** A clip saved with two seconds, then extended by a moment after them. */
async function grown(): Promise<ClipPlan> {
  const first = planWith();
  const file = finalNameOf(first);
  await copyFile(video, at(file));
  const longer = { ...first, toMs: first.toMs + 3_000, moments: [...first.moments, momentAt(first.toMs + 1_000)] };
  await saveRow(folder, first, savedWith(first, { file }));
  await folder.storage.write(...extendClip(longer));
  return longer;
}

test("if a clip was to be extended, its first cut stays: events in it are saved, the one after its end fails", {
  skip,
}, async () => {
  const plan = await grown();
  assert.deepEqual(await recover(), { saved: [plan.id], failed: [] });
  const { state, duration, events, notes } = await clipOf(plan);
  assert.deepEqual([state, duration, events.length, notes], ["saved", 2, 1, [neverCutMessage]]);
  const [inside, behind] = seqsOf(plan);
  assert.deepEqual(
    outcomes.map(({ seqs, state }) => [seqs, state]),
    [
      [[inside], "saved"],
      [[behind], "failed"],
    ],
  );
});

test("a longer cut that was written completely replaces the first cut", { skip }, async () => {
  const plan = await grown();
  await makeVideo(folder.files.partPath(plan.id), 5);
  assert.deepEqual((await recover()).saved, [plan.id]);
  const { duration, events, path } = await clipOf(plan);
  assert.deepEqual([duration, events.length, path], [5, 2, at(finalNameOf(plan))]);
});

test("a longer cut that had its final name but no row yet is used", { skip }, async () => {
  const plan = await grown();
  const longer = join(folder.dir.path, "longer");
  await makeVideo(longer, 5);
  await rm(at(finalNameOf(plan)));
  await cutVideo(at(finalNameOf(plan)), plan.fromMs, plan.moments, longer);
  assert.deepEqual((await recover()).saved, [plan.id]);
  const { duration, events, notes } = await clipOf(plan);
  assert.deepEqual([duration, events.length, notes], [5, 2, []]);
  assert.deepEqual(
    outcomes.map(({ seqs, state }) => [seqs, state]),
    [[seqsOf(plan), "saved"]],
  );
});

test("an event that is already saved gets no second receipt", { skip }, async () => {
  const plan = await grown();
  const { clipsDir: dir, store, files, storage } = folder;
  const [first] = plan.moments;
  assert.ok(first);
  const receipts = (moments: readonly Moment[], state: "saved" | "failed" | "marked", reason: Message) => [
    insertReceiptState(moments, state, "recording", beganMs, reason),
  ];
  await storage.write(...receipts([first], "saved", finishedLaterMessage));
  await recoverClips({ dir, store, files, write: storage.write, receiptStatements: receipts });
  const rows = await storage.read(sql`SELECT event_seq, state FROM receipt ORDER BY event_seq, seq`);
  assert.deepEqual(
    rows.map((row) => [row.event_seq, row.state]),
    [
      [seqsOf(plan)[0], "saved"],
      [seqsOf(plan)[1], "failed"],
    ],
  );
});

test("the first cut is also used if the clip is in the trash", { skip }, async () => {
  const plan = await grown();
  const from = finalNameOf(plan);
  const to = join(".bin", `${plan.id}.mp4`);
  await rename(at(from), at(to));
  await folder.storage.write(setClipTrashed(plan.id, beganMs, from));
  assert.deepEqual((await recover()).saved, [plan.id]);
  assert.equal((await clipOf(plan)).path, at(to));
});

test("a moment before the first cut is not reported as in it", { skip }, async () => {
  const plan = await grown();
  const early = momentAt(beganMs - 10_000);
  await folder.storage.write(...extendClip({ ...plan, moments: [early, ...plan.moments] }));
  await recover();
  const failed = outcomes.filter(({ state }) => state === "failed").flatMap(({ seqs }) => seqs);
  assert.ok(failed.includes(early.seq));
  assert.ok(!(await clipOf(plan)).events.some(({ id }) => id === early.event));
});

test("if the first cut is missing too, the clip fails", { skip }, async () => {
  const plan = await grown();
  await rm(at(finalNameOf(plan)));
  assert.deepEqual((await recover()).failed, [plan.id]);
  const { state, path, bytes } = await clipOf(plan);
  assert.deepEqual([state, path, bytes], ["failed", null, 0]);
  assert.deepEqual(
    outcomes.map(({ seqs, state }) => [seqs, state]),
    [[seqsOf(plan), "failed"]],
  );
});

test("a screenshot is found by its name, or fails", { skip }, async () => {
  const taken = await planned({ kind: "screenshot", toMs: beganMs });
  const lost = await planned({ kind: "screenshot", toMs: beganMs + 1 });
  const kept = await folder.files.saveScreenshot(taken.id, video, 500, namePartsForPlan(taken));
  await copyFile(video, folder.files.partPath(lost.id));
  await saveRow(folder, planWith(), { file: "other.mp4" });
  assert.deepEqual(await recover(), { saved: [taken.id], failed: [lost.id] });
  assert.equal((await clipOf(taken)).path, at(kept.file));
});

test("parts without a pending clip are deleted, and foreign files are not touched", { skip }, async () => {
  const { id } = planWith();
  const ours = [
    `${id}.part`,
    `${id}.jpg.part`,
    join(".media", `${id}.jpg.part`),
    join(".media", `${id}.small.jpg.part`),
    join(".media", `${id}.mp4.part`),
  ];
  const others = ["a film.mp4", "download.part", join(".media", "x.part")];
  for (const name of [...ours, ...others]) await writeFile(at(name), "x");
  await recover();
  assert.deepEqual(
    [...ours, ...others].filter((name) => existsSync(at(name))),
    others,
  );
});

test("a missing folder, or a file in its place, does not stop the start", { skip }, async () => {
  const plan = await planned();
  await rm(folder.clipsDir, { recursive: true });
  await writeFile(folder.clipsDir, "a file in the folder's place");
  assert.deepEqual((await recover()).failed, [plan.id]);
  await rm(folder.clipsDir);
});

test("rows and receipts are committed together", { skip }, async () => {
  const plan = await planned();
  const { clipsDir: dir, store, files, storage } = folder;
  const receipts = (events: readonly { seq: number }[], state: "saved" | "failed" | "marked", reason: Message) => [
    insertReceiptState(events, state, "recording", beganMs, reason),
    sql`INSERT INTO nowhere (x) VALUES (1)`,
  ];
  await assert.rejects(recoverClips({ dir, store, files, write: storage.write, receiptStatements: receipts }));
  assert.equal((await clipOf(plan)).state, "pending");
});
