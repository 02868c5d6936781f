// Encodes a clip in two passes, verifies the result, and reports progress.

import { readdir, rm, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { message } from "@kit/contract/messages";
import { isWholeMp4, probeVideo, VerifyFailed } from "../clips/verify.ts";
import type { Ffmpeg } from "../ffmpeg/find.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import type { EncodePlan, MediaFacts } from "./encode-plan.ts";

/** What encoding must know about the ffmpeg that runs it. */
export type EncodingFfmpeg = Pick<Ffmpeg, "path" | "hasFpsMode">;

export type EncodeOptions = {
  readonly ffmpeg: EncodingFfmpeg;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
};

/** Very long, because a game may leave little processor time. */
const timeoutMs = 3_600_000;
const outBytesMax = 64 * 1024 * 1024;
/** More threads would need memory that the game needs. */
const threadsMax = 4;
/** Share of the progress that the first pass gets. It is quicker than the second, because it only analyses. */
const firstPassShare = 0.35;
const secondsOffMax = 0.5;

const threads = () => Math.min(threadsMax, Math.ceil(availableParallelism() * 1.5));

/** Parses the line that ffmpeg writes for each frame, and reports how many seconds are encoded. */
function createProgressParser(onSeconds: (seconds: number) => void): (chunk: Buffer) => void {
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
    return runFfmpeg(ffmpeg, args, { outBytesMax, timeoutMs, signal, onOutput });
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

export type PassFiles = {
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
  const filters = [...frames, `scale=${plan.width}:${plan.height}:flags=bicubic`, "setsar=1", "format=yuv420p"];
  return [
    ...["-map", "0:v:0", "-t", formatTime(plan.seconds), "-vf", filters.join(",")],
    ...keepTimestampsArgs(options),
    ...["-c:v", "libx264", "-preset", "veryfast", "-b:v", String(plan.videoBits), "-threads", String(options.threads)],
    ...["-pass", String(pass), "-passlogfile", log],
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

function secondPassArguments(plan: EncodePlan, { source, part, log }: PassFiles, options: PassOptions): string[] {
  const { soundBits } = plan;
  const channels = soundBits < 48_000 ? "1" : "2";
  const sound = ["-map", "0:a:0", "-c:a", "aac", "-b:a", String(soundBits), "-ac", channels];
  return [
    ...input(source, plan),
    ...[...picture(plan, options, 2, log), ...(soundBits > 0 ? sound : ["-an"])],
    // Leaves out the metadata of the clip, because event ids must not leave the computer.
    ...["-map_metadata", "-1", "-map_chapters", "-1", "-movflags", "+faststart", "-f", "mp4", "-y", `file:${part}`],
    ...progressLines(plan),
  ];
}
