// Builds the capture command from a specification. Pure, so that tests can check the commands of every system.
import type { RecorderSettings } from "@kit/contract";
import { jpegFilters, namedFormat, videoFilters, videoTags } from "../../ffmpeg/colours.ts";
import type { Area } from "../../x11/screen.ts";

export type CaptureSpec = Omit<PictureFormat, "size"> & {
  readonly input: VideoInput;
  /** Size of the input; null if only ffmpeg can find out. */
  readonly inputSize: Size | null;
  /** The size that the system listed. ffmpeg keeps the size with which it begins, so another one needs another run. */
  readonly listedSize?: Size | undefined;
  /** Larger pictures are scaled down to this height; 0 means no limit. */
  readonly heightMax: number;
  readonly sound: SoundInput | null;
  /** True adds a second sound track, which Kit feeds like the first. */
  readonly microphone?: boolean;
  readonly encoder: Encoder;
  /** True if ffmpeg supports -fps_mode; older versions use -vsync. */
  readonly hasFpsMode: boolean;
};

const roundToEven = (pixels: number) => Math.max(16, Math.floor(pixels / 2) * 2);

/** Returns the output size: never larger than the input, with even numbers, which the pixel format requires. */
export function outputSize({ width, height }: Size, heightMax: number): Size {
  if (heightMax === 0 || height <= heightMax) return { width: roundToEven(width), height: roundToEven(height) };
  return { width: roundToEven(Math.round((width * heightMax) / height)), height: roundToEven(heightMax) };
}

/** Returns the output size, assuming a 1080p input if its size is unknown. */
export const expectedOutputSize = ({
  inputSize,
  listedSize,
  heightMax,
}: Pick<CaptureSpec, "inputSize" | "listedSize" | "heightMax">): Size =>
  outputSize(inputSize ?? listedSize ?? { width: 1920, height: 1080 }, heightMax);

/**
 * Uses the cheapest scaler without a visible difference: it also converts the colours, which is a third of the cost of a capture.
 */
function scaleOptions({ inputSize, heightMax }: CaptureSpec): string {
  if (inputSize === null) {
    const height = heightMax === 0 ? "trunc(ih/2)*2" : `'min(${heightMax},trunc(ih/2)*2)'`;
    return `-2:${height}:flags=fast_bilinear`;
  }
  const { width, height } = outputSize(inputSize, heightMax);
  if (inputSize.height - height > 1) return `${width}:${height}:flags=fast_bilinear`;
  return "flags=neighbor";
}

/** The output: short fragments with epoch times and no trailer. They are short, one frame at 30 a second, because a cut waits for the last one. */
const streamArgs = [
  ...["-f", "mp4"],
  ...["-movflags", "+frag_keyframe+empty_moov+default_base_moof+frag_discont+skip_trailer"],
  ...["-frag_duration", "33000", "-flush_packets", "1", "-avoid_negative_ts", "disabled"],
  "pipe:1",
];

/** Each frame keeps the time of its capture. A fixed frame rate would shift it by up to 80 ms. */
const timeArgs = (hasFpsMode: boolean) => [
  ...[hasFpsMode ? "-fps_mode" : "-vsync", "passthrough", "-enc_time_base", "1:90000"],
];

