// Tests of the media fitter: clips and screenshots within limits, playable, bounded in every way, and no leftovers.

import assert from "node:assert/strict";
import { fork } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode, textOf } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { makeVideo } from "../../../test/recording/clips-folder.ts";
import { loudness, readSound } from "../../../test/recording/sound-program.ts";
import { probeVideo } from "../clips/verify.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { assembleMovie } from "../mp4/assemble.ts";
import { fragmentsOf, record } from "../mp4/test/stamped-footage.ts";
import { readTracks } from "../trim/copy-trim.ts";
import { CannotFit, type MediaToFit } from "./encode.ts";
import { MediaFitter, probeClip } from "./media-fitter.ts";

const skip = skipWithout("ffmpeg");
const ffmpeg = async () => ({ path: pathOf("ffmpeg"), hasFpsMode: true });
const job = { outBytesMax: 0 } as const;
let folder: string;
let clip: MediaToFit;
/** For tests whose subject is not the size of the picture: the other one takes ten times as long to encode. */
let small: MediaToFit;
/** Long enough that it is still being encoded at the first progress report. */
let long: MediaToFit;
let picture: MediaToFit;

const mediaAt = (
  path: string,
  kind: MediaToFit["kind"],
  seconds: number,
  width: number,
  height: number,
): MediaToFit => ({
  path,
  kind,
  seconds,
  width,
  height,
  bytes: statSync(path).size,
});

beforeAll(async () => {
  if (skip !== false) return;
  folder = mkdtempSync(join(tmpdir(), "kit-fit-"));
  const path = join(folder, "Ünsere %03d clip.mp4");
  const still = join(folder, "still.jpg");
  const noisy = ["-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=30,noise=alls=12:allf=t"];
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000"];
  const encoded = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "26", "-pix_fmt", "yuv420p", "-c:a", "aac"];
  const args = [...noisy, ...sound, "-t", "6", ...encoded, "-movflags", "+faststart", "-f", "mp4", path];
  await runFfmpeg(await ffmpeg(), ["-v", "error", ...args], job);
  const one = ["-frames:v", "1", "-q:v", "2", still];
  await runFfmpeg(await ffmpeg(), ["-v", "error", "-i", path, ...one], job);
  clip = mediaAt(path, "clip", 6, 1920, 1080);
  const smallPath = join(folder, "small.mp4");
  const smaller = args.map((word) => (word === path ? smallPath : word.replace("s=1920x1080", "s=640x360")));
  await runFfmpeg(await ffmpeg(), ["-v", "error", ...smaller], job);
  small = mediaAt(smallPath, "clip", 6, 640, 360);
  picture = mediaAt(still, "screenshot", 0, 1920, 1080);
  const longPath = join(folder, "long.mp4");
  const looped = join(folder, "looped.mp4");
  await makeVideo(looped, 10, "testsrc2=s=1280x720:r=30");
  await runFfmpeg(await ffmpeg(), ["-v", "error", "-stream_loop", "5", "-i", looped, "-c", "copy", longPath], job);
  long = mediaAt(longPath, "clip", 60, 1280, 720);
});
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }));

let folders = 0;
function openFitter(dir: string, bytesMax?: number) {
  const fitter = new MediaFitter({ dir, ffmpeg, ...(bytesMax === undefined ? {} : { bytesMax }) });
  const { fit, makeCopy } = fitter;
  return { dir, fit, makeCopy, removeUnfinished: () => fitter.removeUnfinished(), stop: () => fitter.stop() };
}
function fitter(bytesMax?: number) {
  folders += 1;
  const dir = join(folder, `fitted ${folders}`);
  return openFitter(dir, bytesMax);
}
const named = (name: string, shares: number[] = [], signal = new AbortController().signal) => ({
  name,
  signal,
  onProgress: (share: number) => void shares.push(share),
});

