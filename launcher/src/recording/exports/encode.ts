// Decides how to encode a clip so that it fits: which seconds, which frame size, how many bits. Encodes it in two passes, verifies the
// result, and reports progress.

import { readdir, rm, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { type CropRectangle, type Message, MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { isWholeMp4, probeVideo, VerifyFailed } from "../clips/verify.ts";
import { videoFilters, videoTags } from "../ffmpeg/colours.ts";
import type { Ffmpeg } from "../ffmpeg/find.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";

export type SourceFacts = FrameSize & {
  readonly seconds: number;
  readonly bytes: number;
  readonly frameRate: number;
  readonly hasSound: boolean;
};

/** The seconds of the original that are kept. */
export type TimeRange = { readonly fromSeconds: number; readonly seconds: number };
export type SelectedRange = TimeRange & { readonly isAroundMoment: boolean };

type EncodePlan = FrameSize &
  TimeRange & {
    /** Null keeps the frame rate of the source. */
    readonly frameRate: number | null;
    /** Bits per second. */
    readonly videoBits: number;
    /** Bits per second; 0 if there is no sound. */
    readonly soundBits: number;
    /** True mixes the microphone, which is the second track, into the sound. */
    readonly mixesMicrophone?: boolean;
    /** The part of the picture that is kept; undefined keeps all of it. */
    readonly crop?: CropRectangle;
  };

/** Frame sizes to try, by their shorter side. Skips a size that is less than 5 % smaller. */
const sideSteps = [1080, 720, 480, 360];
/** Bits for each pixel of a frame. With fewer, the next smaller frame size looks better. */
const goodBits = 0.035;
/** With fewer bits even the smallest frame size looks like a mosaic. */
const minBits = 0.012;
/** More bits make no visible difference. */
const maxBits = 0.15;
const reducedFrameRate = 30;
/** Share of the wanted size that the encoder aims at, because two passes hit their target only within a few percent. */
const aimedShare = 0.97;
/** Bytes that the container adds for each frame, for each second of sound, and once for the file. */
const frameBytes = 16;
const soundBytesPerSecond = 500;
const headBytes = 4_000;

const soundBitsFor = (bits: number) => Math.round(Math.min(96_000, Math.max(24_000, bits * 0.1)));

function possibleSizes(source: SourceFacts, limits: MediaLimits): FrameSize[] {
  const largest = sizeWithinLimits(source, limits);
  const side = Math.min(largest.width, largest.height);
  const smaller = sideSteps.filter((step) => step < side * 0.95);
  return [
    largest,
    ...smaller.map((step) => sizeWithinLimits(source, limits, step / Math.min(source.width, source.height))),
  ];
}

/** Returns the frame rates to try. `planned` goes into the plan, where null keeps the rate of the source. */
function possibleFrameRates(source: SourceFacts, limits: MediaLimits): { rate: number; planned: number | null }[] {
  const limit = isTooFast(source.frameRate, limits) ? limits.frameRateMax : undefined;
  const first = limit === undefined ? { rate: source.frameRate, planned: null } : { rate: limit, planned: limit };
  const isReducible = first.rate > reducedFrameRate + 1;
  return isReducible ? [first, { rate: reducedFrameRate, planned: reducedFrameRate }] : [first];
}

/** Throws CannotFit. `wantedBytes` is less than the limit if an earlier attempt came out too large. */
export function planEncoding(
  source: SourceFacts,
  limits: MediaLimits,
  range: TimeRange,
  wantedBytes = limits.bytesMax,
): EncodePlan {
  const { seconds } = range;
  const frameRates = possibleFrameRates(source, limits);
  const overhead = (rate: number) =>
    headBytes + seconds * (rate * frameBytes + (source.hasSound ? soundBytesPerSecond : 0));
  const bitsFor = (rate: number) => ((wantedBytes * aimedShare - overhead(rate)) * 8) / seconds;
  const choices = possibleSizes(source, limits).flatMap((size) =>
    frameRates.map((frameRate) => {
      const bits = bitsFor(frameRate.rate);
      const soundBits = source.hasSound ? soundBitsFor(bits) : 0;
      const pixels = size.width * size.height * frameRate.rate;
      // More bits than the source has would only enlarge the file.
      const sourceBits = (source.bytes * 8) / source.seconds;
      const videoBits = Math.round(Math.min(bits - soundBits, maxBits * pixels, sourceBits));
      return { size, frameRate, soundBits, videoBits, bitsPerPixel: (bits - soundBits) / pixels, pixels };
    }),
  );
  const smallest = choices.at(-1);
  const chosen = choices.find(({ bitsPerPixel }) => bitsPerPixel >= goodBits) ?? smallest;
  if (chosen === undefined || chosen.bitsPerPixel < minBits) {
    const { rate = 0 } = smallest?.frameRate ?? {};
    const soundBits = source.hasSound ? soundBitsFor(0) : 0;
    const neededBytes = ((minBits * (smallest?.pixels ?? 0) + soundBits) * seconds) / 8 + overhead(rate);
    throw new CannotFit(
      message("export.video_does_not_fit", {
        seconds: seconds.toFixed(1),
        limit: formatBytes(limits.bytesMax),
        needed: formatBytes(neededBytes / aimedShare),
      }),
    );
  }
  const { size, frameRate, soundBits, videoBits } = chosen;
  return { ...range, ...size, frameRate: frameRate.planned, videoBits, soundBits };
}

/** Which share of the kept seconds lies before the moment. */
const shareBefore = 0.7;
/** How far the length is kept below its limit, because the last frame also lasts a while. */
const spareSeconds = 0.1;

/** Chooses the range with most moments; of equal ranges the latest, and without moments the end of the clip. */
export function selectRange(
  seconds: number,
  secondsMax: number | undefined,
  moments: readonly number[],
): SelectedRange {
  if (secondsMax === undefined || seconds <= secondsMax) return { fromSeconds: 0, seconds, isAroundMoment: false };
  const length = Math.max(0.5, secondsMax - spareSeconds);
  const latestStart = seconds - length;
  const starts = moments.map((moment) => Math.min(latestStart, Math.max(0, moment - length * shareBefore)));
  const momentCount = (start: number) => moments.filter((moment) => start <= moment && moment <= start + length).length;
  const best = starts.toSorted((a, b) => momentCount(b) - momentCount(a) || b - a)[0];
  return { fromSeconds: best ?? latestStart, seconds: length, isAroundMoment: best !== undefined };
}

export type MediaToFit = {
  readonly path: string;
  readonly kind: "clip" | "screenshot";
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
};

export type MediaLimits = {
  readonly bytesMax: number;
  readonly secondsMax?: number;
  readonly widthMax?: number;
  readonly heightMax?: number;
  readonly pixelsMax?: number;
  readonly frameRateMax?: number;
};

export type FittedMedia = {
  readonly path: string;
  readonly bytes: number;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly mime: "video/mp4" | "image/jpeg";
  /** False if the file is the original or an unchanged copy of it. */
  readonly changed: boolean;
  /** How the file differs from the clip, as messages to show to a person. */
  readonly notes: readonly Message[];
};

/** The file cannot be made to fit, so another try would fail, too. The message is for a person. */
export class CannotFit extends MessageError {
  override name = "CannotFit";
}

export type MediaFacts = Omit<MediaToFit, "path" | "kind"> & { readonly frameRate: number | undefined };

/** Tolerance, because a frame rate is measured over a clip. */
const frameRateTolerance = 0.5;

const isTooFast = (frameRate: number, { frameRateMax = Number.POSITIVE_INFINITY }: MediaLimits): boolean =>
  frameRate > frameRateMax + frameRateTolerance;

/** Returns true if the file is within the limits. An unknown frame rate counts as within. */
export function isWithinLimits(
  { bytes, seconds, width, height, frameRate = 0 }: MediaFacts,
  limits: MediaLimits,
): boolean {
  const { secondsMax = Infinity, widthMax = Infinity, heightMax = Infinity, pixelsMax = Infinity } = limits;
  const isSmall = width <= widthMax && height <= heightMax && width * height <= pixelsMax;
  return bytes <= limits.bytesMax && seconds <= secondsMax && isSmall && !isTooFast(frameRate, limits);
}

export type FrameSize = { readonly width: number; readonly height: number };

const even = (pixels: number) => Math.max(2, 2 * Math.floor(pixels / 2));

/** Returns the largest frame size within the limits, at most `most` times the original. Both sides are even. */
export function sizeWithinLimits({ width, height }: FrameSize, limits: MediaLimits, most = 1): FrameSize {
  const { widthMax = Infinity, heightMax = Infinity, pixelsMax = Infinity } = limits;
  const scale = Math.min(most, widthMax / width, heightMax / height, Math.sqrt(pixelsMax / (width * height)));
  return { width: even(width * scale), height: even(height * scale) };
}

/** Formats in decimal units, e.g. `12.3 MB`. */
export function formatBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** What encoding must know about the ffmpeg that runs it. */
export type EncodingFfmpeg = Pick<Ffmpeg, "path" | "hasFpsMode">;

export type EncodeOptions = {
  readonly ffmpeg: EncodingFfmpeg;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
};

const outBytesMax = 64 * 1024 * 1024;
/** More threads would need memory that the game needs. */
const threadsMax = 4;
/** Share of the progress that the first pass gets. It is quicker than the second, because it only analyses. */
const firstPassShare = 0.35;
const secondsOffMax = 0.5;

const threads = () => Math.min(threadsMax, Math.ceil(availableParallelism() * 1.5));

/** Parses the line that ffmpeg writes for each frame, and reports how many seconds are encoded. */
export function createProgressParser(onSeconds: (seconds: number) => void): (chunk: Buffer) => void {
  let rest = "";
  let tick = 0;
  return (chunk) => {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, numerator, denominator] = /^#tb 0: (\d+)\/(\d+)/.exec(line) ?? [];
      if (numerator !== undefined) tick = Number(numerator) / Number(denominator);
      const [, ticks] = /^0, *(-?\d+),/.exec(line) ?? [];
      if (ticks !== undefined) onSeconds(Number(ticks) * tick);
    }
  };
}

