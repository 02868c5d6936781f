// Makes GIFs and animated WebPs of a range of a clip: tries sizes and frame rates until the file fits, and checks the file.

import { readFile, rm } from "node:fs/promises";
import type { CropRectangle } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { probeVideo, VerifyFailed } from "../clips/verify.ts";
import { webpFilters } from "../ffmpeg/colours.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import {
  CannotFit,
  createProgressParser,
  type EncodeOptions,
  type FrameSize,
  formatBytes,
  type MediaFacts,
  type MediaLimits,
  sizeWithinLimits,
  type TimeRange,
} from "./encode.ts";

export type AnimationFormat = "gif" | "webp";

type AnimationPlan = FrameSize & { readonly frameRate: number };

type Files = { readonly source: string; readonly part: string; readonly log: string };

const outBytesMax = 64 * 1024 * 1024;
const defaultFrameRate = 15;
const reducedFrameRate = 10;
const sizeShares = [1, 0.8, 0.65, 0.5, 0.4];
/**
 * Tolerance of the size estimate: a version is skipped if its size, estimated in proportion to its pixels, exceeds the limit by
 * more than 15 %.
 */
const expectedShareMax = 1.15;
const secondsOffMax = 0.5;

/** Returns the versions to try, from the largest to the smallest. */
function animationPlans(source: FrameSize & { readonly frameRate: number }, limits: MediaLimits): AnimationPlan[] {
  const first = Math.min(limits.frameRateMax ?? defaultFrameRate, Math.max(1, Math.round(source.frameRate)));
  const rates = first > reducedFrameRate ? [first, reducedFrameRate] : [first];
  const largest = sizeWithinLimits(source, limits);
  const plans = sizeShares.flatMap((share) =>
    rates.map((frameRate) => ({ ...sizeWithinLimits(largest, limits, share), frameRate })),
  );
  return plans.toSorted((a, b) => pixelRate(b) - pixelRate(a));
}

const pixelRate = ({ width, height, frameRate }: AnimationPlan) => width * height * frameRate;

const input = (source: string, { fromSeconds, seconds }: TimeRange) => [
  ...["-v", "error", "-protocol_whitelist", "file,pipe", "-ss", fromSeconds.toFixed(3), "-t", seconds.toFixed(3)],
  ...["-f", "mp4", "-i", `file:${source}`],
];
/** One line per frame to a pipe shows the progress, and ends ffmpeg if the launcher was killed. */
const progressLines = ["-map", "0:v:0", "-c:v", "copy", "-flush_packets", "1", "-f", "framecrc", "pipe:1"];
const withoutMetadata = ["-map_metadata", "-1", "-map_chapters", "-1"];

/** The colours of a GIF are RGB. ffmpeg converts them from what the clip is tagged with. */
function pictureFilters({ format, crop }: Request, { width, height, frameRate }: AnimationPlan): string {
  const cut = crop === undefined ? [] : [`crop=${crop.width}:${crop.height}:${crop.x}:${crop.y}`];
  const scale = `${width}:${height}:flags=lanczos`;
  const scaled = format === "webp" ? webpFilters(scale) : `scale=${scale}`;
  return [`fps=${frameRate}`, ...cut, scaled, "setsar=1"].join(",");
}

type Request = {
  readonly format: AnimationFormat;
  readonly range: TimeRange;
  readonly crop: CropRectangle | undefined;
};

/** The passes of a version. A GIF needs two, because its colours are chosen first: doing both at once would hold all frames in memory. */
function passesOf(request: Request, plan: AnimationPlan, { source, part, log }: Files): string[][] {
  const { format, range } = request;
  const from = input(source, range);
  const filters = pictureFilters(request, plan);
  if (format === "webp") {
    const webp = ["-c:v", "libwebp_anim", "-quality", "70", "-compression_level", "4", "-loop", "0", "-f", "webp"];
    return [
      [
        ...from,
        "-map",
        "0:v:0",
        "-an",
        "-vf",
        filters,
        ...withoutMetadata,
        ...webp,
        "-y",
        `file:${part}`,
        ...progressLines,
      ],
    ];
  }
  const palette = `${log}-palette`;
  const image = ["-c:v", "png", "-frames:v", "1", "-f", "image2pipe", "-y", `file:${palette}`];
  const graph = `[0:v:0]${filters}[x];[x][1:v]paletteuse=dither=bayer:bayer_scale=3:diff_mode=rectangle[out]`;
  const gif = ["-filter_complex", graph, "-map", "[out]", "-an", ...withoutMetadata, "-loop", "0", "-f", "gif"];
  return [
    [...from, "-map", "0:v:0", "-an", "-vf", `${filters},palettegen=stats_mode=full`, ...image, ...progressLines],
    [...from, "-f", "png_pipe", "-i", `file:${palette}`, ...gif, "-y", `file:${part}`, ...progressLines],
  ];
}

