// The argument lists that make a clip smaller. Paths are our own, numbers are ours; nothing of a game's words gets in here.
import type { EncodePlan } from "./encode-plan.ts";

export type PassFiles = {
  readonly source: string;
  /** Where the second pass writes. */
  readonly part: string;
  /** What the first pass found out begins with this. */
  readonly log: string;
};

const number = (value: number) => value.toFixed(3);

const input = (source: string, { fromSeconds }: EncodePlan) => [
  ...["-v", "error", "-protocol_whitelist", "file,pipe"],
  ...(fromSeconds > 0 ? ["-ss", number(fromSeconds)] : []),
  ...["-f", "mp4", "-i", `file:${source}`],
];

/** How an encoder is run here: its threads, and which of the two words for its times it takes. */
export type Running = { readonly threads: number; readonly fpsMode: boolean };

/** Pictures come at uneven times. Left to itself ffmpeg drops another few of them in each pass, which x264 does not survive. */
export const timesAsTheyAre = (fpsMode: boolean) => [
  ...[fpsMode ? "-fps_mode" : "-vsync", "passthrough", "-enc_time_base", "1:90000"],
];

function picture(plan: EncodePlan, { threads, fpsMode }: Running, pass: 1 | 2, log: string): string[] {
  const frames = plan.frameRate === null ? [] : [`fps=${plan.frameRate}`];
  const filters = [...frames, `scale=${plan.width}:${plan.height}:flags=bicubic`, "setsar=1", "format=yuv420p"];
  return [
    ...["-map", "0:v:0", "-t", number(plan.seconds), "-vf", filters.join(",")],
    ...timesAsTheyAre(fpsMode),
    ...["-c:v", "libx264", "-preset", "veryfast", "-b:v", String(plan.videoBits), "-threads", String(threads)],
    ...["-pass", String(pass), "-passlogfile", log],
  ];
}

/**
 * A line for each picture that was read. It says how far ffmpeg is; and a launcher that was killed reads it no more, which ends ffmpeg:
 * progress of ffmpeg's own would not.
 */
const told = ({ seconds }: EncodePlan) => [
  ...["-map", "0:v:0", "-t", number(seconds), "-c:v", "copy", "-flush_packets", "1", "-f", "framecrc", "pipe:1"],
];

export const firstPassArguments = (plan: EncodePlan, { source, log }: PassFiles, running: Running): string[] => [
  ...input(source, plan),
  ...[...picture(plan, running, 1, log), "-an", "-f", "null", "-"],
  ...told(plan),
];

export function secondPassArguments(plan: EncodePlan, { source, part, log }: PassFiles, running: Running): string[] {
  const { soundBits } = plan;
  const channels = soundBits < 48_000 ? "1" : "2";
  const sound = ["-map", "0:a:0", "-c:a", "aac", "-b:a", String(soundBits), "-ac", channels];
  return [
    ...input(source, plan),
    ...[...picture(plan, running, 2, log), ...(soundBits > 0 ? sound : ["-an"])],
    // What the clip says of itself, its events among it, is nobody else's.
    ...["-map_metadata", "-1", "-map_chapters", "-1", "-movflags", "+faststart", "-f", "mp4", "-y", `file:${part}`],
    ...told(plan),
  ];
}