/** Returns the arguments after `-hide_banner -nostdin`. */
export function captureArgs(spec: CaptureSpec): string[] {
  const { input, sound, encoder, microphone = false } = spec;
  const size = expectedOutputSize(spec);
  const isFed = sound?.kind === "pipe";
  // Fed sound starts at 0, so the picture gets the same zero, and the output moves both back to the epoch.
  const fromSoundStart = isFed ? `setpts=PTS-${soundStartMark}/TB,` : "";
  const filters = `${fromSoundStart}${encoderFilters(encoder.name, scaleOptions(spec))}`;
  const source = filterSource(input, spec.frameRate);
  const hasOwnInput = source === null;
  const firstSound = sound?.kind === "avfoundation" || !hasOwnInput ? 0 : 1;
  const hasMicrophone = microphone && isFed;
  return [
    ...["-v", "warning", "-nostats"],
    ...deviceArgs(encoder),
    ...(hasOwnInput ? videoArgs(input, spec) : []),
    ...(sound === null ? [] : soundArgs(sound)),
    ...(hasMicrophone ? pipeArgs(soundPipes[1]) : []),
    "-copyts",
    ...(hasOwnInput ? ["-vf", filters, "-map", "0:v"] : ["-filter_complex", `${source},${filters}[v]`, "-map", "[v]"]),
    ...(sound === null ? [] : ["-map", `${firstSound}:a`]),
    ...(sound === null || sound.kind === "pipe" ? [] : ["-af", "aresample=async=1000"]),
    ...(hasMicrophone ? ["-map", `${firstSound + 1}:a`, "-metadata:s:a:1", "handler_name=Microphone"] : []),
    ...timeArgs(spec.hasFpsMode),
    ...encoderArgs(encoder, { size, frameRate: spec.frameRate, quality: spec.quality }),
    ...(sound === null ? [] : ["-c:a", "aac", "-b:a", "128k", "-ac", "2", "-max_interleave_delta", "500000"]),
    ...(isFed ? ["-output_ts_offset", soundStartMark] : []),
    ...streamArgs,
  ];
}

export type VideoInput =
  /** A region of an X screen, e.g. one monitor. */
  | { readonly kind: "x11-screen"; readonly display: string; readonly x: number; readonly y: number }
  | { readonly kind: "x11-window"; readonly display: string; readonly window: number }
  /**
   * Windows.Graphics.Capture of the window with this handle or with this part of its title; null captures the monitor with the
   * handle `monitor`, or the first one.
   */
  | { readonly kind: "gfxcapture"; readonly window: number | string | null; readonly monitor?: number }
  /** Desktop Duplication of the primary monitor. */
  | { readonly kind: "ddagrab" }
  /** GDI capture of the window with this handle or exactly this title; null captures the desktop, or `area` of it. It is old and slow. */
  | { readonly kind: "gdigrab"; readonly window: number | string | null; readonly area?: Area }
  /** `screen` is a name from avfoundation's list, e.g. `Capture screen 0`. The same input also delivers sound. */
  | { readonly kind: "avfoundation"; readonly screen: string };

export type SoundInput =
  /** Kit mixes it from streams of the sound server or sound system that `device` names, and feeds it to ffmpeg. */
  | { readonly kind: "pipe"; readonly device: "pulse" | "wasapi" }
  /** What a sound output plays (its "monitor"), never a microphone. */
  | { readonly kind: "pulse"; readonly device: string }
  | { readonly kind: "dshow"; readonly device: string }
  /** The video input, which captures the sound, too. */
  | { readonly kind: "avfoundation"; readonly device: string };

/** Keeps the queue short: a raw 1080p frame has 8 MB, so a long queue grows by 250 MB a second if the machine cannot keep up. */
const shortQueue = ["-thread_queue_size", "8"];

/** Gives each frame its wall clock time, because these sources count from their own start. */
const wallClockFilter = "settb=1/1000000,setpts=time(0)/TB";

/** Copies frames from the graphics card. */
const downloadFilter = "hwdownload,format=bgra";

/**
 * Converts part of a window's title to a regular expression for gfxcapture. Every character except ASCII letters and digits
 * becomes a dot, so that none has a meaning in the expression or in ffmpeg's filter syntax.
 */
export const windowTitlePattern = (part: string): string => `(?i).*${part.replaceAll(/[^A-Za-z0-9]/g, ".")}.*`;

function gfxTarget({ window, monitor }: Extract<VideoInput, { kind: "gfxcapture" }>): string {
  if (window === null) return monitor === undefined ? "monitor_idx=0" : `hmonitor=${monitor}`;
  return typeof window === "number" ? `hwnd=${window}` : `window_title=${windowTitlePattern(window)}`;
}

