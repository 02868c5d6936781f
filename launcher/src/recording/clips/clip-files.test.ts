// Tests of clip files: a part gets its final name only if ffmpeg finds the footage in it that the cut reported.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { copyFile, readdir, readFile, rename, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { afterAll, beforeAll, test } from "vitest";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import {
  beganMs,
  type ClipsFolder,
  makeVideo,
  openClipsFolder,
  planWith,
} from "../../../test/recording/clips-folder.ts";
import { quickFfmpeg } from "../../../test/support/quick-ffmpeg.ts";
import { findFfmpeg } from "../ffmpeg/find.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { ClipFiles, type PictureKind } from "./clip-files.ts";
import { FileInUse, replaceFile } from "./file-names.ts";
import { probeVideo, VerifyFailed } from "./verify.ts";

const skip = skipWithout("ffmpeg");
const naming = { atMs: beganMs, game: "saga", event: "saga_boss" };
const twoSeconds = { fromMs: beganMs, toMs: beganMs + 2_000, frames: 60 };

let folder: ClipsFolder;
/** For tests of names. */
let quick: ClipFiles;
beforeAll(async () => {
  if (skip !== false) return;
  folder = await openClipsFolder(() => pathOf("ffmpeg"));
  quick = new ClipFiles({ dir: folder.clipsDir, ffmpeg: async () => ({ path: quickFfmpeg() }) });
});
afterAll(() => folder?.[Symbol.asyncDispose]());

/** Each is made once. */
const videos = new Map<string, string>();
/** Makes a part with that many seconds, and the id of its clip. */
async function part(seconds = 2, picture?: string) {
  const { id } = planWith();
  const path = folder.files.partPath(id);
  const name = `${seconds} ${picture}`;
  const video = videos.get(name) ?? join(folder.dir.path, `video ${videos.size}`);
  if (!videos.has(name)) await makeVideo(video, seconds, picture);
  videos.set(name, video);
  await copyFile(video, path);
  return { id, path };
}
const namesIn = async () => (await readdir(folder.clipsDir)).filter((name) => name.endsWith(".mp4")).toSorted();

test("a part that matches its cut gets its final name, and its size and length are those measured", {
  skip,
}, async () => {
  const { id, path } = await part();
  const kept = await folder.files.saveVideo(id, path, twoSeconds, naming);
  assert.match(kept.file, /^2026-05-0\d \d\d-20-30 Saga saga_boss\.mp4$/);
  const { size } = await stat(join(folder.clipsDir, kept.file));
  const { file: _file, ...facts } = kept;
  assert.deepEqual(facts, {
    bytes: size,
    durationMs: 2_000,
    width: 320,
    height: 180,
    frames: 60,
    notes: [],
    outdated: null,
    soundTracks: 0,
  });
  assert.ok(!existsSync(path));
});

test("a clip says that its codec is not played everywhere", { skip }, async () => {
  const { id } = planWith();
  const path = folder.files.partPath(id);
  const source = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=30", "-t", "0.3"];
  const encoded = ["-c:v", "libx265", "-preset", "ultrafast", "-f", "mp4", path];
  await runFfmpeg({ path: pathOf("ffmpeg") }, ["-v", "error", ...source, ...encoded], { outBytesMax: 1_000 });
  const { notes } = await folder.files.saveVideo(id, path, undefined, naming);
  assert.deepEqual(notes.map(textOf), [
    "the video is HEVC, which some browsers and most networks do not play: posts and exports get H.264",
  ]);
});

test("a clip whose name is taken gets the next name, and a foreign file with that name is not touched", {
  skip,
}, async () => {
  const taken = { ...naming, event: "taken" };
  const first = await part();
  const { file } = await quick.saveVideo(first.id, first.path, twoSeconds, taken);
  const stranger = join(folder.clipsDir, file.replace(".mp4", " 2.mp4"));
  await writeFile(stranger, "not ours");
  const second = await part();
  const kept = await quick.saveVideo(second.id, second.path, twoSeconds, taken);
  assert.equal(kept.file, file.replace(".mp4", " 3.mp4"));
  assert.equal(await readFile(stranger, "utf8"), "not ours");
});

