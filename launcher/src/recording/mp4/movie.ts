// Writes the head of an MP4 file, which a player reads first.
import { boxes, boxHeaderBytes, writeBox } from "./boxes.ts";
import type { Init, InitTrack } from "./init.ts";
import type { Layout } from "./layout.ts";
import { type Metadata, userDataBox } from "./metadata.ts";
import { sampleTable } from "./sample-table.ts";
import type { Timeline } from "./timeline.ts";

export type Movie = {
  readonly init: Init;
  readonly video: Timeline;
  readonly sound: Timeline | null;
  /** Presented duration in ticks of the video. */
  readonly durationTicks: number;
  readonly createdMs: number;
  readonly layout: Layout;
  readonly metadata: Metadata;
};

/** Seconds from the MP4 epoch (1904) to the Unix epoch (1970). */
const epochSeconds = 2_082_844_800;
const undetermined = 0x55c4;
const fixedPointOne = 0x10000;
const unrotated = Int32Array.of(fixedPointOne, 0, 0, 0, fixedPointOne, 0, 0, 0, 0x40000000);
/** Uses the 64-bit size field, so that the header has the same length for any size. */
const mediaHeaderBytes = 2 * boxHeaderBytes;

/** Returns everything before the first byte of media. */
export function movieHead(movie: Movie): Uint8Array {
  const type = new boxes.ftyp().set("major_brand", "isom").set("minor_version", 512);
  const ftyp = writeBox(type.set("compatible_brands", ["isom", "iso2", "avc1", "mp41"]));
  // Sample offsets depend on the size of the `moov` box, which does not depend on their values.
  const moovBytes = writeBox(moovOf(movie, 0)).length;
  const moov = writeBox(moovOf(movie, ftyp.length + moovBytes + mediaHeaderBytes));
  const media = Buffer.alloc(mediaHeaderBytes);
  media.writeUInt32BE(1);
  media.write("mdat", 4, "latin1");
  media.writeBigUInt64BE(BigInt(mediaHeaderBytes + movie.layout.bytes), boxHeaderBytes);
  return Buffer.concat([ftyp, moov, media]);
}

function moovOf(movie: Movie, mediaOffset: number): InstanceType<typeof boxes.moov> {
  const { init, sound, metadata } = movie;
  const moov = new boxes.moov();
  moov.addBox(
    dated(new boxes.mvhd(), movie)
      .set("timescale", movie.video.timescale)
      .set("duration", movie.durationTicks)
      .set("rate", fixedPointOne)
      .set("volume", 1)
      .set("matrix", unrotated)
      .set("next_track_id", sound === null ? 2 : 3),
  );
  moov.addBox(trackOf(movie, mediaOffset, 0, init.video, movie.video));
  if (sound !== null && init.sound !== null) moov.addBox(trackOf(movie, mediaOffset, 1, init.sound, sound));
  moov.addBox(userDataBox(metadata));
  return moov;
}

function trackOf(
  movie: Movie,
  mediaOffset: number,
  index: 0 | 1,
  source: InitTrack,
  timeline: Timeline,
): InstanceType<typeof boxes.trak> {
  const video = index === 0;
  const trak = new boxes.trak();
  trak.addBox(
    dated(new boxes.tkhd(), movie)
      .set("flags", 3)
      .set("track_id", index + 1)
      .set("duration", movie.durationTicks)
      .set("volume", video ? 0 : 1)
      .set("matrix", unrotated)
      .set("width", video ? movie.init.width * fixedPointOne : 0)
      .set("height", video ? movie.init.height * fixedPointOne : 0),
  );
  trak.addBox(new boxes.edts()).addBox(edits(timeline, movie));
  const mdia = trak.addBox(new boxes.mdia());
  const mdhd = dated(new boxes.mdhd(), movie).set("timescale", timeline.timescale).set("duration", timeline.endTicks);
  mdia.addBox(mdhd.set("language", undetermined));
  const handler = new boxes.hdlr().set("handler", video ? "vide" : "soun");
  mdia.addBox(handler.set("name", video ? "VideoHandler" : "SoundHandler"));
  const minf = mdia.addBox(new boxes.minf());
  if (video) minf.addBox(new boxes.vmhd().set("flags", 1).set("graphicsmode", 0).set("opcolor", new Uint16Array(3)));
  else minf.addBox(new boxes.smhd().set("balance", 0));
  const dref = new boxes.dref();
  dref.addEntry(new boxes["url "]());
  minf.addBox(new boxes.dinf()).addBox(dref);
  minf.addBox(sampleTable(source.sampleDescription, timeline, movie.layout.chunks[index] ?? [], mediaOffset));
  return trak;
}

/** Edit list that starts the track with the clip. A track that starts later gets an empty edit first. */
function edits({ zeroTicks, timescale }: Timeline, { durationTicks, video }: Movie): InstanceType<typeof boxes.elst> {
  const rate = { media_rate_integer: 1, media_rate_fraction: 0 };
  const late = zeroTicks < 0 ? Math.round((-zeroTicks * video.timescale) / timescale) : 0;
  const nothing = { segment_duration: late, media_time: -1, ...rate };
  const rest = { segment_duration: durationTicks - late, media_time: Math.max(0, zeroTicks), ...rate };
  return new boxes.elst().set("entries", late > 0 ? [nothing, rest] : [rest]);
}

function dated<T extends { creation_time: number; modification_time: number }>(box: T, { createdMs }: Movie): T {
  box.creation_time = Math.round(createdMs / 1000) + epochSeconds;
  box.modification_time = box.creation_time;
  return box;
}