/** Removes the files in which the first pass stores its statistics. */
export async function removePassLogs(log: string): Promise<void> {
  const names = await readdir(dirname(log)).catch(() => []);
  const own = names.filter((name) => name.startsWith(`${basename(log)}-`));
  await Promise.all(own.map((name) => rm(join(dirname(log), name), { force: true })));
}

/** Measures a finished clip. Throws VerifyFailed if it does not play. */
export async function measureClip(ffmpeg: { readonly path: string }, path: string): Promise<MediaFacts> {
  if (!(await isWholeMp4(path))) throw new VerifyFailed(message("file.end_missing"));
  const { durationMs, frames, width, height } = await probeVideo(ffmpeg, path);
  const seconds = durationMs / 1_000;
  return { seconds, width, height, frameRate: frames / seconds, bytes: (await stat(path)).size };
}

/** Throws VerifyFailed, or FfmpegFailed (also when aborted). */
export async function encodeInTwoPasses(
  plan: EncodePlan,
  files: PassFiles,
  options: EncodeOptions,
): Promise<MediaFacts> {
  const { ffmpeg, signal, onProgress } = options;
  const run = (args: readonly string[], from: number, share: number) => {
    const onOutput = createProgressParser((seconds) =>
      onProgress(from + share * Math.min(1, Math.max(0, seconds / plan.seconds))),
    );
    return runFfmpeg(ffmpeg, args, { outBytesMax, isBackground: true, signal, onOutput });
  };
  const passOptions = { threads: threads(), hasFpsMode: ffmpeg.hasFpsMode };
  await run(firstPassArguments(plan, files, passOptions), 0, firstPassShare);
  await run(secondPassArguments(plan, files, passOptions), firstPassShare, 1 - firstPassShare);
  const made = await measureClip(ffmpeg, files.part);
  if (Math.abs(made.seconds - plan.seconds) > secondsOffMax) {
    throw new VerifyFailed(
      message("file.wrong_length", { seconds: made.seconds.toFixed(1), wanted: plan.seconds.toFixed(1) }),
    );
  }
  return made;
}