for (const [problem, spoil, message] of [
  ["shorter than its cut reported", { ...twoSeconds, toMs: beganMs + 2_600 }, /2\.0 s long instead of 2\.6 s/],
  ["with one frame less than its cut reported", { ...twoSeconds, frames: 61 }, /60 frames instead of 61/],
] as const) {
  test(`a part ${problem} is not kept`, { skip }, async () => {
    const { id, path } = await part();
    const before = await namesIn();
    await assert.rejects(
      quick.saveVideo(id, path, spoil, naming),
      (error) => error instanceof VerifyFailed && message.test(error.message),
    );
    assert.deepEqual(await namesIn(), before);
    assert.ok(existsSync(path), "the caller deletes the part");
  });
}

test("a part that ends in the middle of its pictures is not kept", { skip }, async () => {
  const { id, path } = await part();
  const { size } = await stat(path);
  await truncate(path, Math.floor(size / 2));
  await assert.rejects(folder.files.saveVideo(id, path, twoSeconds, naming), VerifyFailed);
});

test("an empty part and a part that is not a video are not kept", { skip }, async () => {
  const { id, path } = await part();
  for (const content of ["", "no box in here", Buffer.from([0, 0, 0, 8, 109, 111, 111, 118])]) {
    await writeFile(path, content);
    await assert.rejects(folder.files.saveVideo(id, path, twoSeconds, naming));
  }
});

test("a part with damaged pictures is not kept, even if none is missing", { skip }, async () => {
  const { id, path } = await part();
  const content = await readFile(path);
  const at = content.indexOf("mdat") + 2_000;
  content.fill(0xa5, at, at + 4_000);
  await writeFile(path, content);
  await assert.rejects(
    folder.files.saveVideo(id, path, twoSeconds, naming),
    (error) => error instanceof VerifyFailed && /decoded/.test(error.message),
  );
});

test("an entirely black clip is kept with a note, and a dark clip with a bright spot gets no note", {
  skip,
}, async () => {
  const black = await part(2, "color=c=black:s=320x180:r=30");
  const kept = await folder.files.saveVideo(black.id, black.path, twoSeconds, naming);
  assert.deepEqual(kept.notes, [message("clip.is_black")]);
  const dark = await part(2, "color=c=black:s=320x180:r=30,drawbox=x=40:y=40:w=24:h=24:c=white:t=fill");
  assert.deepEqual((await folder.files.saveVideo(dark.id, dark.path, twoSeconds, naming)).notes, []);
  const late = await part(2, "color=c=black:s=320x180:r=30,drawbox=c=gray:t=fill:enable='between(t,1.2,1.6)'");
  assert.deepEqual(
    (await folder.files.saveVideo(late.id, late.path, twoSeconds, naming)).notes,
    [],
    "lit between keyframes",
  );
});

test("frames hidden before the start of a cut are not counted", { skip }, async () => {
  const { path } = await part(4);
  const cut = folder.files.partPath(planWith().id);
  const ffmpeg = { path: pathOf("ffmpeg") };
  const args = ["-v", "error", "-ss", "1.5", "-i", path, "-t", "2", "-c", "copy", "-f", "mp4", "-y", cut];
  await runFfmpeg(ffmpeg, args, { outBytesMax: 0 });
  const { frames, durationMs } = await probeVideo(ffmpeg, cut);
  assert.deepEqual({ frames, durationMs }, { frames: 60, durationMs: 2_000 });
});

test("a clip whose scene changes right after a keyframe is complete, though the scene's first picture is no keyframe", {
  skip,
}, async () => {
  const cut = folder.files.partPath(planWith().id);
  const ffmpeg = { path: pathOf("ffmpeg") };
  const scenes = ["testsrc2=s=320x180:r=30:d=1.3", "smptebars=s=320x180:r=30:d=0.7"];
  const joined = ["-filter_complex", "[0][1]concat=n=2:v=1,format=yuv420p"];
  const encode = ["-c:v", "libx264", "-preset", "superfast", "-tune", "zerolatency", "-g", "120"];
  const keys = ["-force_key_frames", "expr:gte(t,n_forced)", "-f", "mp4", "-y", cut];
  const inputs = scenes.flatMap((scene) => ["-f", "lavfi", "-i", scene]);
  await runFfmpeg(ffmpeg, ["-v", "error", ...inputs, ...joined, ...encode, ...keys], {
    outBytesMax: 0,
  });
  const { frames, durationMs } = await probeVideo(ffmpeg, cut);
  assert.deepEqual({ frames, durationMs }, { frames: 60, durationMs: 2_000 });
});

