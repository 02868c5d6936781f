// The arguments of each encoder: H.264 with a keyframe every second, no delayed frames and a limited bit rate.
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

/** Size, frame rate and quality, which determine the encoding cost. */
export type PictureFormat = {
  readonly size: Size;
  readonly frameRate: number;
  readonly quality: RecorderSettings["quality"];
};

export type Encoder = {
  readonly name: EncoderName;
  /** Used only by libx264. */
  readonly preset: Preset;
  /** The device of the graphics card for VAAPI, e.g. /dev/dri/renderD128. */
  readonly device: string | null;
};

/** Returns the encoders in the order to try them: hardware first, because it costs the game least. */
export function encoderCandidates(platform: NodeJS.Platform): readonly EncoderName[] {
  if (platform === "win32") return ["h264_nvenc", "h264_amf", "h264_qsv", "libx264", "libopenh264"];
  if (platform === "darwin") return ["h264_videotoolbox", "libx264", "libopenh264"];
  return ["h264_nvenc", "h264_vaapi", "h264_qsv", "libx264", "libopenh264"];
}

export const isSoftware = (name: EncoderName): boolean => name.startsWith("lib");

const crfByQuality = { low: 26, standard: 23, high: 19 } as const;
/** Average bits per second at 720p and 30 frames a second. */
const bitRateByQuality = { low: 2_500_000, standard: 5_000_000, high: 9_000_000 } as const;

/** Returns bits per second: four times the pixels need about 2.5 times the bits. */
export function bitRate({ size, frameRate, quality }: PictureFormat): number {
  const relativeSize = (size.width * size.height * frameRate) / (1280 * 720 * 30);
  return Math.round((bitRateByQuality[quality] * Math.max(0.4, relativeSize) ** 0.7) / 100_000) * 100_000;
}

/** A cut can only start at a keyframe. The time is counted from the last keyframe, so that a pause forces one and not many. */
const keyframeEverySecond = ["-force_key_frames", "expr:if(isnan(prev_forced_t),1,gte(t,prev_forced_t+1))"];

/** Limits peaks, which would otherwise push old footage out of the replay buffer. */
const maxRateArgs = (bits: number) => ["-maxrate", String(bits * 1.6), "-bufsize", String(bits * 1.6)];

const averageRateArgs = (bits: number) => ["-b:v", String(bits), ...maxRateArgs(bits)];

/**
 * Some hardware encoders ignore forced keyframes, so their groups are also limited to one second of frames. With software
 * encoders, that would only double the keyframes.
 */
function keyframeArgs(name: EncoderName, frameRate: number): string[] {
  return ["-g", String(isSoftware(name) ? frameRate * 4 : frameRate), ...keyframeEverySecond];
}

function encoderOptions({ name, preset }: Encoder, picture: PictureFormat): string[] {
  const bits = bitRate(picture);
  switch (name) {
    case "libx264":
      // One thread: a measurement showed that a second thread takes the game's core and delays its frames.
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
        String(crfByQuality[picture.quality]),
        ...maxRateArgs(bits),
      ];
    case "libopenh264":
      return ["-threads", "1", ...averageRateArgs(bits)];
    case "h264_nvenc":
      return ["-preset", "p1", "-tune", "ull", "-bf", "0", "-forced-idr", "1", "-rc", "vbr", ...averageRateArgs(bits)];
    case "h264_amf":
      return ["-usage", "ultralowlatency", "-quality", "speed", "-bf", "0", ...averageRateArgs(bits)];
    case "h264_qsv":
      return ["-preset", "veryfast", "-async_depth", "1", "-bf", "0", "-forced_idr", "1", ...averageRateArgs(bits)];
    case "h264_vaapi":
      return ["-bf", "0", ...averageRateArgs(bits)];
    case "h264_videotoolbox":
      return ["-realtime", "1", "-bf", "0", ...averageRateArgs(bits)];
  }
}

export function encoderArgs(encoder: Encoder, picture: PictureFormat): string[] {
  return ["-c:v", encoder.name, ...encoderOptions(encoder, picture), ...keyframeArgs(encoder.name, picture.frameRate)];
}

/** Returns the arguments that open the graphics card. They must come before the inputs. */
export function deviceArgs({ name, device }: Encoder): string[] {
  if (name !== "h264_vaapi" || device === null) return [];
  return ["-init_hw_device", `vaapi=card:${device}`, "-filter_hw_device", "card"];
}

/** Returns the last filters, which scale the picture and convert it to the encoder's format. */
export function formatFilters(name: EncoderName, scale: string): string {
  if (name === "h264_vaapi") return `${scale},format=nv12,hwupload`;
  if (name === "h264_qsv" || name === "h264_amf") return `${scale},format=nv12`;
  return `${scale},format=yuv420p`;
}

/** Returns the arguments that encode a synthetic picture of the real size and print the processor time. */
export function encoderTestArgs(encoder: Encoder, picture: PictureFormat): string[] {
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
