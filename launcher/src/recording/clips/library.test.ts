// Tests of the library: what people do with clips, and the trash, the quota, a full disk, and files that disappear.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { KitError, textOf } from "@kit/contract";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { beganMs, type ClipsFolder, openClipsFolder, planWith, saveRow } from "../../../test/recording/clips-folder.ts";
import { sql } from "../../storage/sql.ts";
import type { ClipPlan } from "../plans/plan.ts";
import { DiskNearlyFull, type DiskSpace } from "./cleanup.ts";
import { insertClip, type SavedFile } from "./clip-store.ts";
import { type ClipLibrary, createClipLibrary } from "./library.ts";

const dayMs = 86_400_000;
let folder: ClipsFolder;
let library: ClipLibrary;
let quotaBytes = 1_000_000;
let nowMs = beganMs + dayMs;
let changes = 0;
/** Ids of the clips that drafts need. */
const needed = new Set<string>();
/** The free space that the disk would have without the clips. `null` is 5 kB of free space, whatever the clips take. */
let otherFreeBytes: number | null = null;

async function bytesInFolder(): Promise<number> {
  const names = [
    ...(await readdir(folder.clipsDir)),
    ...(await readdir(join(folder.clipsDir, ".bin"))).map((name) => `.bin/${name}`),
  ];
  const sizes = await Promise.all(
    names.map(async (name) => (await readFile(join(folder.clipsDir, name)).catch(() => "")).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
/** A disk of 10 kB. Kit keeps 500 bytes of it free. */
const disk = async (): Promise<DiskSpace> => {
  const freeBytes = otherFreeBytes === null ? 5_000 : otherFreeBytes - (await bytesInFolder());
  return { freeBytes, totalBytes: 10_000 };
};

beforeAll(async () => {
  folder = await openClipsFolder();
  const { storage, store, files, clipsDir: dir } = folder;
  const onChanged = () => {
    changes += 1;
  };
  const limits = { quotaBytes: () => quotaBytes, now: () => nowMs, disk };
  library = createClipLibrary({
    dir,
    store,
    files,
    write: storage.write,
    onChanged,
    neededClips: async () => needed,
    ...limits,
  });
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await folder.storage.write(sql`DELETE FROM clip`);
  await rm(folder.clipsDir, { recursive: true });
  await folder.files.createFolders();
  [quotaBytes, nowMs, changes, otherFreeBytes] = [1_000_000, beganMs + dayMs, 0, null];
});

const at = (...names: string[]) => join(folder.clipsDir, ...names);
/** A saved clip with a file of that many bytes and its pictures. */
async function clip(
  changed: Partial<ClipPlan> = {},
  { bytes = 100, ...more }: Partial<SavedFile> = {},
): Promise<ClipPlan> {
  const plan = await saveRow(folder, planWith(changed), { bytes, ...more });
  await writeFile(at(more.file ?? `${plan.id}.mp4`), "v".repeat(bytes));
  for (const what of ["poster", "thumbnail", "preview"] as const)
    await writeFile(folder.files.picturePath(plan.id, what), "");
  return plan;
}
const refused = (code: string) => (error: unknown) => error instanceof KitError && error.code === code;
const idsLeft = async () => (await library.list({}, null, 100)).clips.map(({ id }) => id);

test("a clip can be pinned, renamed and marked as shared, and the change is reported", async () => {
  const { id } = await clip();
  const { title, pinned, shared } = await library.change(id, { title: "the best", pinned: true, shared: true });
  assert.deepEqual({ title, pinned, shared }, { title: "the best", pinned: true, shared: true });
  assert.equal(changes, 1);
  await assert.rejects(library.change("nobody", {}), refused("not_found"));
});

test("a deleted clip is in the trash with its file, and can be restored unchanged", async () => {
  const { id } = await clip({}, { file: "a clip.mp4" });
  await library.moveToTrash(id);
  await library.moveToTrash(id);
  assert.deepEqual(await idsLeft(), []);
  const [trashedClip] = (await library.list({ bin: true }, null, 10)).clips;
  assert.deepEqual([trashedClip?.path, trashedClip?.missing], [at(".bin", `${id}.mp4`), false]);
  assert.ok(!existsSync(at("a clip.mp4")) && existsSync(at(".bin", `${id}.mp4`)));
  const back = await library.restore(id);
  assert.deepEqual([back.path, back.deletedAt, back.missing], [at("a clip.mp4"), null, false]);
  assert.equal((await readFile(at("a clip.mp4"))).length, 100);
  assert.deepEqual(await readdir(at(".bin")), []);
});

test("a restored clip whose name is taken gets the next name, and the foreign file stays", async () => {
  const { id } = await clip({}, { file: "a clip.mp4" });
  await library.moveToTrash(id);
  await writeFile(at("a clip.mp4"), "a foreign file");
  assert.equal((await library.restore(id)).path, at("a clip 2.mp4"));
  assert.equal(await readFile(at("a clip.mp4"), "utf8"), "a foreign file");
});

test("only a clip in the trash can be deleted permanently, and its pictures are deleted with it", async () => {
  const { id } = await clip();
  await assert.rejects(library.deleteForever(id), refused("not_found"));
  await library.moveToTrash(id);
  await library.deleteForever(id);
  await assert.rejects(library.get(id), refused("not_found"));
  assert.deepEqual([await readdir(at(".bin")), await readdir(at(".media"))], [[], []]);
});

test("an unfinished clip cannot be deleted", async () => {
  const plan = planWith();
  await folder.storage.write(...insertClip(plan));
  await assert.rejects(library.moveToTrash(plan.id), refused("payload_invalid"));
});

test("a marker can be deleted and restored without any file", async () => {
  const plan = planWith({ kind: "marker" });
  await folder.storage.write(...insertClip(plan), sql`UPDATE clip SET state = 'marked'`);
  await library.moveToTrash(plan.id);
  assert.deepEqual(await idsLeft(), []);
  assert.equal((await library.restore(plan.id)).path, null);
});

test("a missing file is noticed and counts no bytes, and a returned file is noticed too", async () => {
  const { id } = await clip({}, { file: "mine.mp4" });
  await rename(at("mine.mp4"), at("elsewhere"));
  assert.equal((await library.get(id)).missing, true);
  assert.equal(changes, 1, "the change is reported");
  assert.equal((await library.list({}, null, 10)).bytes, 0);
  assert.equal(await library.mediaFile(id, "video"), undefined);
  await library.moveToTrash(id);
  assert.equal((await library.restore(id)).missing, true);
  assert.ok(!existsSync(at("mine.mp4")), "no empty file replaces it");
  await rename(at("elsewhere"), at("mine.mp4"));
  await library.checkFiles();
  const [back] = (await library.list({}, null, 10)).clips;
  assert.deepEqual([back?.missing, (await library.usage()).bytes], [false, 100]);
});

test("a replaced file counts with its present bytes", async () => {
  const { id } = await clip({}, { file: "mine.mp4" });
  await writeFile(at("mine.mp4"), "cut by hand");
  assert.equal((await library.get(id)).bytes, 11);
});

test("a clip whose file was moved into the trash by a launcher that ended before the row changed is moved back", async () => {
  const { id } = await clip({}, { file: "mine.mp4" });
  await rename(at("mine.mp4"), at(".bin", `${id}.mp4`));
  await library.checkFiles();
  assert.ok(existsSync(at("mine.mp4")));
  assert.equal((await library.get(id)).missing, false);
});

test("above the quota the least valuable clip is deleted, and nothing else", async () => {
  const low = await clip({ priority: 100 });
  const pinned = await clip({ priority: 0 });
  await library.change(pinned.id, { pinned: true });
  const plain = await clip();
  await writeFile(at("not a clip of ours.mp4"), "x".repeat(5_000));
  quotaBytes = 250;
  const dryRun = await library.planCleanup();
  assert.deepEqual([dryRun.bytes, dryRun.freedBytes, dryRun.fits, dryRun.quotaBytes], [300, 100, true, 250]);
  const toFree = async (freeBytes: number) => {
    const { goes, fits } = await library.planCleanup({ freeBytes });
    return { ids: goes.map(({ clip: { id } }) => id), fits };
  };
  assert.deepEqual(await toFree(150), { ids: [low.id, plain.id], fits: true });
  needed.add(low.id);
  assert.deepEqual(await toFree(50), { ids: [plain.id], fits: true }, "a proposal has nothing that a draft needs");
  needed.clear();
  assert.deepEqual(await toFree(1_000), { ids: [], fits: false }, "clips are not proposed that would not be enough");
  assert.equal((await library.planCleanup({ freeBytes: 1_000 })).freeableBytes, 200);
  assert.equal((await idsLeft()).length, 3, "a dry run deletes nothing");
  assert.deepEqual(
    (await library.enforceLimits()).map(({ clip: { id } }) => id),
    [low.id],
  );
  assert.deepEqual((await idsLeft()).toSorted(), [pinned.id, plain.id].toSorted());
  assert.ok(!existsSync(at(`${low.id}.mp4`)) && existsSync(at("not a clip of ours.mp4")));
  assert.ok(!(await readdir(at(".media"))).some((name) => name.startsWith(low.id)));
  quotaBytes = 50;
  assert.deepEqual(
    [(await library.planCleanup()).fits, (await library.planCleanup({ quotaBytes: 400 })).goes],
    [false, []],
  );
  await library.enforceLimits();
  assert.deepEqual(await idsLeft(), [pinned.id]);
});

/** Lets the launcher run on each of so many days. Returns the reasons of the deletions. */
async function runsOn(days: number): Promise<string[]> {
  const reasons: string[] = [];
  for (let day = 0; day < days; day += 1) {
    nowMs += dayMs;
    for (const { why } of [...(await library.enforceLimits()), ...(await library.enforceLimits())])
      reasons.push(textOf(why));
  }
  return reasons;
}
const idsInTrash = async () => (await library.list({ bin: true }, null, 10)).clips.map(({ id }) => id);

test("a clip is deleted after 30 days of use in the trash, even if there is room", async () => {
  const old = await clip();
  const young = await clip();
  await library.moveToTrash(old.id);
  assert.deepEqual(await runsOn(2), []);
  await library.moveToTrash(young.id);
  assert.deepEqual(await runsOn(27), []);
  assert.deepEqual(await runsOn(1), ["in the trash for 30 days of use"]);
  assert.deepEqual(await idsInTrash(), [young.id]);
});

test("a clock that is far ahead once does not empty the trash, and a restored clip starts counting again", async () => {
  const { id } = await clip();
  await library.moveToTrash(id);
  await runsOn(20);
  nowMs += 3_650 * dayMs;
  assert.deepEqual(await library.enforceLimits(), []);
  nowMs -= 3_650 * dayMs;
  assert.deepEqual(await library.enforceLimits(), []);
  await library.restore(id);
  await library.moveToTrash(id);
  assert.deepEqual(await runsOn(29), []);
  assert.deepEqual(await idsInTrash(), [id]);
});

test("on a nearly full disk, as many clips are deleted as the next one needs", async () => {
  const first = await clip();
  const second = await clip({ fromMs: beganMs + 10_000 });
  otherFreeBytes = 650;
  assert.deepEqual(
    (await library.prepareCut()).map(({ clip: { id } }) => id),
    [first.id],
  );
  assert.deepEqual(await idsLeft(), [second.id]);
  assert.deepEqual(await library.prepareCut(), [], "with enough space nothing is deleted");
});

test("a disk filled by others costs only the clips in the trash, and the next cut is refused with the free space", async () => {
  const first = await clip();
  const second = await clip();
  await library.moveToTrash(second.id);
  otherFreeBytes = 300;
  await assert.rejects(
    library.prepareCut(),
    (error) => error instanceof DiskNearlyFull && /0 MB free/.test(error.message),
  );
  assert.deepEqual(await idsLeft(), [first.id]);
  assert.deepEqual((await library.list({ bin: true }, null, 10)).clips, []);
});

test("a page says whether there are more clips", async () => {
  const plans = [await clip(), await clip(), await clip()];
  const first = await library.list({}, null, 2);
  assert.deepEqual([first.clips.length, first.more, first.bytes, first.quotaBytes], [2, true, 300, 1_000_000]);
  const rest = await library.list({}, first.clips[1]?.id ?? null, 2);
  assert.deepEqual([rest.clips.map(({ id }) => id), rest.more], [[plans[0]?.id], false]);
  await assert.rejects(library.list({}, "nobody", 2), refused("not_found"));
});

test("video, poster and preview have their type and name, and no file outside the folder is served", async () => {
  const { id } = await clip({}, { file: "a clip.mp4" });
  assert.deepEqual(await library.mediaFile(id, "video"), {
    path: at("a clip.mp4"),
    type: "video/mp4",
    downloadName: "a clip.mp4",
  });
  assert.equal((await library.mediaFile(id, "poster"))?.type, "image/jpeg");
  assert.equal((await library.mediaFile(id, "preview"))?.type, "video/mp4");
  assert.equal(await library.mediaFile("../../etc/passwd", "poster"), undefined);
  const outside = join(dirname(folder.clipsDir), "a secret");
  await writeFile(outside, "secret");
  await rm(at("a clip.mp4"));
  await symlink(outside, at("a clip.mp4"));
  assert.equal(await library.mediaFile(id, "video"), undefined);
  const shot = await clip({ kind: "screenshot" }, { file: "shot.jpg" });
  assert.equal((await library.mediaFile(shot.id, "video"))?.type, "image/jpeg");
});

test("the thumbnail of a clip without one is its poster", async () => {
  const { id } = await clip();
  const pathOfSmall = async () => (await library.mediaFile(id, "thumbnail"))?.path;
  assert.equal(await pathOfSmall(), folder.files.picturePath(id, "thumbnail"));
  await rm(folder.files.picturePath(id, "thumbnail"));
  assert.equal(await pathOfSmall(), folder.files.picturePath(id, "poster"));
  await rm(folder.files.picturePath(id, "poster"));
  assert.equal(await pathOfSmall(), undefined);
});

test("a clips folder behind a symbolic link works", async () => {
  const link = join(dirname(folder.clipsDir), `link to ${basename(folder.clipsDir).replace("%", "")}`);
  await symlink(folder.clipsDir, link);
  const { storage, store, files } = folder;
  const linked = createClipLibrary({
    dir: link,
    store,
    files,
    write: storage.write,
    onChanged: () => undefined,
    quotaBytes: () => 0,
    neededClips: async () => needed,
    now: () => nowMs,
  });
  const { id } = await clip();
  assert.ok((await linked.mediaFile(id, "video"))?.path.endsWith(`${id}.mp4`));
});

test("if the folder disappears, clips are missing, and the next cut creates it again", async () => {
  const { id } = await clip();
  await rm(folder.clipsDir, { recursive: true });
  await library.checkFiles();
  assert.equal((await library.get(id)).missing, true);
  await library.enforceLimits();
  await library.prepareCut();
  assert.ok(existsSync(at(".media")));
  await mkdir(at("a folder of somebody else"));
});

test("simultaneous changes leave each clip either in the list or in the trash, with its file", async () => {
  const plans = await Promise.all(Array.from({ length: 8 }, () => clip()));
  const work = plans.flatMap(({ id }) => [
    library.moveToTrash(id),
    library.restore(id),
    library.enforceLimits(),
    library.moveToTrash(id),
  ]);
  await Promise.all([...work, library.checkFiles(), library.checkFiles()]);
  const { clips } = await library.list({ bin: true }, null, 100);
  assert.equal(clips.length, 8);
  assert.ok(clips.every(({ missing, path }) => !missing && path !== null && existsSync(path)));
});
