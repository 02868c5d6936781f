// Reads where the samples of a finished MP4 lie and when a player shows them. The samples themselves stay where they are.
import type { FileHandle } from "node:fs/promises";
import { BrokenStream } from "./box-splitter.ts";
import { boxes, boxHeaderBytes, readBox, reading } from "./boxes.ts";
import { readInit } from "./init.ts";
import type { Piece, Run } from "./pieces.ts";

type Moov = InstanceType<typeof boxes.moov>;
type Trak = Moov["traks"][number];
type Timing = { readonly scale: number; readonly movieScale: number };

/** An hour of video needs a megabyte. */
const headBytesMax = 32 * 1024 * 1024;
const samplesMax = 2_000_000;

/**
 * All of it as one run. Times are those a player shows, 0 is its beginning; places are those in the file. Throws BrokenStream for a film
 * whose times cannot be told by one edit a track, or that is made of fragments.
 */
export async function readMovie(file: FileHandle): Promise<Run> {
  const bytes = await moovOf(file);
  const init = readInit(bytes);
  return reading(() => {
    const moov = readBox(new boxes.moov(bytes.length), bytes);
    // Only its identity is of use: what lies together in the file is copied together.
    const media = new Uint8Array(0);
    const movieScale = moov.mvhd.timescale;
    const piecesOf = (id: number, scale: number, isVideo: boolean): Piece[] => {
      const trak = moov.traks.find(({ tkhd }) => tkhd.track_id === id);
      return trak === undefined ? [] : shown(trak, { scale, movieScale }, isVideo).map((one) => ({ ...one, media }));
    };
    const video = piecesOf(init.video.id, init.video.timescale, true);
    if (video.length === 0) throw new BrokenStream("it holds no picture of its own");
    return { init, video, sound: init.sound === null ? [] : piecesOf(init.sound.id, init.sound.timescale, false) };
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
  throw new BrokenStream("it has no head");
}

type Sample = Omit<Piece, "media">;

function shown(trak: Trak, timing: Timing, isVideo: boolean): Sample[] {
  const { zeroTicks, endTicks } = editOf(trak, timing);
  const samples = samplesOf(trak).map((sample) => ({
    ...sample,
    decodeTicks: sample.decodeTicks - zeroTicks,
    showTicks: sample.showTicks - zeroTicks,
  }));
  return isVideo ? untilNext(samples, endTicks) : samples;
}

/** Where on the track's own time its beginning lies, and when it ends. An empty edit before it makes it begin later. */
function editOf(trak: Trak, { scale, movieScale }: Timing): { zeroTicks: number; endTicks: number } {
  const entries = trak.edts?.elst?.entries ?? [];
  const waits = entries[0]?.media_time === -1 ? entries[0].segment_duration : 0;
  const [edit, ...others] = waits > 0 ? entries.slice(1) : entries;
  if (others.length > 0 || (edit !== undefined && (edit.media_time < 0 || edit.media_rate_integer !== 1))) {
    throw new BrokenStream("it was put together of several stretches");
  }
  const lateTicks = (waits * scale) / movieScale;
  const lasts = edit === undefined || edit.segment_duration === 0 ? Infinity : edit.segment_duration;
  return {
    zeroTicks: (edit?.media_time ?? 0) - Math.round(lateTicks),
    endTicks: Math.round(lateTicks + (lasts * scale) / movieScale),
  };
}

/** A picture stands until the next one is shown: the table only says when that is decoded. */
function untilNext(samples: readonly Sample[], endTicks: number): Sample[] {
  const inOrder = samples.toSorted((one, other) => one.showTicks - other.showTicks);
  const ends = new Map(inOrder.map((sample, i) => [sample, inOrder[i + 1]?.showTicks]));
  return samples.map((sample) => {
    const end = ends.get(sample) ?? (endTicks === Infinity ? sample.showTicks + sample.durationTicks : endTicks);
    const isShown = sample.showTicks < endTicks;
    return { ...sample, durationTicks: Math.max(1, (isShown ? Math.min(end, endTicks) : end) - sample.showTicks) };
  });
}

/** In the order they are decoded, on the track's own time. */
function samplesOf({ mdia }: Trak): Sample[] {
  const { stts, ctts, stss, stsz } = mdia.minf.stbl;
  const count = stsz.sample_sizes.length;
  if (count > samplesMax) throw new BrokenStream(`it has ${count} samples`);
  const sync = stss === undefined ? undefined : new Set(stss.sample_numbers);
  const durations = spread(stts.sample_counts, stts.sample_deltas, count);
  const shifts = ctts === undefined ? [] : spread(ctts.sample_counts, ctts.sample_offsets, count);
  const places = placesOf(mdia.minf.stbl, stsz.sample_sizes);
  let decodeTicks = 0;
  return stsz.sample_sizes.map((bytes, i) => {
    const durationTicks = durations[i] ?? 0;
    const at = places[i];
    if (at === undefined) throw new BrokenStream("its table has no place for a sample");
    const sample = { decodeTicks, showTicks: decodeTicks + (shifts[i] ?? 0), durationTicks, at, bytes };
    decodeTicks += durationTicks;
    return { ...sample, sync: sync?.has(i + 1) ?? true };
  });
}

function spread(counts: readonly number[], values: readonly number[], most: number): number[] {
  const all: number[] = [];
  for (const [i, count] of counts.entries()) {
    for (let n = 0; n < count && all.length < most; n += 1) all.push(values[i] ?? 0);
  }
  return all;
}

function placesOf({ stsc, stco, co64 }: Trak["mdia"]["minf"]["stbl"], sizes: readonly number[]): number[] {
  const offsets = (co64 ?? stco).chunk_offsets;
  if (stsc.sample_description_index.some((index) => index !== 1)) {
    throw new BrokenStream("its picture changes its format");
  }
  const places: number[] = [];
  for (const [i, first] of stsc.first_chunk.entries()) {
    const next = stsc.first_chunk[i + 1] ?? offsets.length + 1;
    for (let chunk = first; chunk < Math.min(next, offsets.length + 1); chunk += 1) {
      let at = offsets[chunk - 1] ?? 0;
      for (let n = 0; n < (stsc.samples_per_chunk[i] ?? 0) && places.length < sizes.length; n += 1) {
        at += sizes[places.push(at) - 1] ?? 0;
      }
    }
  }
  return places;
}
