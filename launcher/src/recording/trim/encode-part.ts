// Makes a part of a video anew where its pictures cannot be copied exactly: a file that a person put in a clip's place.
import { runFfmpeg } from "../ffmpeg/run.ts";
import { timesAsTheyAre } from "../fit/arguments.ts";
import type { Encoder } from "../fit/encode.ts";

type EncodePart = {
  readonly source: string;
  readonly part: string;
  readonly fromSeconds: number;
  readonly seconds: number;
  /** ISO 8601; what recovery knows the file by. */
  readonly startedAt: string;
};

const timeoutMs = 1_800_000;
const outBytesMax = 64 * 1024 * 1024;
const threads = "4";

const encodeArguments = ({ source, part, fromSeconds, seconds, startedAt }: EncodePart, fpsMode: boolean): string[] => [
  ...["-v", "error", "-protocol_whitelist", "file,pipe", "-ss", fromSeconds.toFixed(3), "-f", "mp4"],
  ...["-i", `file:${source}`, "-t", seconds.toFixed(3), "-map", "0:v:0", "-map", "0:a:0?"],
  ...timesAsTheyAre(fpsMode),
  ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p", "-threads", threads],
  ...["-c:a", "aac", "-b:a", "160k", "-map_metadata", "-1", "-map_chapters", "-1", "-metadata", `date=${startedAt}`],
  ...["-movflags", "+faststart", "-f", "mp4", "-y", `file:${part}`],
  // A line a picture into a pipe: once nobody reads it, because the launcher was killed, ffmpeg ends.
  ...["-t", seconds.toFixed(3), "-map", "0:v:0", "-c:v", "copy", "-flush_packets", "1", "-f", "framecrc", "pipe:1"],
];

/** Throws FfmpegFailed. */
export async function encodePart(ffmpeg: Encoder, wanted: EncodePart, signal: AbortSignal): Promise<void> {
  await runFfmpeg(ffmpeg, encodeArguments(wanted, ffmpeg.fpsMode ?? true), {
    outBytesMax,
    onOutput: () => undefined,
    timeoutMs,
    signal,
  });
}