function gdiTarget({ window, area }: Extract<VideoInput, { kind: "gdigrab" }>): string[] {
  if (window !== null) return ["-i", typeof window === "number" ? `hwnd=${window}` : `title=${window}`];
  if (area === undefined) return ["-i", "desktop"];
  const { x, y, width, height } = area;
  return [...["-offset_x", String(x), "-offset_y", String(y)], ...sizeArgs({ width, height }), "-i", "desktop"];
}

const sizeArgs = ({ width, height }: Size) => ["-video_size", `${width & ~1}x${height & ~1}`];

/** Returns the filter that captures the screen, or null if a plain input of ffmpeg (`-i`) does. */
function filterSource(input: VideoInput, frameRate: number): string | null {
  if (input.kind === "ddagrab") {
    return `ddagrab=output_idx=0:framerate=${frameRate}:draw_mouse=1,${wallClockFilter},${downloadFilter}`;
  }
  if (input.kind !== "gfxcapture") return null;
  // Otherwise it would cut off what became larger.
  return `gfxcapture=${gfxTarget(input)}:resize_mode=scale_aspect:max_framerate=${frameRate}:capture_cursor=1,${wallClockFilter},${downloadFilter}`;
}

/** The command that writes what a source shows now to stdout, as a JPEG of at most 320 × 180 pixels. */
export function stillArgs(input: VideoInput, inputSize: Size): string[] {
  const scale = jpegFilters("320:180:force_original_aspect_ratio=decrease");
  const filter = filterSource(input, 30);
  const picture =
    filter === null
      ? [...videoArgs(input, { inputSize, frameRate: 30, sound: null }), "-vf", scale]
      : ["-filter_complex", `${filter},${scale}`];
  return ["-v", "error", ...picture, "-frames:v", "1", "-q:v", "6", "-f", "mjpeg", "pipe:1"];
}

type VideoOptions = { readonly inputSize: Size | null; readonly frameRate: number; readonly sound: SoundInput | null };

function videoArgs(input: VideoInput, { inputSize, frameRate, sound }: VideoOptions): string[] {
  const rate = ["-framerate", String(frameRate)];
  const size = inputSize === null ? [] : sizeArgs(inputSize);
  switch (input.kind) {
    case "x11-screen":
    case "x11-window": {
      // Without -draw_mouse 1, x11grab would not notice when the X server is gone.
      const grab = [...shortQueue, "-f", "x11grab", "-draw_mouse", "1", ...rate, ...size];
      if (input.kind === "x11-screen") return [...grab, "-i", `${input.display}+${input.x},${input.y}`];
      return [...grab, "-window_id", `0x${input.window.toString(16)}`, "-i", input.display];
    }
    case "gdigrab":
      return [...shortQueue, "-f", "gdigrab", "-draw_mouse", "1", ...rate, ...gdiTarget(input)];
    case "avfoundation": {
      const device = sound?.kind === "avfoundation" ? sound.device : "none";
      const options = ["-use_wallclock_as_timestamps", "1", "-f", "avfoundation", "-capture_cursor", "1"];
      // RGB, because ffmpeg does not say by which rules macOS would make YUV of it.
      return [...shortQueue, ...options, ...rate, "-pixel_format", "bgr0", "-i", `${input.screen}:${device}`];
    }
    default:
      throw new Error(`${input.kind} is a filter, not an input`);
  }
}

/** The pipes through which ffmpeg gets the sound tracks that Kit mixes: file descriptors of the new process. */
const soundPipes = ["pipe:3", "pipe:4"] as const;
/** Stands in the arguments for the epoch time of the first sample, which is known only when ffmpeg starts. */
const soundStartMark = "sound-start";

/**
 * The samples are counted from that time, so they need no times of their own. Their queue is longer than ffmpeg ever waits. Without
 * `-itsoffset`, because ffmpeg 9 ignores it for raw samples: then picture and sound are decades apart, and the picture waits forever.
 */