/** The child processes of a process, including zombies. */
function childrenOf(parent: number | undefined): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
        return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] === String(parent);
      } catch {
        return false;
      }
    });
}

test("an ffmpeg before 5.1, which only supports -vsync, can encode", {
  skip: skip || cannot.startScripts,
}, async () => {
  const path = join(folder, "old-ffmpeg");
  const script = `#!/bin/sh
for word do if [ "$word" = -fps_mode ]; then echo "Unrecognized option 'fps_mode'." >&2; exit 1; fi; done
for word do shift; [ "$word" = -vsync ] && word=-fps_mode; set -- "$@" "$word"; done
exec '${pathOf("ffmpeg")}' "$@"
`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  const { fit } = new MediaFitter({ dir: join(folder, "old"), ffmpeg: async () => ({ path, hasFpsMode: false }) });
  const bytesMax = Math.floor(small.bytes / 4);
  const { bytes } = await fit(small, { bytesMax }, named("old"));
  assert.ok(bytes <= bytesMax);
});

test("a clip with uneven frame times, as a screen has them, is encoded to fit without losing a frame", {
  skip,
}, async () => {
  const path = join(folder, "uneven.mp4");
  const uneven = "setpts=PTS+0.006/TB*sin(N*1.7),select='not(eq(mod(n\\,7)\\,3))'";
  const times = ["-fps_mode", "vfr", "-enc_time_base", "1:90000"];
  const source = ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=60:d=4,noise=alls=12:allf=t", "-vf", uneven, ...times];
  const encoded = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-f", "mp4", path];
  await runFfmpeg(await ffmpeg(), ["-v", "error", ...source, ...encoded], job);
  const fitted = await fitter().fit(mediaAt(path, "clip", 4, 640, 360), { bytesMax: 300_000 }, named("uneven"));
  const [before, after] = await Promise.all([path, fitted.path].map(async (one) => probeVideo(await ffmpeg(), one)));
  assert.ok(fitted.bytes <= 300_000);
  assert.equal(after?.frames, before?.frames);
});

/** A clip of 4 s with a microphone. */
async function makeTalk(name: string): Promise<MediaToFit> {
  const path = join(folder, name);
  const { parts } = assembleMovie(
    fragmentsOf(await record({ startMs: 1_000_000, seconds: 4, sound: true, microphone: true })),
    {
      ...{ id: "talk", kind: "clip", game: null, title: "Talk", moments: [], priority: 1, notes: [] },
      ...{ fromMs: 1_000_000, toMs: 1_004_000 },
    },
  );
  writeFileSync(path, Buffer.concat(parts));
  assert.equal((await readTracks(path)).soundTracks, 2);
  const { width, height } = await probeVideo(await ffmpeg(), path);
  return mediaAt(path, "clip", 4, width, height);
}

test("a video that networks do not play is converted, although it fits", { skip }, async () => {
  const path = join(folder, "hevc.mp4");
  const source = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=30", "-t", "1"];
  const encoded = ["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-f", "mp4", path];
  await runFfmpeg(await ffmpeg(), ["-v", "error", ...source, ...encoded], job);
  const hevc = mediaAt(path, "clip", 1, 320, 180);
  assert.equal((await readTracks(path)).rareCodec, "HEVC");
  const made = await fitter().fit(hevc, { bytesMax: 10_000_000 }, named("hevc"));
  assert.deepEqual([(await readTracks(made.path)).rareCodec, made.changed], [null, true]);
  assert.deepEqual(made.notes.map(textOf), [
    "Its video was converted from HEVC to H.264, which networks and browsers play.",
  ]);
});

