// Copies the frames of a range of a clip into a new file, which starts and ends exactly at the requested times. Reads where the samples
// are from the file's own table.

import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { StoredClip } from "../clips/clip-row.ts";
import { assertDiskSpace, planMovie } from "../mp4/assemble.ts";
import { boxClasses, boxHeaderBytes, readBox, wrapReadErrors } from "../mp4/boxes.ts";
import { BrokenStream } from "../mp4/broken-stream.ts";
import { readInitSegment } from "../mp4/fragment.ts";
import type { MediaRange } from "../mp4/movie.ts";
import type { EncoderRun, MediaSample } from "../mp4/timeline.ts";
import type { ClipPlan, Footage } from "../plans/plan.ts";

type Moov = InstanceType<typeof boxClasses.moov>;
type Trak = Moov["traks"][number];
type Timing = { readonly scale: number; readonly movieScale: number };

/** A larger `moov` box is not read. An hour of video has one of a megabyte. */
const headBytesMax = 32 * 1024 * 1024;
const samplesMax = 2_000_000;

/**
 * Returns the file as one encoder run. Times count from the start of the file as it is shown, offsets from its first byte. Throws
 * BrokenStream if a track has more than one edit, or the file is fragmented.
 */
export async function readMovie(file: FileHandle): Promise<EncoderRun> {
  const bytes = await moovOf(file);
  const init = readInitSegment(bytes);
  return wrapReadErrors(() => {
    const moov = readBox(new boxClasses.moov(bytes.length), bytes);
    // Stands in for the bytes of the file. All samples share it, so that adjacent ones are copied together.
    const media = new Uint8Array(0);
    const movieScale = moov.mvhd.timescale;
    const samplesOf = (id: number, scale: number, isVideo: boolean): MediaSample[] => {
      const trak = moov.traks.find(({ tkhd }) => tkhd.track_id === id);
      return trak === undefined
        ? []
        : presentedSamples(trak, { scale, movieScale }, isVideo).map((one) => ({ ...one, media }));
    };
    const video = samplesOf(init.video.id, init.video.timescale, true);
    if (video.length === 0) throw new BrokenStream("it contains no video frames");
    return { init, video, sounds: init.sounds.map(({ id, timescale }) => samplesOf(id, timescale, false)) };
  });
}

async function moovOf(file: FileHandle): Promise<Uint8Array> {
  const { size } = await file.stat();
  const head = Buffer.alloc(2 * boxHeaderBytes);
  for (let at = 0; at + boxHeaderBytes <= size; ) {
    await file.read(head, 0, head.length, at);
    const short = head.readUInt32BE(0);
    const bytes = short === 1 ? Number(head.readBigUInt64BE(boxHeaderBytes)) : short === 0 ? size - at : short;
    if (bytes < boxHeaderBytes || at + bytes > size) break;
    if (head.toString("latin1", 4, boxHeaderBytes) === "moov") {
      if (bytes > headBytesMax) throw new BrokenStream(`its head has ${bytes} bytes`);
      const moov = Buffer.alloc(bytes);
      await file.read(moov, 0, bytes, at);
      return moov;
    }
    at += bytes;
  }
  throw new BrokenStream("it has no moov box");
}

type Sample = Omit<MediaSample, "media">;

function presentedSamples(trak: Trak, timing: Timing, isVideo: boolean): Sample[] {
  const { zeroTicks, endTicks } = readEdit(trak, timing);
  const samples = readSamples(trak).map((sample) => ({
    ...sample,
    decodeTicks: sample.decodeTicks - zeroTicks,
    presentTicks: sample.presentTicks - zeroTicks,
  }));
  return isVideo ? extendToNextFrame(samples, endTicks) : samples;
}

/** Returns which part of the track its edit list shows, in ticks of the track. An empty edit delays the start. */
function readEdit(trak: Trak, { scale, movieScale }: Timing): { zeroTicks: number; endTicks: number } {
  const entries = trak.edts?.elst?.entries ?? [];
  const waits = entries[0]?.media_time === -1 ? entries[0].segment_duration : 0;
  const [edit, ...others] = waits > 0 ? entries.slice(1) : entries;
  if (others.length > 0 || (edit !== undefined && (edit.media_time < 0 || edit.media_rate_integer !== 1))) {
    throw new BrokenStream("its edit list has several edits");
  }
  const lateTicks = (waits * scale) / movieScale;
  const lasts = edit === undefined || edit.segment_duration === 0 ? Infinity : edit.segment_duration;
  return {
    zeroTicks: (edit?.media_time ?? 0) - Math.round(lateTicks),
    endTicks: Math.round(lateTicks + (lasts * scale) / movieScale),
  };
}

/** Lets each frame last until the next one is shown. The table only says when frames are decoded. */
function extendToNextFrame(samples: readonly Sample[], endTicks: number): Sample[] {
  const inOrder = samples.toSorted((one, other) => one.presentTicks - other.presentTicks);
  const ends = new Map(inOrder.map((sample, i) => [sample, inOrder[i + 1]?.presentTicks]));
  return samples.map((sample) => {
    const end = ends.get(sample) ?? (endTicks === Infinity ? sample.presentTicks + sample.durationTicks : endTicks);
    const isShown = sample.presentTicks < endTicks;
    return { ...sample, durationTicks: Math.max(1, (isShown ? Math.min(end, endTicks) : end) - sample.presentTicks) };
  });
}

