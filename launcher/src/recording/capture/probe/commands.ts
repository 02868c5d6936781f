// Builds the whole capture command from a specification. Pure, so that tests can check the commands of every system.
import {
  deviceArgs,
  type Encoder,
  encoderArgs,
  formatFilters,
  type PictureFormat,
  type Size,
} from "./commands-encoder.ts";
import { filterSource, type SoundInput, soundArgs, type VideoInput, videoArgs } from "./commands-input.ts";

export type { Encoder, EncoderName, PictureFormat, Preset, Size } from "./commands-encoder.ts";
export type { SoundInput, VideoInput } from "./commands-input.ts";

export type CaptureSpec = Omit<PictureFormat, "size"> & {
  readonly input: VideoInput;
  /** Size of the input; null if only ffmpeg can find out. */
  readonly inputSize: Size | null;
  /** Larger pictures are scaled down to this height; 0 means no limit. */
  readonly heightMax: number;
  readonly sound: SoundInput | null;
  readonly encoder: Encoder;
  /** True if ffmpeg supports -fps_mode; older versions use -vsync. */
  readonly hasFpsMode: boolean;
};

const roundToEven = (pixels: number) => Math.max(16, Math.floor(pixels / 2) * 2);

/** Returns the output size: never upscaled; width and height rounded to even numbers, as the pixel format requires. */
export function outputSize({ width, height }: Size, heightMax: number): Size {
  if (heightMax === 0 || height <= heightMax) return { width: roundToEven(width), height: roundToEven(height) };
  return { width: roundToEven(Math.round((width * heightMax) / height)), height: roundToEven(heightMax) };
}

/** Returns the output size, assuming a 1080p input if its size is unknown. */
export function expectedSize({ inputSize, heightMax }: Pick<CaptureSpec, "inputSize" | "heightMax">): Size {
  if (inputSize !== null) return outputSize(inputSize, heightMax);
  return outputSize({ width: 1920, height: 1080 }, heightMax);
}

/** The colour conversion is a third of the cost, so it uses the cheapest scaler without a visible difference. */
function scaleFilter({ inputSize, heightMax }: CaptureSpec): string {
  if (inputSize === null) {
    const height = heightMax === 0 ? "trunc(ih/2)*2" : `'min(${heightMax},trunc(ih/2)*2)'`;
    return `scale=-2:${height}:flags=fast_bilinear`;
  }
  const { width, height } = outputSize(inputSize, heightMax);
  if (inputSize.height - height > 1) return `scale=${width}:${height}:flags=fast_bilinear`;
  return "scale=flags=neighbor";
}

/** The output: a fragment every eighth of a second, with epoch times and no trailer. A clip waits for its last fragment. */
const streamArgs = [
  ...["-f", "mp4"],
  ...["-movflags", "+frag_keyframe+empty_moov+default_base_moof+frag_discont+skip_trailer"],
  ...["-frag_duration", "125000", "-flush_packets", "1", "-avoid_negative_ts", "disabled"],
  "pipe:1",
];

/** Frames keep their capture time; a fixed rate would shift them by up to 80 ms. */
const timeArgs = (hasFpsMode: boolean) => [
  hasFpsMode ? "-fps_mode" : "-vsync",
  "passthrough",
  "-enc_time_base",
  "1:90000",
];

/** Returns the arguments after `-hide_banner -nostdin`. */
export function captureArgs(spec: CaptureSpec): string[] {
  const { input, sound, encoder } = spec;
  const size = expectedSize(spec);
  const filters = formatFilters(encoder.name, scaleFilter(spec));
  const source = filterSource(input, spec.frameRate);
  const hasOwnInput = source === null;
  const soundStream = sound?.kind === "avfoundation" || !hasOwnInput ? "0:a" : "1:a";
  return [
    ...["-v", "warning", "-nostats"],
    ...deviceArgs(encoder),
    ...(hasOwnInput ? videoArgs(input, spec) : []),
    ...(sound === null ? [] : soundArgs(sound)),
    "-copyts",
    ...(hasOwnInput ? ["-vf", filters, "-map", "0:v"] : ["-filter_complex", `${source},${filters}[v]`, "-map", "[v]"]),
    ...(sound === null ? [] : ["-map", soundStream, "-af", "aresample=async=1000"]),
    ...timeArgs(spec.hasFpsMode),
    ...encoderArgs(encoder, { size, frameRate: spec.frameRate, quality: spec.quality }),
    ...(sound === null ? [] : ["-c:a", "aac", "-b:a", "128k", "-ac", "2", "-max_interleave_delta", "500000"]),
    ...streamArgs,
  ];
}
