// Writes the head of an MP4 file: everything before the first byte of media.

import type { Box } from "mp4box";
import { boxClasses, boxHeaderBytes, rawBox, verbatimBox, writeBox } from "./boxes.ts";
import type { InitSegment, InitTrack } from "./fragment.ts";
import type { MediaSample, TrackTimeline } from "./timeline.ts";

export type Movie = {
  readonly init: InitSegment;
  readonly video: TrackTimeline;
  /** What players play first comes first. */
  readonly sounds: readonly { readonly track: InitTrack; readonly timeline: TrackTimeline }[];
  /** How long the file plays, in ticks of the video. */
  readonly durationTicks: number;
  readonly createdMs: number;
  readonly layout: MediaLayout;
  readonly metadata: Metadata;
};

/**
 * Places each sound track that has sound. If the first has none, there are no others either: what players play first is never a
 * microphone.
 */
export function placeSounds(
  { sounds }: InitSegment,
  place: (track: number, timescale: number) => TrackTimeline | null,
): Movie["sounds"] {
  const placed = sounds.map((track, i) => ({ track, timeline: place(i, track.timescale) }));
  if (placed[0]?.timeline === null) return [];
  return placed.flatMap(({ track, timeline }) => (timeline === null ? [] : [{ track, timeline }]));
}

/** Seconds from the MP4 epoch (1904) to the Unix epoch (1970). */
const epochSeconds = 2_082_844_800;
const undetermined = 0x55c4;
const fixedPointOne = 0x10000;
const unrotated = Int32Array.of(fixedPointOne, 0, 0, 0, fixedPointOne, 0, 0, 0, 0x40000000);
/** The `mdat` box has a 64-bit size, so that its header is equally long for any amount of media. */
const mediaHeaderBytes = 2 * boxHeaderBytes;

export function movieHead(movie: Movie): Uint8Array {
  const type = new boxClasses.ftyp().set("major_brand", "isom").set("minor_version", 512);
  const ftyp = writeBox(type.set("compatible_brands", ["isom", "iso2", "avc1", "mp41"]));
  // The offsets of samples depend on the size of `moov`. That size does not depend on the offsets, so they are 0 at first.
  const moovBytes = writeBox(moovOf(movie, 0)).length;
  const moov = writeBox(moovOf(movie, ftyp.length + moovBytes + mediaHeaderBytes));
  const media = Buffer.alloc(mediaHeaderBytes);
  media.writeUInt32BE(1);
  media.write("mdat", 4, "latin1");
  media.writeBigUInt64BE(BigInt(mediaHeaderBytes + movie.layout.bytes), boxHeaderBytes);
  return Buffer.concat([ftyp, moov, media]);
}

function moovOf(movie: Movie, mediaOffset: number): InstanceType<typeof boxClasses.moov> {
  const { init, sounds, metadata } = movie;
  const moov = new boxClasses.moov();
  moov.addBox(
    dated(new boxClasses.mvhd(), movie)
      .set("timescale", movie.video.timescale)
      .set("duration", movie.durationTicks)
      .set("rate", fixedPointOne)
      .set("volume", 1)
      .set("matrix", unrotated)
      .set("next_track_id", 2 + sounds.length),
  );
  moov.addBox(trackOf(movie, mediaOffset, 0, init.video, movie.video));
  for (const [i, { track, timeline }] of sounds.entries())
    moov.addBox(trackOf(movie, mediaOffset, i + 1, track, timeline));
  moov.addBox(userDataBox(metadata));
  return moov;
}

function trackOf(
  movie: Movie,
  mediaOffset: number,
  index: number,
  source: InitTrack,
  timeline: TrackTimeline,
): InstanceType<typeof boxClasses.trak> {
  const video = index === 0;
  // A player plays the track that is enabled, and offers the others of its group instead.
  const isEnabled = index <= 1;
  const trak = new boxClasses.trak();
  trak.addBox(
    dated(new boxClasses.tkhd(), movie)
      .set("flags", isEnabled ? 3 : 2)
      .set("track_id", index + 1)
      .set("duration", movie.durationTicks)
      .set("alternate_group", video ? 0 : 1)
      .set("volume", video ? 0 : 1)
      .set("matrix", unrotated)
      .set("width", video ? movie.init.width * fixedPointOne : 0)
      .set("height", video ? movie.init.height * fixedPointOne : 0),
  );
  trak.addBox(new boxClasses.edts()).addBox(edits(timeline, movie));
  const mdia = trak.addBox(new boxClasses.mdia());
  const mdhd = dated(new boxClasses.mdhd(), movie)
    .set("timescale", timeline.timescale)
    .set("duration", timeline.endTicks);
  mdia.addBox(mdhd.set("language", undetermined));
  const handler = new boxClasses.hdlr().set("handler", video ? "vide" : "soun");
  mdia.addBox(handler.set("name", video ? "VideoHandler" : source.name || "SoundHandler"));
  const minf = mdia.addBox(new boxClasses.minf());
  if (video)
    minf.addBox(new boxClasses.vmhd().set("flags", 1).set("graphicsmode", 0).set("opcolor", new Uint16Array(3)));
  else minf.addBox(new boxClasses.smhd().set("balance", 0));
  const dref = new boxClasses.dref();
  dref.addEntry(new boxClasses["url "]());
  minf.addBox(new boxClasses.dinf()).addBox(dref);
  minf.addBox(sampleTable(source.sampleDescription, timeline, movie.layout.chunks[index] ?? [], mediaOffset));
  return trak;
}

