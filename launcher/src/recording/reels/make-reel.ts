// Makes the file of a reel: copies the frames of its parts if all have one format and nothing fades, otherwise encodes each part once.

import { randomUUIDv7 } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { type Clip, type Message, MessageError, type ReelPart } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { ClipFiles, VerifiedFile } from "../clips/clip-files.ts";
import { namePartsForReel } from "../clips/file-names.ts";
import { VerifyFailed } from "../clips/verify.ts";
import { createProgressParser, type EncodingFfmpeg, keepTimestampsArgs } from "../exports/encode.ts";
import { probeClip } from "../exports/media-fitter.ts";
import { videoFilters, videoTags } from "../ffmpeg/colours.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { assertDiskSpace } from "../mp4/assemble.ts";
import { BrokenStream } from "../mp4/broken-stream.ts";
import { differenceOf } from "../mp4/fragment.ts";
import { type MergedMovie, planMergedMovie } from "../mp4/join.ts";
import type { MediaRange } from "../mp4/movie.ts";
import type { EncoderRun } from "../mp4/timeline.ts";
import type { ClipPlan } from "../plans/plan.ts";
import { readMovie, readTracks } from "../trim/copy-trim.ts";

export type MakeReelDeps = {
  readonly files: Pick<ClipFiles, "partPath" | "saveVideo" | "discard" | "createFolders">;
  readonly ffmpeg: () => Promise<EncodingFfmpeg | undefined>;
  readonly onStage: (stage: NonNullable<Clip["stage"]>) => void;
  /** Called with the share of the work that is done. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
};

/** `verifiedBytes` is the size of the file when it was verified; null if it was not. */
export type ReelSource = ReelPart & { readonly path: string; readonly verifiedBytes: number | null };
export type MadeReel = { readonly file: VerifiedFile; readonly starts: readonly number[] };

/** How much of the work of an encoded reel the encoding is. The rest copies its parts into one file. */
const encodingShare = 0.95;

/** Rejects with VerifyFailed, FfmpegFailed, the signal's reason or a file system error. Leaves no partial file. */
export async function makeReelFile(
  deps: MakeReelDeps,
  plan: ClipPlan,
  sources: readonly ReelSource[],
): Promise<MadeReel> {
  await deps.files.createFolders();
  deps.onStage("cutting");
  if (sources.some(({ fades }) => fades)) return encodeAndJoin(deps, plan, sources);
  const why = await joinParts(deps, plan, sources, deps.onProgress).catch((error: unknown): Unlike => {
    // A person may have put another file in the place of a clip's. If its frames cannot be copied, they can be encoded.
    if (!(error instanceof BrokenStream || error instanceof VerifyFailed)) throw error;
    return { note: message("clip.encoded_again") };
  });
  if (!("note" in why)) return why;
  const made = await encodeAndJoin(deps, plan, sources);
  return { ...made, file: { ...made.file, notes: [why.note, ...made.file.notes] } };
}

/** Why the frames of the parts cannot be in one file as they are. */
type Unlike = { readonly note: Message };

const unlikeNotes = {
  size: message("reel.differ_in_size"),
  sound: message("reel.differ_in_sound"),
  encoding: message("reel.encoded_again"),
} as const;

async function joinParts(
  deps: MakeReelDeps,
  plan: ClipPlan,
  sources: readonly ReelSource[],
  onProgress: (share: number) => void,
): Promise<MadeReel | Unlike> {
  const { files, signal } = deps;
  const part = files.partPath(plan.id);
  await using opened = await openMovies(sources);
  const { movies } = opened;
  const differences = movies.map(({ run }) => differenceOf(run.init, (movies[0] as Movie).run.init));
  for (const [difference, note] of Object.entries(unlikeNotes))
    if (differences.includes(difference as keyof typeof unlikeNotes)) return { note };
  const parts = sources.map(({ title, fromSeconds, toSeconds }, i) => {
    return { run: (movies[i] as Movie).run, title, fromSeconds, toSeconds };
  });
  const comment = JSON.stringify({ events: plan.moments.map(({ event }) => event) });
  const joined = planMergedMovie(parts, { title: plan.title, comment, createdMs: plan.fromMs });
  if (joined === undefined) throw new BrokenStream("a part has no frame in its range");
  await assertDiskSpace(dirname(part), joined.bytes);
  try {
    await writeJoined(part, joined, movies, { signal, onProgress });
    deps.onStage("verifying");
    const toMs = plan.fromMs + joined.seconds * 1_000;
    const { frames } = joined;
    const expected = { fromMs: plan.fromMs, toMs, frames };
    const keyframes = movies.every(({ isVerified }) => isVerified) ? joined.firstKeyframes : undefined;
    const file = await files.saveVideo(plan.id, part, expected, namePartsForReel(plan), { keyframes });
    // Frames that only help to decode the start of a part are not counted, because nobody sees them.
    return { file: { ...file, frames: joined.shown }, starts: joined.starts };
  } finally {
    await files.discard(part);
  }
}

type Movie = { readonly handle: FileHandle; readonly run: EncoderRun; readonly isVerified: boolean };

/** Opens each file once, although a clip may be in several parts. */
async function openMovies(
  sources: readonly ReelSource[],
): Promise<{ readonly movies: Movie[]; [Symbol.asyncDispose](): Promise<void> }> {
  const byPath = new Map<string, Movie>();
  const handles: FileHandle[] = [];
  const dispose = async () => void (await Promise.all(handles.map((handle) => handle.close())));
  try {
    for (const { path, verifiedBytes } of sources) {
      if (byPath.has(path)) continue;
      const handle = await open(path);
      handles.push(handle);
      // A file of another size was put in the place of the one that was verified.
      const isVerified = (await handle.stat()).size === verifiedBytes;
      byPath.set(path, { handle, run: await readMovie(handle), isVerified });
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return { movies: sources.map(({ path }) => byPath.get(path) as Movie), [Symbol.asyncDispose]: dispose };
}

type WriteOptions = { readonly signal: AbortSignal; readonly onProgress: (share: number) => void };

async function writeJoined(
  part: string,
  { head, layout, bytes }: MergedMovie,
  movies: readonly Movie[],
  { signal, onProgress }: WriteOptions,
): Promise<void> {
  // All samples of a movie share a stand-in for its bytes.
  const handles = new Map(movies.map(({ handle, run }) => [run.video[0]?.media, handle]));
  await using to = await open(part, "w", 0o600);
  await to.writeFile(head);
  let done = head.length;
  // Used for all batches, because new memory costs as much time as the copy.
  const buffers = { read: Buffer.allocUnsafe(batchBytesMax), ordered: Buffer.allocUnsafe(batchBytesMax) };
  for (const batch of batches(layout.ranges)) {
    signal.throwIfAborted();
    const ordered = await readBatch(handles.get(batch.media) as FileHandle, batch, buffers);
    for (let at = 0; at < ordered.length; ) at += (await to.write(ordered, at)).bytesWritten;
    done += ordered.length;
    onProgress(done / bytes);
  }
  const { size } = await to.stat();
  if (size !== bytes) throw new MessageError(message("file.partly_written", { written: size, bytes }));
  await to.sync();
}

/** Ranges that are near each other in one file. They are read together, because thousands of small reads take longer than the copy. */
type Batch = { readonly media: Uint8Array; at: number; end: number; readonly ranges: { at: number; end: number }[] };

/** Bounds the memory that a copy needs beside a game. */
const batchBytesMax = 2 * 1024 * 1024;

function* batches(ranges: readonly MediaRange[]): Generator<Batch> {
  let batch: Batch | undefined;
  for (const { media, at: first, end: last } of ranges) {
    for (let at = first; at < last; at += batchBytesMax) {
      const end = Math.min(last, at + batchBytesMax);
      const isNear = batch?.media === media && Math.max(batch.end, end) - Math.min(batch.at, at) <= batchBytesMax;
      if (batch !== undefined && isNear) {
        batch.at = Math.min(batch.at, at);
        batch.end = Math.max(batch.end, end);
        batch.ranges.push({ at, end });
      } else {
        if (batch !== undefined) yield batch;
        batch = { media, at, end, ranges: [{ at, end }] };
      }
    }
  }
  if (batch !== undefined) yield batch;
}

type Buffers = { readonly read: Buffer; readonly ordered: Buffer };

/** Returns the bytes of the ranges in their order, in one of the buffers. */
async function readBatch(from: FileHandle, { at, end, ranges }: Batch, { read, ordered }: Buffers): Promise<Buffer> {
  for (let filled = 0; filled < end - at; ) {
    const { bytesRead } = await from.read(read, filled, end - at - filled, at + filled);
    if (bytesRead === 0) throw new MessageError(message("file.ends_early"));
    filled += bytesRead;
  }
  let length = 0;
  for (const range of ranges) length += read.copy(ordered, length, range.at - at, range.end - at);
  return ordered.subarray(0, length);
}

type Target = {
  readonly width: number;
  readonly height: number;
  /** 2 if every part has two. */
  readonly soundTracks: number;
  readonly hasMicrophone: boolean;
};

const outBytesMax = 64 * 1024 * 1024;
const threads = "4";
const fadeSeconds = 0.25;

/** Encodes the parts one after another, so that only one decoder and one encoder need memory. */
async function encodeAndJoin(deps: MakeReelDeps, plan: ClipPlan, sources: readonly ReelSource[]): Promise<MadeReel> {
  const { files, onStage, onProgress, signal } = deps;
  const ffmpeg = await deps.ffmpeg();
  if (ffmpeg === undefined) throw new VerifyFailed(message("file.no_ffmpeg_to_encode"));
  onStage("cutting");
  const probed = await Promise.all(sources.map(({ path }) => probeClip(ffmpeg, path)));
  const largest = probed.reduce((most, one) => (one.width * one.height > most.width * most.height ? one : most));
  const even = (pixels: number) => 2 * Math.ceil(pixels / 2);
  const tracks = await Promise.all(sources.map(({ path }) => readTracks(path)));
  const soundCounts = tracks.map(({ soundTracks }) => soundTracks);
  const soundTracks = probed.some((one) => one.hasSound) ? Math.max(1, Math.min(2, ...soundCounts)) : 0;
  const hasMicrophone = tracks.every((one) => one.hasMicrophone);
  const target = { width: even(largest.width), height: even(largest.height), soundTracks, hasMicrophone };
  const wholeSeconds = sources.reduce((sum, { fromSeconds, toSeconds }) => sum + toSeconds - fromSeconds, 0);
  const encoded: ReelSource[] = [];
  try {
    let doneSeconds = 0;
    for (const [i, source] of sources.entries()) {
      const seconds = source.toSeconds - source.fromSeconds;
      const path = files.partPath(randomUUIDv7());
      encoded.push({ ...source, path, verifiedBytes: null, fromSeconds: 0, toSeconds: seconds });
      const onOutput = createProgressParser((at) =>
        onProgress((encodingShare * (doneSeconds + Math.min(at, seconds))) / wholeSeconds),
      );
      const args = encodeArguments(ffmpeg, source, path, target, probed[i]?.hasSound === true);
      await runFfmpeg(ffmpeg, args, { outBytesMax, isBackground: true, signal, onOutput });
      doneSeconds += seconds;
    }
    const onJoined = (share: number) => onProgress(encodingShare + (1 - encodingShare) * share);
    const made = await joinParts(deps, plan, encoded, onJoined);
    if ("note" in made) throw new VerifyFailed(message("reel.formats_differ"));
    return made;
  } finally {
    await Promise.all(encoded.map(({ path }) => files.discard(path)));
  }
}

/** All parts get the same size, colours, level and sound, so that one decoder plays them all. */
function encodeArguments(
  ffmpeg: EncodingFfmpeg,
  { path, fromSeconds, toSeconds, fades }: ReelSource,
  part: string,
  target: Target,
  hasSound: boolean,
): string[] {
  const { width, height, soundTracks, hasMicrophone } = target;
  const seconds = (toSeconds - fromSeconds).toFixed(3);
  const fadeOut = Math.max(0, toSeconds - fromSeconds - fadeSeconds).toFixed(3);
  const fade = (name: "fade" | "afade") => `${name}=t=in:d=${fadeSeconds},${name}=t=out:st=${fadeOut}:d=${fadeSeconds}`;
  const picture = [
    videoFilters(`${width}:${height}:force_original_aspect_ratio=decrease`),
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`,
    "setsar=1",
    ...(fades ? [fade("fade")] : []),
  ].join(",");
  const silence = ["-f", "lavfi", "-t", seconds, "-i", "anullsrc=r=48000:cl=stereo"];
  const isSilent = soundTracks > 0 && !hasSound;
  const maps = isSilent ? ["1:a:0"] : ["0:a:0", "0:a:1"].slice(0, soundTracks);
  const format = ["-c:a", "aac", "-b:a", "160k", "-ar", "48000", "-ac", "2"];
  const names = hasMicrophone ? ["-metadata:s:a:1", "handler_name=Microphone"] : [];
  const sound = [
    ...maps.flatMap((map) => ["-map", map]),
    ...names,
    ...(fades ? ["-af", fade("afade")] : []),
    ...format,
  ];
  return [
    ...["-v", "error", "-protocol_whitelist", "file,pipe", "-ss", fromSeconds.toFixed(3), "-f", "mp4"],
    ...["-i", `file:${path}`, ...(isSilent ? silence : []), "-t", seconds, "-map", "0:v:0", "-vf", picture],
    ...keepTimestampsArgs(ffmpeg),
    // With reordered frames, each part would start two frames late.
    ...["-c:v", "libx264", "-preset", "veryfast", "-bf", "0", "-crf", "18", "-level:v", "5.2", "-threads", threads],
    ...videoTags,
    ...(soundTracks > 0 ? sound : ["-an"]),
    ...["-map_metadata", "-1", "-map_chapters", "-1", "-video_track_timescale", "90000", "-f", "mp4"],
    ...["-y", `file:${part}`],
    // One line per frame to a pipe: it shows the progress, and if the launcher was killed, nobody reads it, and ffmpeg ends.
    ...["-t", seconds, "-map", "0:v:0", "-c:v", "copy", "-flush_packets", "1", "-f", "framecrc", "pipe:1"],
  ];
}
