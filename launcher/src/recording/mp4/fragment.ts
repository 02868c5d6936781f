// Reads fragments of the encoder's output: the times, offsets and sizes of their samples.

import { type BoxSplitter, boxClasses, copyBoxBytes, createBoxSplitter, readBox, wrapReadErrors } from "./boxes.ts";
import { BrokenStream } from "./broken-stream.ts";

/** A frame of video or a block of sound. Times are in ticks of the track since the epoch, or since the start of a file. */
export type Sample = {
  readonly decodeTicks: number;
  readonly presentTicks: number;
  readonly durationTicks: number;
  /** True if it can be decoded without earlier samples. */
  readonly sync: boolean;
  /** Where its bytes begin in `media`. */
  readonly at: number;
  readonly bytes: number;
};

export type Fragment = {
  readonly init: InitSegment;
  /** Numbers the windows and runs of games that were captured one after another. Footage of two is never in one file. */
  readonly subject?: number;
  /** Start of the video, or of the sound if there is no video. */
  readonly startMs: number;
  readonly endMs: number;
  /** True if the first frame can be decoded without earlier ones. */
  readonly startsWithKeyframe: boolean;
  /** About how much memory the fragment needs. */
  readonly bytes: number;
  /** The `mdat` box. */
  readonly media: Uint8Array;
  readonly video: readonly Sample[];
  /** The samples of each sound track, in the order of `InitSegment.sounds`. */
  readonly sounds: readonly (readonly Sample[])[];
};

type Traf = InstanceType<typeof boxClasses.moof>["trafs"][number];
type Run = Traf["truns"][number];

/** How much memory a Sample needs beside its bytes, as measured and rounded up. */
const sampleCostBytes = 144;

const has = {
  baseOffset: 0x1,
  defaultDuration: 0x8,
  defaultBytes: 0x10,
  defaultFlags: 0x20,
  baseIsMoof: 0x20000,
} as const;
const runHas = { offset: 0x1, firstFlags: 0x4 } as const;
const notSync = 0x10000;

/**
 * Reads a `moof` box and the `mdat` box after it. The fragment keeps the buffer of `mdat`, so nothing else may use it. Throws
 * BrokenStream.
 */
export function readFragment(init: InitSegment, moof: Uint8Array, media: Uint8Array): Fragment {
  return wrapReadErrors(() => {
    const { trafs } = readBox(new boxClasses.moof(moof.length), moof);
    const samplesOf = (track: InitTrack) =>
      trafs
        .filter(({ tfhd }) => tfhd.track_id === track.id)
        .flatMap((traf) => readSamples(traf, track, moof.length, media.length));
    const video = samplesOf(init.video);
    const sounds = init.sounds.map(samplesOf);
    const filled = sounds.findIndex((sound) => sound.length > 0);
    const [lead, timescale] =
      video.length > 0 ? [video, init.video.timescale] : [sounds[filled] ?? [], init.sounds[filled]?.timescale ?? 1];
    if (lead.length === 0) throw new BrokenStream("a fragment has no sample of video or sound");
    return {
      init,
      startMs: (Math.min(...lead.map(({ presentTicks }) => presentTicks)) / timescale) * 1000,
      endMs:
        (Math.max(...lead.map(({ presentTicks, durationTicks }) => presentTicks + durationTicks)) / timescale) * 1000,
      startsWithKeyframe: video[0]?.sync === true,
      bytes: media.length + sampleCostBytes * sounds.reduce((sum, { length }) => sum + length, video.length),
      media,
      video,
      sounds,
    };
  });
}

function readSamples(traf: Traf, track: InitTrack, moofBytes: number, mediaBytes: number): Sample[] {
  const { tfhd, tfdt } = traf;
  if ((tfhd.flags & has.baseOffset) !== 0 || (tfhd.flags & has.baseIsMoof) === 0) {
    throw new BrokenStream("a fragment's offsets count from the start of the file; write it with default_base_moof");
  }
  const samples: Sample[] = [];
  let decodeTicks = tfdt.baseMediaDecodeTime;
  let at = 0;
  for (const run of traf.truns) {
    if (run.sample_count > mediaBytes) throw new BrokenStream("a fragment has more samples than bytes");
    if ((run.flags & runHas.offset) !== 0) at = run.data_offset - moofBytes;
    for (let i = 0; i < run.sample_count; i++) {
      const { bytes, durationTicks, sync } = sampleOf(traf, run, i, track);
      if (at < 0 || at + bytes > mediaBytes) throw new BrokenStream("a fragment's sample lies outside its media");
      const presentTicks = decodeTicks + (run.sample_composition_time_offset[i] ?? 0);
      samples.push({ decodeTicks, presentTicks, durationTicks, sync, at, bytes });
      decodeTicks += durationTicks;
      at += bytes;
    }
  }
  return samples;
}

/** Takes each value from the sample; without one there, from the fragment or else the track. */
function sampleOf(
  { tfhd }: Traf,
  run: Run,
  i: number,
  { defaults }: InitTrack,
): Pick<Sample, "durationTicks" | "bytes" | "sync"> {
  const either = (flag: number, own: number, common: number) => ((tfhd.flags & flag) !== 0 ? own : common);
  const first = i === 0 && (run.flags & runHas.firstFlags) !== 0 ? run.first_sample_flags : undefined;
  const flags = run.sample_flags[i] ?? first ?? either(has.defaultFlags, tfhd.default_sample_flags, defaults.flags);
  return {
    durationTicks:
      run.sample_duration[i] ?? either(has.defaultDuration, tfhd.default_sample_duration, defaults.durationTicks),
    bytes: run.sample_size[i] ?? either(has.defaultBytes, tfhd.default_sample_size, defaults.bytes),
    sync: (flags & notSync) === 0,
  };
}