/** Returns the edit list that lets the track start with the clip. A track that starts later has an empty edit first. */
function edits(
  { zeroTicks, timescale }: TrackTimeline,
  { durationTicks, video }: Movie,
): InstanceType<typeof boxClasses.elst> {
  const rate = { media_rate_integer: 1, media_rate_fraction: 0 };
  const late = zeroTicks < 0 ? Math.round((-zeroTicks * video.timescale) / timescale) : 0;
  const nothing = { segment_duration: late, media_time: -1, ...rate };
  const rest = { segment_duration: durationTicks - late, media_time: Math.max(0, zeroTicks), ...rate };
  return new boxClasses.elst().set("entries", late > 0 ? [nothing, rest] : [rest]);
}

function dated<T extends { creation_time: number; modification_time: number }>(box: T, { createdMs }: Movie): T {
  box.creation_time = Math.round(createdMs / 1000) + epochSeconds;
  box.modification_time = box.creation_time;
  return box;
}

type Chunk = { readonly samples: number; readonly offset: number };

export type MediaLayout = {
  /** The chunks of each track. Offsets count from the first byte of media. */
  readonly chunks: readonly (readonly Chunk[])[];
  /** Where to copy the media from, in the order in which they will be in the file. */
  readonly ranges: readonly MediaRange[];
  readonly bytes: number;
};

export type MediaRange = { readonly media: Uint8Array; readonly at: number; readonly end: number };

const chunkSeconds = 0.5;

export function layOutMedia(timelines: readonly TrackTimeline[]): MediaLayout {
  const queues = timelines.map((timeline) => ({ timeline, next: 0, chunks: [] as Chunk[] }));
  const ranges: { media: Uint8Array; at: number; end: number }[] = [];
  let bytes = 0;
  while (queues.some(({ timeline, next }) => next < timeline.samples.length)) {
    const begin = Math.min(...queues.map(({ timeline, next }) => secondsOf(timeline, next)));
    for (const queue of queues) {
      const offset = bytes;
      const first = queue.next;
      for (; secondsOf(queue.timeline, queue.next) < begin + chunkSeconds; queue.next++) {
        const sample = queue.timeline.samples[queue.next] as MediaSample;
        const last = ranges.at(-1);
        if (last?.media === sample.media && last.end === sample.at) last.end += sample.bytes;
        else ranges.push({ media: sample.media, at: sample.at, end: sample.at + sample.bytes });
        bytes += sample.bytes;
      }
      if (queue.next > first) queue.chunks.push({ samples: queue.next - first, offset });
    }
  }
  return {
    chunks: queues.map(({ chunks }) => chunks),
    ranges,
    bytes,
  };
}

/** Returns when a sample is decoded, in seconds of the clip; infinity after the last sample. */
function secondsOf({ samples, zeroTicks, timescale }: TrackTimeline, index: number): number {
  const sample = samples[index];
  return sample === undefined ? Infinity : (sample.decodeTicks - zeroTicks) / timescale;
}

/** `mediaOffset` is where the media begin in the file. Offsets of chunks count from there. */
function sampleTable(
  description: Uint8Array,
  { samples, endTicks }: TrackTimeline,
  chunks: readonly Chunk[],
  mediaOffset: number,
): InstanceType<typeof boxClasses.stbl> {
  const stbl = new boxClasses.stbl();
  stbl.addBox(verbatimBox(description));
  stbl.addBox(durations(samples, endTicks));
  if (samples.some(({ decodeTicks, presentTicks }) => decodeTicks !== presentTicks)) stbl.addBox(shifts(samples));
  if (samples.some(({ sync }) => !sync)) {
    const numbers = samples.flatMap(({ sync }, i) => (sync ? [i + 1] : []));
    stbl.addBox(new boxClasses.stss().set("sample_numbers", numbers));
  }
  stbl.addBox(samplesOfChunks(chunks));
  const sizes = samples.map(({ bytes }) => bytes);
  stbl.addBox(new boxClasses.stsz().set("sample_size", 0).set("sample_sizes", sizes));
  const offsets = chunks.map(({ offset }) => mediaOffset + offset);
  stbl.addBox(new boxClasses.co64().set("chunk_offsets", offsets));
  return stbl;
}