type PassFiles = {
  readonly source: string;
  /** The partial file that the second pass writes. */
  readonly part: string;
  /** Prefix of the files in which the first pass stores its statistics. */
  readonly log: string;
};

const formatTime = (seconds: number) => seconds.toFixed(3);

const input = (source: string, { fromSeconds }: EncodePlan) => [
  ...["-v", "error", "-protocol_whitelist", "file,pipe"],
  ...(fromSeconds > 0 ? ["-ss", formatTime(fromSeconds)] : []),
  ...["-f", "mp4", "-i", `file:${source}`],
];

type PassOptions = Pick<EncodingFfmpeg, "hasFpsMode"> & { readonly threads: number };

/**
 * Arguments that keep the uneven frame times of a capture. Without them, ffmpeg drops different frames in each pass, and x264
 * fails.
 */
export const keepTimestampsArgs = ({ hasFpsMode }: Pick<EncodingFfmpeg, "hasFpsMode">) => [
  ...[hasFpsMode ? "-fps_mode" : "-vsync", "passthrough", "-enc_time_base", "1:90000"],
];

function picture(plan: EncodePlan, options: PassOptions, pass: 1 | 2, log: string): string[] {
  const frames = plan.frameRate === null ? [] : [`fps=${plan.frameRate}`];
  const { crop } = plan;
  const cut = crop === undefined ? [] : [`crop=${crop.width}:${crop.height}:${crop.x}:${crop.y}`];
  const filters = [...frames, ...cut, videoFilters(`${plan.width}:${plan.height}:flags=bicubic`), "setsar=1"];
  return [
    ...["-map", "0:v:0", "-t", formatTime(plan.seconds), "-vf", filters.join(",")],
    ...keepTimestampsArgs(options),
    ...["-c:v", "libx264", "-preset", "veryfast", "-b:v", String(plan.videoBits), "-threads", String(options.threads)],
    ...[...videoTags, "-pass", String(pass), "-passlogfile", log],
  ];
}

