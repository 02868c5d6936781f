// Reads the initialization segment of an encoder run: the tracks and how to decode them.
import { BrokenStream } from "./box-splitter.ts";
import { boxBytes, boxes, readBox, wrapReadErrors } from "./boxes.ts";

export type InitTrack = {
  readonly id: number;
  /** Ticks per second. */
  readonly timescale: number;
  /** The complete `stsd` box, which configures a decoder. */
  readonly sampleDescription: Uint8Array;
  /** Defaults for samples whose fragment has no values. */
  readonly defaults: { readonly durationTicks: number; readonly bytes: number; readonly flags: number };
};

/** One object per encoder run. Its identity distinguishes runs. */
export type Init = {
  readonly video: InitTrack;
  readonly sound: InitTrack | null;
  readonly width: number;
  readonly height: number;
};

type Moov = InstanceType<typeof boxes.moov>;
type Trak = Moov["traks"][number];

/** Reads the first video and the first sound track of a `moov` box. Throws BrokenStream without a video track. */
export function readInit(bytes: Uint8Array): Init {
  return wrapReadErrors(() => {
    const moov = readBox(new boxes.moov(bytes.length), bytes);
    const video = trackOf(moov, "vide");
    if (video === undefined) throw new BrokenStream("the encoder's output has no video track");
    const sound = trackOf(moov, "soun");
    // The library's common type of an entry lacks width and height.
    const entry = video.mdia.minf.stbl.stsd.entries[0] as { width?: number; height?: number } | undefined;
    return {
      video: read(moov, video, bytes),
      sound: sound === undefined ? null : read(moov, sound, bytes),
      width: entry?.width ?? 0,
      height: entry?.height ?? 0,
    };
  });
}

/** True if both runs can share the tracks of one file, because one decoder configuration fits both. */
export function canJoin(a: Init, b: Init): boolean {
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
    sampleDescription: boxBytes(mdia.minf.stbl.stsd, bytes),
    defaults: {
      durationTicks: common?.default_sample_duration ?? 0,
      bytes: common?.default_sample_size ?? 0,
      flags: common?.default_sample_flags ?? 0,
    },
  };
}