const pipeArgs = (pipe: string) => [
  ...["-thread_queue_size", "256", "-probesize", "32", "-analyzeduration", "0"],
  ...["-f", "s16le", "-ar", "48000", "-ac", "2", "-i", pipe],
];

/** Returns how many sound tracks the command gets through pipes. */
export const countSoundPipes = (args: readonly string[]): number =>
  soundPipes.filter((pipe) => args.includes(pipe)).length;

export const withSoundStart = (args: readonly string[], startSeconds: string): string[] =>
  args.map((word) => word.replaceAll(soundStartMark, startSeconds));

/** Small pieces keep the sound in time with the picture. Its own queue keeps the sound from waiting for frames. */
export function soundArgs(sound: SoundInput): string[] {
  const queue = ["-thread_queue_size", "256"];
  if (sound.kind === "pulse") return [...queue, "-f", "pulse", "-fragment_size", "3840", "-i", sound.device];
  if (sound.kind === "avfoundation") return [];
  if (sound.kind === "pipe") return pipeArgs(soundPipes[0]);
  const options = ["-use_wallclock_as_timestamps", "1", "-f", "dshow", "-audio_buffer_size", "50"];
  return [...queue, ...options, "-i", `audio=${sound.device}`];
}

/** Returns false if a frame comes only when the picture has changed, so that a stream without frames has not failed. */
export const hasConstantFrameRate = (input: VideoInput): boolean => input.kind !== "gfxcapture";

export type EncoderName =
  | "h264_nvenc"
  | "h264_amf"
  | "h264_qsv"
  | "h264_mf"
  | "h264_vaapi"
  | "h264_videotoolbox"
  | "libx264"
  | "libopenh264";
export type X264Preset = "superfast" | "ultrafast";

export type Size = { readonly width: number; readonly height: number };

/** What decides how much encoding costs. */
export type PictureFormat = {
  readonly size: Size;
  readonly frameRate: number;
  readonly quality: RecorderSettings["quality"];
};

export type Encoder = {
  readonly name: EncoderName;
  /** Used only by libx264. */
  readonly preset: X264Preset;
  /** The device of the graphics card for VAAPI, e.g. /dev/dri/renderD128. */
  readonly device: string | null;
};

/** Returns the encoders in the order in which to try them: hardware first, because it costs the game least. */
export function encoderCandidates(platform: NodeJS.Platform): readonly EncoderName[] {
  if (platform === "win32") return ["h264_nvenc", "h264_amf", "h264_qsv", "h264_mf", "libx264", "libopenh264"];
  if (platform === "darwin") return ["h264_videotoolbox", "libx264", "libopenh264"];
  return ["h264_nvenc", "h264_vaapi", "h264_qsv", "libx264", "libopenh264"];
}

export const isSoftwareEncoder = (name: EncoderName): boolean => name.startsWith("lib");

const crfByQuality = { low: 26, standard: 23, high: 19 } as const;
/** Average bits per second at 720p and 30 frames a second. */
const bitRateByQuality = { low: 2_500_000, standard: 5_000_000, high: 9_000_000 } as const;

/** Returns bits per second. Four times the pixels need about 2.5 times the bits. */
export function bitRate({ size, frameRate, quality }: PictureFormat): number {
  const relativeSize = (size.width * size.height * frameRate) / (1280 * 720 * 30);
  return Math.round((bitRateByQuality[quality] * Math.max(0.4, relativeSize) ** 0.7) / 100_000) * 100_000;
}

/**
 * A cut must start at a keyframe. Each is forced a second after the last one, so that a pause is followed by one and not by many.
 */
const keyframeEverySecond = ["-force_key_frames", "expr:if(isnan(prev_forced_t),1,gte(t,prev_forced_t+1))"];

/** Limits peaks, which would push older footage out of the replay buffer. */
const maxRateArgs = (bits: number) => ["-maxrate", String(bits * 1.6), "-bufsize", String(bits * 1.6)];

const averageRateArgs = (bits: number) => ["-b:v", String(bits), ...maxRateArgs(bits)];