/**
 * Arguments that write one line per frame to a pipe. The lines show the progress. They also end ffmpeg if the launcher was killed
 * and nobody reads the pipe, which ffmpeg's own progress output would not do.
 */
const progressLines = ({ seconds }: EncodePlan) => [
  ...["-map", "0:v:0", "-t", formatTime(seconds), "-c:v", "copy", "-flush_packets", "1", "-f", "framecrc", "pipe:1"],
];

const firstPassArguments = (plan: EncodePlan, { source, log }: PassFiles, options: PassOptions): string[] => [
  ...input(source, plan),
  ...[...picture(plan, options, 1, log), "-an", "-f", "null", "-"],
  ...progressLines(plan),
];

/** Neither track becomes quieter. The limiter keeps two loud ones from distorting. */
const mixGraph = "[0:a:0][0:a:1]amix=inputs=2:duration=longest:normalize=0,alimiter=level=0[mix]";

function secondPassArguments(plan: EncodePlan, { source, part, log }: PassFiles, options: PassOptions): string[] {
  const { soundBits, mixesMicrophone = false } = plan;
  const channels = soundBits < 48_000 ? "1" : "2";
  const from = mixesMicrophone ? ["-filter_complex", mixGraph, "-map", "[mix]"] : ["-map", "0:a:0"];
  const sound = [...from, "-c:a", "aac", "-b:a", String(soundBits), "-ac", channels];
  return [
    ...input(source, plan),
    ...[...picture(plan, options, 2, log), ...(soundBits > 0 ? sound : ["-an"])],
    // Leaves out the metadata of the clip, because event ids must not leave the computer.
    ...["-map_metadata", "-1", "-map_chapters", "-1", "-movflags", "+faststart", "-f", "mp4", "-y", `file:${part}`],
    ...progressLines(plan),
  ];
}