test("a clip of a few frames after its only keyframe can be decoded", { skip }, async () => {
  const { path } = await part(1);
  const cut = folder.files.partPath(planWith().id);
  const ffmpeg = { path: pathOf("ffmpeg") };
  const args = ["-v", "error", "-ss", "0.5", "-i", path, "-c", "copy", "-f", "mp4", "-y", cut];
  await runFfmpeg(ffmpeg, args, { outBytesMax: 0 });
  const { frames, isBlack } = await probeVideo(ffmpeg, cut);
  assert.deepEqual({ frames, isBlack }, { frames: 15, isBlack: false });
});

test("a longer cut of a clip replaces the first cut under the same name", { skip }, async () => {
  const first = await part();
  const { file } = await quick.saveVideo(first.id, first.path, twoSeconds, { ...naming, event: "grows" });
  const longer = await part(3);
  const footage = { fromMs: beganMs, toMs: beganMs + 3_000, frames: 90 };
  const kept = await quick.saveVideo(first.id, longer.path, footage, {
    ...naming,
    event: "grows",
    replaces: file,
  });
  assert.deepEqual([kept.file, kept.outdated], [file, null]);
  assert.equal((await quick.verify(file)).frames, 90);
});

test("a longer cut that has another best moment gets its name, and the file of the first cut is outdated", {
  skip,
}, async () => {
  const first = await part();
  const { file } = await quick.saveVideo(first.id, first.path, twoSeconds, { ...naming, event: "step" });
  const longer = await part(3);
  const footage = { fromMs: beganMs, toMs: beganMs + 3_000, frames: 90 };
  const as = { ...naming, event: "Boss defeated", replaces: file };
  const kept = await quick.saveVideo(first.id, longer.path, footage, as);
  assert.match(kept.file, /Saga Boss-defeated\.mp4$/);
  assert.deepEqual([kept.outdated, (await quick.verify(file)).frames], [file, 60]);
});

test("a longer cut of a clip that is now in the trash replaces it, and takes no name that is in use", {
  skip,
}, async () => {
  const first = await part();
  const { file } = await quick.saveVideo(first.id, first.path, twoSeconds, { ...naming, event: "trashed" });
  await rename(join(folder.clipsDir, file), join(folder.clipsDir, ".bin", `${first.id}.mp4`));
  await writeFile(join(folder.clipsDir, file), "a stranger");
  const longer = await part(3);
  const footage = { fromMs: beganMs, toMs: beganMs + 3_000, frames: 90 };
  const kept = await quick.saveVideo(first.id, longer.path, footage, {
    ...naming,
    event: "trashed",
    replaces: file,
  });
  assert.equal(kept.file, file.replace(".mp4", " 2.mp4"));
  assert.equal(await readFile(join(folder.clipsDir, file), "utf8"), "a stranger");
  assert.deepEqual(await readdir(join(folder.clipsDir, ".bin")), []);
});

test("a longer cut that fails its check leaves the first cut unchanged", { skip }, async () => {
  const first = await part();
  const { file } = await quick.saveVideo(first.id, first.path, twoSeconds, { ...naming, event: "stands" });
  const broken = await part(3);
  await truncate(broken.path, 20_000);
  const footage = { fromMs: beganMs, toMs: beganMs + 3_000, frames: 90 };
  await assert.rejects(quick.saveVideo(first.id, broken.path, footage, { ...naming, replaces: file }), VerifyFailed);
  assert.equal((await quick.verify(file)).frames, 60);
});

test("a file that another program holds open briefly is waited for, and one held for long is reported as in use", async () => {
  const held = (times: number) => {
    let left = times;
    return async (from: string, to: string) => {
      left -= 1;
      if (left >= 0) throw Object.assign(new Error("held"), { code: "EBUSY" });
      await rename(from, to);
    };
  };
  await using own = await openClipsFolder();
  const from = join(own.clipsDir, "new");
  const to = join(own.clipsDir, "old");
  await Promise.all([writeFile(from, "new"), writeFile(to, "old")]);
  await assert.rejects(replaceFile(from, to, held(100)), FileInUse);
  assert.equal(await readFile(to, "utf8"), "old");
  await replaceFile(from, to, held(2));
  assert.equal(await readFile(to, "utf8"), "new");
});

test("without ffmpeg no part is kept, because nobody can check it", { skip }, async () => {
  const { id, path } = await part();
  const files = new ClipFiles({ dir: folder.clipsDir, ffmpeg: async () => undefined });
  await assert.rejects(files.saveVideo(id, path, twoSeconds, naming), /no ffmpeg/);
});