function durations(samples: readonly MediaSample[], endTicks: number): InstanceType<typeof boxClasses.stts> {
  const { counts, values } = runLengths(
    samples.map(({ decodeTicks }, i) => (samples[i + 1]?.decodeTicks ?? endTicks) - decodeTicks),
  );
  return new boxClasses.stts().set("sample_counts", counts).set("sample_deltas", values);
}

function shifts(samples: readonly MediaSample[]): InstanceType<typeof boxClasses.ctts> {
  const { counts, values } = runLengths(samples.map(({ decodeTicks, presentTicks }) => presentTicks - decodeTicks));
  return new boxClasses.ctts().set("sample_counts", counts).set("sample_offsets", values);
}

function samplesOfChunks(chunks: readonly Chunk[]): InstanceType<typeof boxClasses.stsc> {
  const changes = chunks.flatMap(({ samples }, i) =>
    chunks[i - 1]?.samples === samples ? [] : [{ chunk: i + 1, samples }],
  );
  return new boxClasses.stsc()
    .set(
      "first_chunk",
      changes.map(({ chunk }) => chunk),
    )
    .set(
      "samples_per_chunk",
      changes.map(({ samples }) => samples),
    )
    .set(
      "sample_description_index",
      changes.map(() => 1),
    );
}

function runLengths(all: readonly number[]): { counts: number[]; values: number[] } {
  const counts: number[] = [];
  const values: number[] = [];
  for (const value of all) {
    if (values.at(-1) === value) counts[counts.length - 1] = (counts.at(-1) as number) + 1;
    else {
      counts.push(1);
      values.push(value);
    }
  }
  return { counts, values };
}

type Metadata = {
  readonly title: string;
  readonly comment: string;
  /** When the first frame was on the screen, in ISO 8601. */
  readonly startedAt: string;
  /** In the order of their times, which count from the start of the clip. */
  readonly chapters: readonly { readonly atSeconds: number; readonly title: string }[];
};

/** The box of chapters has one byte for their number, and one for the length of each title. */
const titleBytesMax = 255;
const chaptersMax = 255;
const chapterTicks = 10_000_000;
const utf8Text = 1;

function userDataBox({ title, comment, startedAt, chapters }: Metadata): Box {
  const udta = new boxClasses.udta();
  const items = [
    item("\u00a9nam", utf8(title, titleBytesMax)),
    item("\u00a9day", Buffer.from(startedAt)),
    item("\u00a9cmt", new TextEncoder().encode(comment)),
  ];
  const handler = writeBox(new boxClasses.hdlr().set("handler", "mdir").set("name", ""));
  udta.addBox(rawBox("meta", Buffer.concat([uint32(0), handler, bytesOf("ilst", ...items)])));
  if (chapters.length > 0) udta.addBox(rawBox("chpl", chapterList(chapters.slice(0, chaptersMax))));
  return udta;
}

function item(type: string, text: Uint8Array): Uint8Array {
  return bytesOf(type, bytesOf("data", uint32(utf8Text), uint32(0), text));
}

function chapterList(chapters: Metadata["chapters"]): Uint8Array {
  const entries = chapters.map(({ atSeconds, title }) => {
    const text = utf8(title, titleBytesMax);
    const head = Buffer.alloc(9);
    head.writeBigUInt64BE(BigInt(Math.round(atSeconds * chapterTicks)));
    head.writeUInt8(text.length, 8);
    return Buffer.concat([head, text]);
  });
  return Buffer.concat([uint32(0x01000000), uint32(0), Buffer.of(chapters.length), ...entries]);
}

/** Returns the text as UTF-8, cut to `bytesMax` bytes without splitting a character. */
function utf8(text: string, bytesMax: number): Uint8Array {
  const bytes = new Uint8Array(bytesMax);
  return bytes.subarray(0, new TextEncoder().encodeInto(text.replaceAll("\0", ""), bytes).written);
}

function bytesOf(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  const bytes = content.reduce((sum, { length }) => sum + length, boxHeaderBytes);
  return Buffer.concat([uint32(bytes), Buffer.from(type, "latin1"), ...content], bytes);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