export type InitTrack = {
  readonly id: number;
  /** What the program that wrote the track calls it. */
  readonly name: string;
  /** Ticks per second. */
  readonly timescale: number;
  /** The complete `stsd` box, which configures a decoder. */
  readonly sampleDescription: Uint8Array;
  /** Values for samples that have none of their own and get none from their fragment. */
  readonly defaults: { readonly durationTicks: number; readonly bytes: number; readonly flags: number };
};

/** What the `moov` box at the start of an encoder run says about its tracks. Each run has an object of its own, which identifies it. */
export type InitSegment = {
  readonly video: InitTrack;
  /** What players play first comes first. */
  readonly sounds: readonly InitTrack[];
  readonly width: number;
  readonly height: number;
};

type Moov = InstanceType<typeof boxClasses.moov>;
type Trak = Moov["traks"][number];

/** Kit records the sound of the game and the microphone. OBS may record more. */
const soundTracksMax = 6;

/** Reads the first video track and the sound tracks of a `moov` box. Throws BrokenStream without a video track. */
export function readInitSegment(bytes: Uint8Array): InitSegment {
  return wrapReadErrors(() => {
    const moov = readBox(new boxClasses.moov(bytes.length), bytes);
    const [video] = tracksOf(moov, "vide");
    if (video === undefined) throw new BrokenStream("the encoder's output has no video track");
    // The library's type of an entry lacks width and height.
    const entry = video.mdia.minf.stbl.stsd.entries[0] as { width?: number; height?: number } | undefined;
    return {
      video: readTrack(moov, video, bytes),
      sounds: tracksOf(moov, "soun")
        .slice(0, soundTracksMax)
        .map((sound) => readTrack(moov, sound, bytes)),
      width: entry?.width ?? 0,
      height: entry?.height ?? 0,
    };
  });
}

/** Returns true if two runs can be in one file, because a decoder needs the same configuration for both. */
export const canShareFile = (a: InitSegment, b: InitSegment): boolean => differenceOf(a, b) === undefined;

/** Returns why two runs cannot be in one file; undefined if they can. */
export function differenceOf(a: InitSegment, b: InitSegment): "size" | "sound" | "encoding" | undefined {
  if (a === b) return undefined;
  if (a.width !== b.width || a.height !== b.height) return "size";
  if (a.sounds.length !== b.sounds.length) return "sound";
  if (!alike(a.video, b.video)) return "encoding";
  return a.sounds.every((sound, i) => alike(sound, b.sounds[i] as InitTrack)) ? undefined : "sound";
}

function alike(a: InitTrack, b: InitTrack): boolean {
  return a.timescale === b.timescale && withoutRates(a.sampleDescription).equals(withoutRates(b.sampleDescription));
}

/** Returns the box with its bit rates set to 0. Some programs write there what they measured, which no decoder needs. */
function withoutRates(sampleDescription: Uint8Array): Buffer {
  const bytes = Buffer.from(sampleDescription);
  const rates = bytes.indexOf("btrt", 0, "latin1");
  if (rates >= 0) bytes.fill(0, rates + 4, rates + 16);
  const decoder = bytes.indexOf("esds", 0, "latin1");
  if (decoder < 0) return bytes;
  // An ES descriptor (tag 3) contains the decoder's (tag 4). Each tag is followed by a length of one to four bytes.
  const content = (at: number, tag: number): number => {
    if (bytes[at] !== tag) return bytes.length;
    let next = at + 1;
    while (((bytes[next] ?? 0) & 0x80) !== 0) next += 1;
    return next + 1;
  };
  const config = content(content(decoder + 8, 3) + 3, 4);
  bytes.fill(0, Math.min(bytes.length, config + 2), Math.min(bytes.length, config + 13));
  return bytes;
}

function tracksOf(moov: Moov, handler: string): Trak[] {
  return moov.traks.filter(({ mdia }) => mdia?.hdlr?.handler === handler);
}

function readTrack(moov: Moov, { tkhd, mdia }: Trak, bytes: Uint8Array): InitTrack {
  const common = moov.mvex?.trexs.find(({ track_id }) => track_id === tkhd.track_id);
  if (!(mdia.mdhd.timescale > 0)) throw new BrokenStream("a track of the encoder's output has no time scale");
  return {
    id: tkhd.track_id,
    name: mdia.hdlr.name ?? "",
    timescale: mdia.mdhd.timescale,
    sampleDescription: copyBoxBytes(mdia.minf.stbl.stsd, bytes),
    defaults: {
      durationTicks: common?.default_sample_duration ?? 0,
      bytes: common?.default_sample_size ?? 0,
      flags: common?.default_sample_flags ?? 0,
    },
  };
}

export type FragmentReaderDeps = {
  readonly boxBytesMax: number;
  onFragment(fragment: Fragment): void;
};

/** Use one reader per encoder run or file. Its `push` throws BrokenStream. */
export function createFragmentReader({ boxBytesMax, onFragment }: FragmentReaderDeps): BoxSplitter {
  let init: InitSegment | undefined;
  let moof: Uint8Array | undefined;
  return createBoxSplitter({
    boxBytesMax,
    onBox(type, bytes) {
      if (type === "moov") init = readInitSegment(bytes);
      else if (type === "moof") moof = bytes;
      else if (type === "mdat" && init !== undefined && moof !== undefined) {
        onFragment(readFragment(init, moof, bytes));
        moof = undefined;
      }
    },
  });
}