/**
 * Reads a WebP's own headers: ffmpeg 5 to 7 write animations but cannot read them. Undefined if it is not whole. A picture that does
 * not move is written as one picture, and has no length.
 */
export function parseWebp(file: Buffer): Omit<MediaFacts, "bytes"> | undefined {
  const nameAt = (at: number) => file.toString("latin1", at, at + 4);
  if (file.length < 30 || nameAt(0) !== "RIFF" || nameAt(8) !== "WEBP") return undefined;
  if (file.readUInt32LE(4) + 8 !== file.length) return undefined;
  if (nameAt(12) === "VP8 ")
    return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff, seconds: 0, frameRate: 0 };
  if (nameAt(12) !== "VP8X") return undefined;
  let frames = 0;
  let ms = 0;
  let at = 12;
  while (at + 8 <= file.length) {
    const length = file.readUInt32LE(at + 4);
    if (nameAt(at) === "ANMF") {
      frames += 1;
      ms += file.readUIntLE(at + 20, 3);
    }
    at += 8 + length + (length % 2);
  }
  if (frames === 0 || ms === 0 || at !== file.length) return undefined;
  const seconds = ms / 1_000;
  const size = { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
  return { ...size, seconds, frameRate: frames / seconds };
}

/** Throws VerifyFailed if the file is not a whole animation. */
export async function measureAnimation(
  ffmpeg: { readonly path: string },
  path: string,
  format: AnimationFormat,
): Promise<MediaFacts> {
  const file = await readFile(path);
  if (format === "webp") {
    const facts = parseWebp(file);
    if (facts === undefined) throw new VerifyFailed(message("file.end_missing"));
    return { ...facts, bytes: file.length };
  }
  // A GIF ends with this byte.
  if (file.at(-1) !== 0x3b) throw new VerifyFailed(message("file.end_missing"));
  const { durationMs, frames, width, height } = await probeVideo(ffmpeg, path, "gif");
  return { seconds: durationMs / 1_000, width, height, frameRate: (frames * 1_000) / durationMs, bytes: file.length };
}

/** Throws CannotFit, VerifyFailed, or FfmpegFailed (also when aborted). */
export async function encodeAnimation(
  source: FrameSize & { readonly frameRate: number },
  request: Request,
  limits: MediaLimits,
  files: Files,
  { ffmpeg, signal, onProgress }: EncodeOptions,
): Promise<MediaFacts> {
  const { range, format } = request;
  let bytesOfPixel = 0;
  let smallestBytes = Number.POSITIVE_INFINITY;
  const plans = animationPlans(source, limits);
  for (const plan of plans) {
    const isExpectedToFit = bytesOfPixel * pixelRate(plan) <= limits.bytesMax * expectedShareMax;
    if (!isExpectedToFit && plan !== plans.at(-1)) continue;
    const passes = passesOf(request, plan, files);
    for (const [index, args] of passes.entries()) {
      const onSeconds = (seconds: number) =>
        onProgress((index + Math.min(1, Math.max(0, seconds / range.seconds))) / passes.length);
      const onOutput = createProgressParser(onSeconds);
      await runFfmpeg(ffmpeg, args, { outBytesMax, isBackground: true, signal, onOutput });
    }
    const made = await measureAnimation(ffmpeg, files.part, format);
    if (made.seconds > 0 && Math.abs(made.seconds - range.seconds) > secondsOffMax) {
      const lengths = { seconds: made.seconds.toFixed(1), wanted: range.seconds.toFixed(1) };
      throw new VerifyFailed(message("file.wrong_length", lengths));
    }
    if (made.bytes <= limits.bytesMax) return made;
    smallestBytes = Math.min(smallestBytes, made.bytes);
    bytesOfPixel = made.bytes / pixelRate(plan);
    await rm(files.part, { force: true });
  }
  throw new CannotFit(
    message("export.video_does_not_fit", {
      seconds: range.seconds.toFixed(1),
      limit: formatBytes(limits.bytesMax),
      needed: formatBytes(smallestBytes),
    }),
  );
}