/**
 * Limits a group of pictures of a hardware encoder to a second of frames, because some of them ignore forced keyframes. With
 * software encoders, that would only double the keyframes.
 */
function keyframeArgs(name: EncoderName, frameRate: number): string[] {
  return ["-g", String(isSoftwareEncoder(name) ? frameRate * 4 : frameRate), ...keyframeEverySecond];
}

function encoderOptions({ name, preset }: Encoder, picture: PictureFormat): string[] {
  const bits = bitRate(picture);
  switch (name) {
    case "libx264":
      // One thread, because measurements show that a second one takes a core from the game and delays its frames.
      return [
        ...["-preset", preset, "-tune", "zerolatency", "-threads", "1", "-bf", "0"],
        ...["-crf", String(crfByQuality[picture.quality]), ...maxRateArgs(bits)],
      ];
    case "libopenh264":
      return ["-threads", "1", ...averageRateArgs(bits)];
    case "h264_nvenc":
      return ["-preset", "p1", "-tune", "ull", "-bf", "0", "-forced-idr", "1", "-rc", "vbr", ...averageRateArgs(bits)];
    case "h264_amf":
      // Without -forced_idr, AMF makes of a forced keyframe an I frame at which no cut can start. A build whose AMF lacks the option
      // only warns, as long as another of its encoders, such as QSV, has it.
      return [
        ...["-usage", "ultralowlatency", "-quality", "speed", "-bf", "0", "-forced_idr", "1"],
        ...averageRateArgs(bits),
      ];
    case "h264_qsv":
      return ["-preset", "veryfast", "-async_depth", "1", "-bf", "0", "-forced_idr", "1", ...averageRateArgs(bits)];
    case "h264_mf":
      // Media Foundation reaches every graphics card. Without one, it would encode in software, which libx264 does better.
      return [
        ...["-hw_encoding", "1", "-scenario", "display_remoting", "-rate_control", "pc_vbr", "-flags", "+low_delay"],
        ...["-bf", "0", ...averageRateArgs(bits)],
      ];
    case "h264_vaapi":
      return ["-bf", "0", ...averageRateArgs(bits)];
    case "h264_videotoolbox":
      return ["-realtime", "1", "-bf", "0", ...averageRateArgs(bits)];
  }
}

function encoderArgs(encoder: Encoder, picture: PictureFormat): string[] {
  return [
    ...["-c:v", encoder.name, ...encoderOptions(encoder, picture)],
    ...keyframeArgs(encoder.name, picture.frameRate),
    ...videoTags,
  ];
}

/** Returns the arguments that open the graphics card. They must come before the inputs. */
function deviceArgs({ name, device }: Encoder): string[] {
  if (name !== "h264_vaapi" || device === null) return [];
  return ["-init_hw_device", `vaapi=card:${device}`, "-filter_hw_device", "card"];
}

/** Returns the last filters of the chain: they scale the picture, and convert it to the format of the encoder. */
function encoderFilters(name: EncoderName, scale: string | null): string {
  const format = ["h264_vaapi", "h264_qsv", "h264_amf", "h264_mf"].includes(name) ? "nv12" : "yuv420p";
  const filters = scale === null ? namedFormat(format) : videoFilters(scale, format);
  return name === "h264_vaapi" ? `${filters},hwupload` : filters;
}

/** Returns arguments that encode a synthetic picture of the real size, and print the processor time. */
export function encoderTestArgs(encoder: Encoder, picture: PictureFormat): string[] {
  const { width, height } = picture.size;
  return [
    ...["-v", "info", "-nostats", "-benchmark"],
    ...deviceArgs(encoder),
    ...["-f", "lavfi", "-i", `testsrc2=s=${width}x${height}:r=${picture.frameRate}`, "-frames:v", "30"],
    ...["-vf", encoderFilters(encoder.name, null)],
    ...encoderArgs(encoder, picture),
    ...["-f", "null", "-"],
  ];
}
