// Builds the ffmpeg arguments of the two encoding passes. They contain no text of a game.
import type { EncodePlan } from "./encode-plan.ts";

export type PassFiles = {
  readonly source: string;
  /** Partial file that the second pass writes. */
  readonly part: string;
  /** Prefix of the files in which the first pass stores its statistics. */
  readonly log: string;
};

const number = (value: number) => value.toFixed(3);

const input = (source: string, { fromSeconds }: EncodePlan) => [
  ...["-v", "error", "-protocol_whitelist", "file,pipe"],
  ...(fromSeconds > 0 ? ["-ss", number(fromSeconds)] : []),
  ...["-f", "mp4", "-i", `file:${source}`],
];

/** `fpsMode`: the ffmpeg accepts `-fps_mode`; an older one needs `-vsync`. */
export type EncoderRun = { readonly threads: number; readonly fpsMode: boolean };

/** Keeps the uneven frame times of a capture. By default ffmpeg would drop different frames in each pass, which makes x264 fail. */
export const keepTimestamps = (fpsMode: boolean) => [
  ...[fpsMode ? "-fps_mode" : "-vsync", "passthrough", "-enc_time_base", "1:90000"],
];

function picture(plan: EncodePlan, { threads, fpsMode }: EncoderRun, pass: 1 | 2, log: string): string[] {
  const frames = plan.frameRate === null ? [] : [`fps=${plan.frameRate}`];
  const filters = [...frames, `scale=${plan.width}:${plan.height}:flags=bicubic`, "setsar=1", "format=yuv420p"];
  return [
    ...["-map", "0:v:0", "-t", number(plan.seconds), "-vf", filters.join(",")],
    ...keepTimestamps(fpsMode),
    ...["-c:v", "libx264", "-preset", "veryfast", "-b:v", String(plan.videoBits), "-threads", String(threads)],
    ...["-pass", String(pass), "-passlogfile", log],
  ];
}

/**
 * Writes one line per frame to a pipe. The lines report progress. They also end ffmpeg when the launcher was killed and no longer
 * reads the pipe, which ffmpeg's own progress output would not.
 */
const told = ({ seconds }: EncodePlan) => [
  ...["-map", "0:v:0", "-t", number(seconds), "-c:v", "copy", "-flush_packets", "1", "-f", "framecrc", "pipe:1"],
];

export const firstPassArguments = (plan: EncodePlan, { source, log }: PassFiles, running: EncoderRun): string[] => [
  ...input(source, plan),
  ...[...picture(plan, running, 1, log), "-an", "-f", "null", "-"],
  ...told(plan),
];

export function secondPassArguments(plan: EncodePlan, { source, part, log }: PassFiles, running: EncoderRun): string[] {
  const { soundBits } = plan;
  const channels = soundBits < 48_000 ? "1" : "2";
  const sound = ["-map", "0:a:0", "-c:a", "aac", "-b:a", String(soundBits), "-ac", channels];
  return [
    ...input(source, plan),
    ...[...picture(plan, running, 2, log), ...(soundBits > 0 ? sound : ["-an"])],
    // Removes the clip's metadata: event ids must not leave the computer.
    ...["-map_metadata", "-1", "-map_chapters", "-1", "-movflags", "+faststart", "-f", "mp4", "-y", `file:${part}`],
    ...told(plan),
  ];
}
