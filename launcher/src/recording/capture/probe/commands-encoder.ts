// The arguments of each encoder: H.264 that begins anew each second, holds no frame back and keeps to a bit rate.
import type { RecorderSettings } from "@kit/contract";

export type EncoderName =
  | "h264_nvenc"
  | "h264_amf"
  | "h264_qsv"
  | "h264_vaapi"
  | "h264_videotoolbox"
  | "libx264"
  | "libopenh264";
export type Preset = "superfast" | "ultrafast";

export type Size = { readonly width: number; readonly height: number };

/** What a picture costs: its size, how often it comes, and how good it is to be. */
export type Picture = {
  readonly size: Size;
  readonly frameRate: number;
  readonly quality: RecorderSettings["quality"];
};

export type Encoder = {
  readonly name: EncoderName;
  /** Of libx264 only. */
  readonly preset: Preset;
  /** The graphics card VAAPI works on, e.g. /dev/dri/renderD128. */
  readonly device: string | null;
};

/** In the order they are tried: hardware first, as it costs the game least. */
export function encodersOf(platform: NodeJS.Platform): readonly EncoderName[] {
  if (platform === "win32") return ["h264_nvenc", "h264_amf", "h264_qsv", "libx264", "libopenh264"];
  if (platform === "darwin") return ["h264_videotoolbox", "libx264", "libopenh264"];
  return ["h264_nvenc", "h264_vaapi", "h264_qsv", "libx264", "libopenh264"];
}

export const isSoftware = (name: EncoderName): boolean => name.startsWith("lib");

const factorOf = { low: 26, standard: 23, high: 19 } as const;
/** Average bits a second of 720p at 30 frames. */
const rateOf = { low: 2_500_000, standard: 5_000_000, high: 9_000_000 } as const;

/** Bits a second: four times the pixels need about two and a half times the bits. */
export function bitRateOf({ size, frameRate, quality }: Picture): number {
  const share = (size.width * size.height * frameRate) / (1280 * 720 * 30);
  return Math.round((rateOf[quality] * Math.max(0.4, share) ** 0.7) / 100_000) * 100_000;
}

/** A second without a keyframe would be a second a cut cannot begin in; counted from the last one, so that a pause forces one, not many. */
const keyEachSecond = ["-force_key_frames", "expr:if(isnan(prev_forced_t),1,gte(t,prev_forced_t+1))"];

/** The most it may spend: a peak must not throw the past out of a buffer that is bounded by bytes. */
const ceiling = (bits: number) => ["-maxrate", String(bits * 1.6), "-bufsize", String(bits * 1.6)];

const averageRate = (bits: number) => ["-b:v", String(bits), ...ceiling(bits)];

/**
 * Hardware encoders do not all begin a new group where they are asked to, so theirs is one second of frames long besides.
 * In software that would only double the keyframes.
 */
function groupOf(name: EncoderName, frameRate: number): string[] {
  return ["-g", String(isSoftware(name) ? frameRate * 4 : frameRate), ...keyEachSecond];
}

function ownOptions({ name, preset }: Encoder, picture: Picture): string[] {
  const bits = bitRateOf(picture);
  switch (name) {
    case "libx264":
      // One thread: a second one takes the core the game is on; measured, its frames then came late.
      return [
        "-preset",
        preset,
        "-tune",
        "zerolatency",
        "-threads",
        "1",
        "-bf",
        "0",
        "-crf",
        String(factorOf[picture.quality]),
        ...ceiling(bits),
      ];
    case "libopenh264":
      return ["-threads", "1", ...averageRate(bits)];
    case "h264_nvenc":
      return ["-preset", "p1", "-tune", "ull", "-bf", "0", "-forced-idr", "1", "-rc", "vbr", ...averageRate(bits)];
    case "h264_amf":
      return ["-usage", "ultralowlatency", "-quality", "speed", "-bf", "0", ...averageRate(bits)];
    case "h264_qsv":
      return ["-preset", "veryfast", "-async_depth", "1", "-bf", "0", "-forced_idr", "1", ...averageRate(bits)];
    case "h264_vaapi":
      return ["-bf", "0", ...averageRate(bits)];
    case "h264_videotoolbox":
      return ["-realtime", "1", "-bf", "0", ...averageRate(bits)];
  }
}

export function encoderArgs(encoder: Encoder, picture: Picture): string[] {
  return ["-c:v", encoder.name, ...ownOptions(encoder, picture), ...groupOf(encoder.name, picture.frameRate)];
}

/** Opens the graphics card, where the encoder needs it open: before the inputs. */
export function deviceArgs({ name, device }: Encoder): string[] {
  if (name !== "h264_vaapi" || device === null) return [];
  return ["-init_hw_device", `vaapi=card:${device}`, "-filter_hw_device", "card"];
}

/** The last filters: from what the screen gave to what the encoder takes, at the size wanted. */
export function formatFilters(name: EncoderName, scale: string): string {
  if (name === "h264_vaapi") return `${scale},format=nv12,hwupload`;
  if (name === "h264_qsv" || name === "h264_amf") return `${scale},format=nv12`;
  return `${scale},format=yuv420p`;
}

/** Runs an encoder on a made-up picture as large as the real one, and has it say what that cost. */
export function encoderTestArgs(encoder: Encoder, picture: Picture): string[] {
  const { width, height } = picture.size;
  return [
    ...["-v", "info", "-nostats", "-benchmark"],
    ...deviceArgs(encoder),
    ...["-f", "lavfi", "-i", `testsrc2=s=${width}x${height}:r=${picture.frameRate}`, "-frames:v", "30"],
    ...["-vf", formatFilters(encoder.name, "null")],
    ...encoderArgs(encoder, picture),
    ...["-f", "null", "-"],
  ];
}