test("the packaged ffmpeg, which is years older, measures the same and makes the same pictures", {
  skip,
}, async (t) => {
  const { ffmpeg } = await findFfmpeg({ chosen: undefined, searchPath: "", usualPlaces: [] });
  if (ffmpeg === undefined) return t.skip("not run: the optional package is not installed");
  const { id, path } = await part();
  assert.deepEqual(await probeVideo(ffmpeg, path), await probeVideo({ path: pathOf("ffmpeg") }, path));
  const files = new ClipFiles({ dir: folder.clipsDir, ffmpeg: async () => ffmpeg });
  const { file } = await files.saveVideo(id, path, twoSeconds, naming);
  await files.makePoster(id, file, 1_000);
  await files.makePreview(id, file, 1_000);
  assert.ok(existsSync(files.picturePath(id, "poster")) && existsSync(files.picturePath(id, "preview")));
});

test("the packaged ffmpeg, which decodes the first keyframe late, measures a clip with few keyframes", {
  skip,
}, async (t) => {
  const { ffmpeg } = await findFfmpeg({ chosen: undefined, searchPath: "", usualPlaces: [] });
  if (ffmpeg === undefined) return t.skip("not run: the optional package is not installed");
  const path = folder.files.partPath(planWith().id);
  const reordered = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "90", "-pix_fmt", "yuv420p"];
  const source = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=30:d=8"];
  await runFfmpeg({ path: pathOf("ffmpeg") }, ["-v", "error", ...source, ...reordered, "-f", "mp4", "-y", path], {
    outBytesMax: 0,
  });
  assert.equal((await probeVideo(ffmpeg, path)).frames, 240);
});

test("a poster is the frame of the moment, a thumbnail is smaller, and a preview is the seconds around it", {
  skip,
}, async () => {
  const { id, path } = await part(4, "color=c=black:s=640x360:r=30,drawbox=c=white:t=fill:enable='gte(t,2)'");
  const footage = { fromMs: beganMs, toMs: beganMs + 4_000, frames: 120 };
  const { file } = await folder.files.saveVideo(id, path, footage, naming);
  await folder.files.makePoster(id, file, 3_000);
  await folder.files.makePreview(id, file, 3_000);
  const probe = async (problem: PictureKind) => {
    const path = folder.files.picturePath(id, problem);
    const held = await probeVideo({ path: quickFfmpeg() }, path, problem === "preview" ? "mp4" : "jpeg_pipe");
    return { width: held.width, height: held.height, isBlack: held.isBlack };
  };
  assert.deepEqual(await probe("poster"), { width: 480, height: 270, isBlack: false });
  assert.deepEqual(await probe("thumbnail"), { width: 320, height: 180, isBlack: false });
  assert.deepEqual(await probe("preview"), { width: 320, height: 180, isBlack: false });
  await folder.files.makePoster(id, file, 1_000);
  assert.equal((await probe("poster")).isBlack, true, "the frame of another time");
  assert.equal((await probe("thumbnail")).isBlack, true, "the frame of another time");
  await folder.files.makePoster(id, file, 60_000);
  assert.equal((await probe("poster")).isBlack, true, "beyond the end of the clip, the poster is its first frame");
  await folder.files.removePictures(id);
  assert.deepEqual(
    (await readdir(join(folder.clipsDir, ".media"))).filter((name) => name.startsWith(id)),
    [],
  );
});

test("a screenshot is the frame of its moment, and is checked and named like a clip", { skip }, async () => {
  const { id, path } = await part(2, "color=c=black:s=640x360:r=30,drawbox=c=white:t=fill:enable='gte(t,1)'");
  const kept = await folder.files.saveScreenshot(id, path, 1_500, { ...naming, event: "shot" });
  const { bytes, file, ...facts } = kept;
  assert.deepEqual(facts, { durationMs: 0, width: 640, height: 360, frames: 1, notes: [], outdated: null });
  assert.match(file, /shot\.jpg$/);
  assert.equal((await stat(join(folder.clipsDir, file))).size, bytes);
  assert.ok(existsSync(path));
  await folder.files.makePoster(id, file, 0);
  const small = await probeVideo({ path: quickFfmpeg() }, folder.files.picturePath(id, "poster"), "jpeg_pipe");
  assert.deepEqual([small.width, small.isBlack], [480, false]);
});

test("no id and no file name leads out of the folder", { skip }, () => {
  for (const name of ["../x", "/etc/passwd", "a/../../b", ".."]) assert.throws(() => folder.files.absolutePath(name));
  assert.throws(() => folder.files.partPath("../../x"));
});
