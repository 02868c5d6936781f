// What an encoder says once, before its footage: the tracks and how to decode them.
import { BrokenStream } from "./box-splitter.ts";
import { boxes, bytesOf, readBox, reading } from "./boxes.ts";

export type InitTrack = {
  readonly id: number;
  /** Ticks a second of this track's times. */
  readonly timescale: number;
  /** The whole `stsd` box, byte for byte: what a decoder is set up with. */
  readonly sampleDescription: Uint8Array;
  /** What holds for a sample whose fragment does not say. */
  readonly defaults: { readonly durationTicks: number; readonly bytes: number; readonly flags: number };
};

/** One per run of the encoder: two runs are told apart by the identity of this object. */
export type Init = {
  readonly video: InitTrack;
  readonly sound: InitTrack | null;
  readonly width: number;
  readonly height: number;
};

type Moov = InstanceType<typeof boxes.moov>;
type Trak = Moov["traks"][number];

/** Reads a `moov` box: its first video and its first sound track. Throws BrokenStream when it has no video. */
export function readInit(bytes: Uint8Array): Init {
  return reading(() => {
    const moov = readBox(new boxes.moov(bytes.length), bytes);
    const video = trackOf(moov, "vide");
    if (video === undefined) throw new BrokenStream("the encoder's output has no video track");
    const sound = trackOf(moov, "soun");
    // Width and height are those of a kind of entry the library's common type leaves out.
    const entry = video.mdia.minf.stbl.stsd.entries[0] as { width?: number; height?: number } | undefined;
    return {
      video: read(moov, video, bytes),
      sound: sound === undefined ? null : read(moov, sound, bytes),
      width: entry?.width ?? 0,
      height: entry?.height ?? 0,
    };
  });
}

/** True when a decoder set up for one run decodes the other: their footage can lie in one file's tracks. */
export function joinable(a: Init, b: Init): boolean {
  if (a === b) return true;
  if (a.sound === null || b.sound === null) return a.sound === b.sound && alike(a.video, b.video);
  return alike(a.video, b.video) && alike(a.sound, b.sound);
}

function alike(a: InitTrack, b: InitTrack): boolean {
  return a.timescale === b.timescale && Buffer.compare(a.sampleDescription, b.sampleDescription) === 0;
}

function trackOf(moov: Moov, handler: string): Trak | undefined {
  return moov.traks.find(({ mdia }) => mdia?.hdlr?.handler === handler);
}

function read(moov: Moov, { tkhd, mdia }: Trak, bytes: Uint8Array): InitTrack {
  const common = moov.mvex?.trexs.find(({ track_id }) => track_id === tkhd.track_id);
  if (!(mdia.mdhd.timescale > 0)) throw new BrokenStream("a track of the encoder's output has no time scale");
  return {
    id: tkhd.track_id,
    timescale: mdia.mdhd.timescale,
    sampleDescription: bytesOf(mdia.minf.stbl.stsd, bytes),
    defaults: {
      durationTicks: common?.default_sample_duration ?? 0,
      bytes: common?.default_sample_size ?? 0,
      flags: common?.default_sample_flags ?? 0,
    },
  };
}