/** Returns the samples in the order in which they are decoded, with times of the track. */
function readSamples({ mdia }: Trak): Sample[] {
  const { stts, ctts, stss, stsz } = mdia.minf.stbl;
  const count = stsz.sample_sizes.length;
  if (count > samplesMax) throw new BrokenStream(`it has ${count} samples`);
  const sync = stss === undefined ? undefined : new Set(stss.sample_numbers);
  const durations = expandRuns(stts.sample_counts, stts.sample_deltas, count);
  const shifts = ctts === undefined ? [] : expandRuns(ctts.sample_counts, ctts.sample_offsets, count);
  const offsets = sampleOffsets(mdia.minf.stbl, stsz.sample_sizes);
  let decodeTicks = 0;
  return stsz.sample_sizes.map((bytes, i) => {
    const durationTicks = durations[i] ?? 0;
    const at = offsets[i];
    if (at === undefined) throw new BrokenStream("its sample table has no offset for a sample");
    const sample = { decodeTicks, presentTicks: decodeTicks + (shifts[i] ?? 0), durationTicks, at, bytes };
    decodeTicks += durationTicks;
    return { ...sample, sync: sync?.has(i + 1) ?? true };
  });
}

function expandRuns(counts: readonly number[], values: readonly number[], most: number): number[] {
  const all: number[] = [];
  for (const [i, count] of counts.entries()) {
    for (let n = 0; n < count && all.length < most; n += 1) all.push(values[i] ?? 0);
  }
  return all;
}

function sampleOffsets({ stsc, stco, co64 }: Trak["mdia"]["minf"]["stbl"], sizes: readonly number[]): number[] {
  const offsets = (co64 ?? stco).chunk_offsets;
  if (stsc.sample_description_index.some((index) => index !== 1)) {
    throw new BrokenStream("its picture format changes");
  }
  const sampleStarts: number[] = [];
  for (const [i, first] of stsc.first_chunk.entries()) {
    const next = stsc.first_chunk[i + 1] ?? offsets.length + 1;
    for (let chunk = first; chunk < Math.min(next, offsets.length + 1); chunk += 1) {
      let at = offsets[chunk - 1] ?? 0;
      for (let n = 0; n < (stsc.samples_per_chunk[i] ?? 0) && sampleStarts.length < sizes.length; n += 1) {
        at += sizes[sampleStarts.push(at) - 1] ?? 0;
      }
    }
  }
  return sampleStarts;
}

const pieceBytes = 1024 * 1024;

export type Tracks = {
  readonly soundTracks: number;
  /** True if the second sound track is what Kit recorded of the microphone. */
  readonly hasMicrophone: boolean;
  /** What the pictures are encoded with, if players and networks may not take it; otherwise null. */
  readonly rareCodec: string | null;
};

const codecNames: Readonly<Record<string, string | undefined>> = {
  hvc1: "HEVC",
  hev1: "HEVC",
  av01: "AV1",
  vp09: "VP9",
};
/** Where the four characters of the first entry are in a `stsd` box. */
const codecAt = 20;

/** A file that Kit cannot read counts as a usual one with one sound track. */
export async function readTracks(path: string): Promise<Tracks> {
  await using file = await open(path);
  try {
    const { video, sounds } = readInitSegment(await moovOf(file));
    const codec = Buffer.from(video.sampleDescription).toString("latin1", codecAt, codecAt + 4);
    const rareCodec = codec.startsWith("avc") ? null : (codecNames[codec] ?? codec);
    return { soundTracks: sounds.length, hasMicrophone: sounds[1]?.name.startsWith("Microphone") === true, rareCodec };
  } catch (error) {
    if (error instanceof BrokenStream) return { soundTracks: 1, hasMicrophone: false, rareCodec: null };
    throw error;
  }
}

/** Copies a file with its first sound track only, without title, events and chapters. Throws as `copyTrim` does. */
export async function copyWithFirstSound(path: string, part: string, signal: AbortSignal): Promise<void> {
  await using from = await open(path);
  const { init, video, sounds } = await readMovie(from);
  const run = { init: { ...init, sounds: init.sounds.slice(0, 1) }, video, sounds: sounds.slice(0, 1) };
  const whole = { title: "", moments: [], fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  await writeMovie(from, part, planMovie([run], whole), signal);
}

/** Resolves when the file is durable. Throws BrokenStream, NoFootage, the signal's reason, or a file system error. */
export async function copyTrim(
  source: StoredClip,
  plan: ClipPlan,
  part: string,
  signal: AbortSignal,
): Promise<Footage> {
  await using from = await open(String(source.clip.path));
  const movie = planMovie([await readMovie(from)], plan, source.fromMs);
  await writeMovie(from, part, movie, signal);
  return movie.footage;
}

/** Resolves when the file is durable. */
async function writeMovie(
  from: FileHandle,
  part: string,
  { head, layout, footage }: ReturnType<typeof planMovie>,
  signal: AbortSignal,
): Promise<void> {
  await assertDiskSpace(dirname(part), footage.bytes);
  await using to = await open(part, "w", 0o600);
  await to.writeFile(head);
  for (const range of layout.ranges) await copyRange(from, to, range, signal);
  const { size } = await to.stat();
  if (size !== footage.bytes)
    throw new MessageError(message("file.partly_written", { written: size, bytes: footage.bytes }));
  await to.sync();
}

/** Copies in small chunks, because a clip may be larger than the free memory beside a game. */
async function copyRange(
  from: FileHandle,
  to: FileHandle,
  { at, end }: Pick<MediaRange, "at" | "end">,
  signal: AbortSignal,
): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - at));
  for (let place = at; place < end; ) {
    signal.throwIfAborted();
    const { bytesRead } = await from.read(piece, 0, Math.min(piece.length, end - place), place);
    if (bytesRead === 0) throw new MessageError(message("file.ends_early"));
    await to.writeFile(piece.subarray(0, bytesRead));
    place += bytesRead;
  }
}
