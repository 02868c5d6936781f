// The head of the file: what a player reads before it plays.
import { boxes, boxHeaderBytes, writeBox } from "./boxes.ts";
import type { Init, InitTrack } from "./init.ts";
import type { Layout } from "./layout.ts";
import { type Metadata, userData } from "./metadata.ts";
import type { Timeline } from "./pieces.ts";
import { sampleTable } from "./sample-table.ts";

export type Movie = {
  readonly init: Init;
  readonly video: Timeline;
  readonly sound: Timeline | null;
  /** How long a player shows it, in ticks of the video. */
  readonly durationTicks: number;
  readonly createdMs: number;
  readonly layout: Layout;
  readonly metadata: Metadata;
};

/** Seconds from 1904, where MP4 counts from, to 1970. */
const epochSeconds = 2_082_844_800;
const undetermined = 0x55c4;
const fixedPointOne = 0x10000;
const unrotated = Int32Array.of(fixedPointOne, 0, 0, 0, fixedPointOne, 0, 0, 0, 0x40000000);
/** Written with the 64-bit size, so that its place does not depend on how long it is. */
const mediaHeaderBytes = 2 * boxHeaderBytes;

/** Everything before the first byte of media. */
export function headOf(movie: Movie): Uint8Array {
  const type = new boxes.ftyp().set("major_brand", "isom").set("minor_version", 512);
  const ftyp = writeBox(type.set("compatible_brands", ["isom", "iso2", "avc1", "mp41"]));
  // The places of samples depend on the size of the box that tells them, and that does not depend on the places.
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
  moov.addBox(userData(metadata));
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

/** Begins the track where the clip begins; before a track that sets in later there is nothing. */
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
