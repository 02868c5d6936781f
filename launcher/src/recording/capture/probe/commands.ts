// The whole command of a capture, from what was chosen: pure, so that each system's can be read in a test.
import { deviceArgs, type Encoder, encoderArgs, formatFilters, type Picture, type Size } from "./commands-encoder.ts";
import { filterSource, type SoundInput, soundArgs, type VideoInput, videoArgs } from "./commands-input.ts";

export type { Encoder, EncoderName, Picture, Preset, Size } from "./commands-encoder.ts";
export type { SoundInput, VideoInput } from "./commands-input.ts";

export type CaptureOrder = Omit<Picture, "size"> & {
  readonly input: VideoInput;
  /** Of what the input gives; null where only ffmpeg will find out. */
  readonly inputSize: Size | null;
  /** Larger pictures are made this high, smaller ones are left alone; 0 leaves all alone. */
  readonly heightMax: number;
  readonly sound: SoundInput | null;
  readonly encoder: Encoder;
  /** Takes -fps_mode; older ones -vsync. */
  readonly fpsMode: boolean;
};

const even = (pixels: number) => Math.max(16, Math.floor(pixels / 2) * 2);

/** What the picture becomes: never enlarged, and even as its format asks for. */
export function outputSize({ width, height }: Size, heightMax: number): Size {
  if (heightMax === 0 || height <= heightMax) return { width: even(width), height: even(height) };
  return { width: even(Math.round((width * heightMax) / height)), height: even(heightMax) };
}

/** The size to reckon with where the real one is not known yet. */
export function expectedSize({ inputSize, heightMax }: Pick<CaptureOrder, "inputSize" | "heightMax">): Size {
  if (inputSize !== null) return outputSize(inputSize, heightMax);
  return outputSize({ width: 1920, height: 1080 }, heightMax);
}

/** Turning a screen's colours into video's is a third of the cost: the cheapest way that shows no difference. */
function scaleFilter({ inputSize, heightMax }: CaptureOrder): string {
  if (inputSize === null) {
    const height = heightMax === 0 ? "trunc(ih/2)*2" : `'min(${heightMax},trunc(ih/2)*2)'`;
    return `scale=-2:${height}:flags=fast_bilinear`;
  }
  const { width, height } = outputSize(inputSize, heightMax);
  if (inputSize.height - height > 1) return `scale=${width}:${height}:flags=fast_bilinear`;
  return "scale=flags=neighbor";
}

/**
 * The stream: a fragment each eighth of a second, each with its time since the epoch, and no end to be written. A clip waits for
 * the one its last second lies in.
 */
const streamArgs = [
  ...["-f", "mp4"],
  ...["-movflags", "+frag_keyframe+empty_moov+default_base_moof+frag_discont+skip_trailer"],
  ...["-frag_duration", "125000", "-flush_packets", "1", "-avoid_negative_ts", "disabled"],
  "pipe:1",
];

/** Frames keep the time they were taken at; a fixed rate would move them by up to 80 ms. */
const timeArgs = (fpsMode: boolean) => [fpsMode ? "-fps_mode" : "-vsync", "passthrough", "-enc_time_base", "1:90000"];

/** Everything after the program and `-hide_banner -nostdin`. */
export function captureArgs(order: CaptureOrder): string[] {
  const { input, sound, encoder } = order;
  const size = expectedSize(order);
  const filters = formatFilters(encoder.name, scaleFilter(order));
  const source = filterSource(input, order.frameRate);
  const hasOwnInput = source === null;
  const soundStream = sound?.kind === "avfoundation" || !hasOwnInput ? "0:a" : "1:a";
  return [
    ...["-v", "warning", "-nostats"],
    ...deviceArgs(encoder),
    ...(hasOwnInput ? videoArgs(input, order) : []),
    ...(sound === null ? [] : soundArgs(sound)),
    "-copyts",
    ...(hasOwnInput ? ["-vf", filters, "-map", "0:v"] : ["-filter_complex", `${source},${filters}[v]`, "-map", "[v]"]),
    ...(sound === null ? [] : ["-map", soundStream, "-af", "aresample=async=1000"]),
    ...timeArgs(order.fpsMode),
    ...encoderArgs(encoder, { size, frameRate: order.frameRate, quality: order.quality }),
    ...(sound === null ? [] : ["-c:a", "aac", "-b:a", "128k", "-ac", "2", "-max_interleave_delta", "500000"]),
    ...streamArgs,
  ];
}