test("a copy that leaves the computer has no microphone, whether it is encoded or not", { skip }, async () => {
  const talk = await makeTalk("talk.mp4");
  const whole = await fitter().fit(talk, { bytesMax: talk.bytes }, named("whole"));
  const smaller = await fitter().fit(talk, { bytesMax: Math.round(talk.bytes / 2) }, named("smaller"));
  for (const { path: made, notes, changed } of [whole, smaller]) {
    assert.equal((await readTracks(made)).soundTracks, 1);
    assert.deepEqual([changed, notes.some((note) => hasCode(note, "export.first_sound_only"))], [true, true]);
  }
  const probes = [talk.path, whole.path].map(async (one) => probeVideo(await ffmpeg(), one));
  const [before, after] = await Promise.all(probes);
  assert.deepEqual(after, before, "the frames are copied");
});

test("a plain copy of a file that fits has the same frames, without title and chapters", { skip }, async () => {
  const path = join(folder, "told.mp4");
  const moment = {
    event: "e",
    seq: 1,
    kind: "monitor",
    eventId: null,
    label: "No key of ana.lima",
    priority: 1,
  } as const;
  const { parts } = assembleMovie(fragmentsOf(await record({ startMs: 1_000_000, seconds: 2, sound: true })), {
    ...{ id: "told", kind: "clip", game: null, title: "No key of ana.lima", priority: 1, notes: [] },
    ...{ moments: [{ ...moment, atMs: 1_001_000 }], fromMs: 1_000_000, toMs: 1_002_000 },
  });
  writeFileSync(path, Buffer.concat(parts));
  const before = await probeVideo(await ffmpeg(), path);
  const told = mediaAt(path, "clip", 2, before.width, before.height);
  const { path: made } = await fitter().fit(told, { bytesMax: told.bytes }, { ...named("plain"), plain: true });
  assert.deepEqual(
    [path, made].map((file) => readFileSync(file).includes("ana.lima")),
    [true, false],
  );
  assert.deepEqual(await probeVideo(await ffmpeg(), made), before);
});

test("a copy for which a person included the microphone has one track, in which both are heard", { skip }, async () => {
  const talk = await makeTalk("mixed.mp4");
  const shape = { format: "mp4", range: undefined, cropPosition: undefined, microphone: true } as const;
  const { path, notes } = await fitter().makeCopy(talk, { bytesMax: talk.bytes * 2 }, { ...named("mixed"), shape });
  assert.equal((await readTracks(path)).soundTracks, 1);
  const sound = await readSound(path, 0);
  const [game, voice, silence] = [440, 1_000, 2_000].map((hertz) => loudness(sound, hertz)) as [number, number, number];
  assert.ok(game > 10 * silence && voice > 10 * silence, `${game}, ${voice}, ${silence}`);
  assert.ok(notes.some((note) => hasCode(note, "export.with_microphone")));
});

test("a file within all limits is used as it is", { skip }, async () => {
  const { fit, dir } = fitter();
  const shares: number[] = [];
  const fitted = await fit(clip, { bytesMax: clip.bytes, secondsMax: 6, frameRateMax: 30 }, named("same", shares));
  assert.deepEqual([fitted.path, fitted.changed, fitted.bytes], [clip.path, false, clip.bytes]);
  assert.deepEqual([shares, existsSync(dir)], [[1], false]);
  await assert.rejects(
    fit({ ...clip, path: join(folder, "gone.mp4") }, { bytesMax: clip.bytes }, named("gone")),
    (error) => error instanceof CannotFit && /no longer in the clips folder/.test(error.message),
  );
});

test("the newest ffmpeg measures a clip with sound as an older one does", {
  skip: skipWithout("ffmpeg", "newest ffmpeg"),
}, async () => {
  for (const name of ["ffmpeg", "newest ffmpeg"] as const)
    assert.deepEqual(
      await probeClip({ path: pathOf(name) }, small.path),
      { width: 640, height: 360, frameRate: 30, hasSound: true },
      name,
    );
});

test("a clip of 6 s is encoded to fit 1 MB: it plays, keeps its sound, notes what was reduced, and is reused", {
  skip,
}, async () => {
  const { fit, dir } = fitter();
  const shares: number[] = [];
  const limits = { bytesMax: 1_000_000 };
  const fitted = await fit(clip, limits, named("a-1", shares));
  assert.ok(fitted.bytes <= limits.bytesMax && fitted.bytes > 0.7 * limits.bytesMax, `${fitted.bytes}`);
  assert.deepEqual([fitted.bytes, fitted.mime, fitted.changed], [statSync(fitted.path).size, "video/mp4", true]);
  const held = await probeVideo(await ffmpeg(), fitted.path);
  assert.deepEqual([held.width, held.height], [fitted.width, fitted.height]);
  assert.ok(Math.abs(held.durationMs - 6_000) < 200, `${held.durationMs}`);
  assert.match(fitted.notes.map(textOf).join(), /^\d+×\d+ instead of 1920×1080$/);
  const decode = ["-v", "error", "-i", fitted.path, "-map", "0:v:0", "-map", "0:a:0", "-f", "null", "-"];
  assert.equal((await runFfmpeg(await ffmpeg(), decode, job)).stderr, "");
  assert.ok(shares.length > 10 && shares.at(-1) === 1, `${shares}`);
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  assert.deepEqual(readdirSync(dir), ["a-1.mp4"]);

  const { ino } = statSync(fitted.path);
  const again: number[] = [];
  assert.deepEqual(await fit(clip, limits, named("a-1", again)), fitted);
  assert.deepEqual([statSync(fitted.path).ino, again], [ino, [1]]);
});

test("an existing file that is broken or too large is made again", { skip }, async () => {
  const { fit } = fitter();
  const first = await fit(picture, { bytesMax: 200_000 }, named("b"));
  const { path, bytes } = await fit(picture, { bytesMax: 100_000 }, named("b"));
  assert.ok(path === first.path && bytes <= 100_000);
  writeFileSync(path, "no picture");
  assert.equal((await fit(picture, { bytesMax: 100_000 }, named("b"))).bytes, bytes);
});

test("frame rate, size and length are kept within their limits, and the end of the clip is kept", {
  skip,
}, async () => {
  const { fit } = fitter();
  const limits = { bytesMax: 3_000_000, secondsMax: 2, widthMax: 640, pixelsMax: 200_000, frameRateMax: 15 };
  const fitted = await fit(clip, limits, named("c"));
  const { durationMs, frames, width, height } = await probeVideo(await ffmpeg(), fitted.path);
  assert.ok(durationMs <= 2_000 && durationMs > 1_700, `${durationMs}`);
  assert.ok(Math.abs(frames / (durationMs / 1_000) - 15) < 1, `${frames}`);
  assert.ok(
    width <= 640 && width * height <= 200_000 && Math.abs(width / height - 16 / 9) < 0.02,
    `${width}×${height}`,
  );
  assert.match(textOf(fitted.notes[0] ?? ""), /^1\.9 of 6\.0 s, at its end/);
});

test("a clip that is too long is cut to the part around its moment", { skip }, async () => {
  const path = join(folder, "with-chapter.mp4");
  const chapters = join(folder, "chapters.txt");
  writeFileSync(chapters, ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1500\nEND=6000\ntitle=a boss\n");
  const withChapter = ["-i", small.path, "-i", chapters, "-map", "0:v", "-map_chapters", "1", "-c", "copy"];
  await runFfmpeg(await ffmpeg(), ["-v", "error", ...withChapter, "-f", "mp4", path], job);
  const media = mediaAt(path, "clip", 6, 640, 360);
  const { notes, seconds } = await fitter().fit(media, { bytesMax: 1_000_000, secondsMax: 2 }, named("k"));
  assert.match(textOf(notes[0] ?? ""), /^1\.9 of 6\.0 s, around its moment/);
  assert.ok(seconds <= 2);
});

test("a file that cannot fit is refused with the bytes it would need", { skip }, async () => {
  const { fit, dir } = fitter();
  await assert.rejects(
    fit(clip, { bytesMax: 20_000 }, named("d")),
    (error) =>
      error instanceof CannotFit && /^6\.0 s of video do not fit into 20 kB: they need \d+ kB/.test(error.message),
  );
  await assert.rejects(fit(picture, { bytesMax: 500 }, named("e")), CannotFit);
  assert.deepEqual(readdirSync(dir), []);
});

test("a screenshot loses quality first, and then size", { skip }, async () => {
  const { fit } = fitter();
  const large = await fit(picture, { bytesMax: Math.floor(picture.bytes * 0.8) }, named("f"));
  assert.deepEqual([large.width, large.height, large.mime, large.notes], [1920, 1080, "image/jpeg", []]);
  const small = await fit(picture, { bytesMax: 60_000, heightMax: 1_000 }, named("g"));
  assert.ok(small.bytes <= 60_000 && small.height <= 1_000 && small.width < 1_778, `${small.width}`);
});

test("a cancelled export leaves no file and no process behind, and a waiting one never starts", { skip }, async () => {
  const { fit, dir } = fitter();
  const calling = new AbortController();
  const begun = Promise.withResolvers<void>();
  const onProgress = () => begun.resolve();
  const fitting = fit(long, { bytesMax: 1_000_000 }, { ...named("h"), signal: calling.signal, onProgress });
  await Promise.race([begun.promise, fitting]);
  const waiting = fit(clip, { bytesMax: 1_000_000 }, named("i", [], calling.signal));
  calling.abort(new Error("enough"));
  await assert.rejects(fitting, /enough/);
  await assert.rejects(waiting, /enough/);
  assert.deepEqual(readdirSync(dir), []);
  if (!cannot.readProc) assert.deepEqual(childrenOf(process.pid), []);
});

test("stopping the launcher ends a running encoding and waits for its end", { skip }, async () => {
  const { fit, stop, dir } = fitter();
  const begun = Promise.withResolvers<void>();
  const options = { ...named("j"), onProgress: () => begun.resolve() };
  const fitting = fit(long, { bytesMax: 1_000_000 }, options);
  fitting.catch(() => undefined);
  await Promise.race([begun.promise, fitting]);
  await stop();
  assert.deepEqual(readdirSync(dir), []);
  await assert.rejects(fitting, /the launcher ends/);
});

test("the ffmpeg of a killed launcher ends by itself, and the next start deletes its files", {
  skip: cannot.readProc || skip,
}, async () => {
  const { dir, removeUnfinished } = fitter();
  const standIn = new URL("./test/launcher-stand-in.ts", import.meta.url);
  const child = fork(standIn, [pathOf("ffmpeg"), dir, JSON.stringify(long)]);
  await new Promise((resolve) => child.once("message", resolve));
  const [started] = childrenOf(child.pid);
  assert.ok(started !== undefined, "ffmpeg runs");
  child.kill("SIGKILL");
  while (existsSync(`/proc/${started}`)) await pause(20);
  const logs = readdirSync(dir).filter((name) => /\.log(\.temp)?$/.test(name));
  const pictures = logs.flatMap((name) => readFileSync(join(dir, name), "utf8").match(/^in:/gm) ?? []).length;
  assert.ok(logs.length > 0 && pictures < 1_800, `${pictures} of 1800 pictures were looked at`);
  await removeUnfinished();
  assert.deepEqual(readdirSync(dir), []);
});

test("the folder has a size limit, and the file unused for longest is deleted first", { skip }, async () => {
  const first = fitter();
  const old = await first.fit(picture, { bytesMax: 200_000 }, named("old"));
  const { fit, dir } = openFitter(first.dir, old.bytes * 1.5);
  utimesSync(old.path, 1_000, 1_000);
  await fit(picture, { bytesMax: 200_000 }, named("new"));
  assert.deepEqual(readdirSync(dir), ["new.jpg"]);
  await assert.rejects(fit(picture, { bytesMax: 1_000 }, named("../elsewhere")), /letters, digits/);
});
