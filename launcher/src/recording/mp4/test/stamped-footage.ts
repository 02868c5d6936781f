// Support: footage by the real ffmpeg in which every picture shows its own time, and a reader of those times.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pathOf } from "../../../../../tools/engines/locate.ts";
import { quickFfmpeg } from "../../../../test/support/quick-ffmpeg.ts";
import type { Fragment } from "../fragment.ts";
import { createFragmentReader } from "../fragment.ts";

export type Recording = {
  /** The time that the first picture shows, in epoch milliseconds. */
  readonly startMs: number;
  readonly seconds: number;
  readonly fps?: number;
  readonly width?: number;
  readonly height?: number;
  /** Seconds from one keyframe to the next. */
  readonly keySeconds?: number;
  /** A tone. `true` begins with the pictures, a number that many seconds later. */
  readonly sound?: boolean | number;
  /** A second sound track named Microphone, a tone of 1000 Hz. Needs `sound`. */
  readonly microphone?: boolean;
  /** Pictures are decoded in another order than shown, as other recorders write them. */
  readonly reordered?: boolean;
  readonly quality?: number;
  /** Pictures at uneven intervals. */
  readonly uneven?: boolean;
};

const bits = 48;
const cellPixels = 8;
const stripPixels = bits * cellPixels;

/** Returns what the encoder writes to its pipe: fragmented MP4 with epoch times, faster than real time. */
export function record(recording: Recording): Promise<Buffer> {
  const { startMs, seconds, fps = 30, keySeconds = 1, sound = false, reordered = false, quality = 23 } = recording;
  const { microphone = false } = recording;
  const late = typeof sound === "number" ? sound : 0;
  const tone = (hertz: number, name: string) =>
    `sine=frequency=${hertz}:sample_rate=48000:duration=${seconds - late},asetpts=PTS+${startMs / 1000 + late}/TB[${name}]`;
  return run([
    "-filter_complex",
    [pictures(recording), ...(sound === false ? [] : [tone(440, "a")]), ...(microphone ? [tone(1000, "m")] : [])].join(
      ";",
    ),
    ...["-map", "[v]", ...(sound === false ? [] : ["-map", "[a]", "-c:a", "aac", "-b:a", "96k"])],
    ...(microphone ? ["-map", "[m]", "-metadata:s:a:1", "handler_name=Microphone"] : []),
    ...[
      "-fps_mode",
      "passthrough",
      "-enc_time_base:v",
      "1:90000",
      "-c:v",
      "libx264",
      "-preset",
      "ultrafast",
      "-threads",
      "1",
    ],
    ...["-crf", String(quality), "-g", String(fps * keySeconds), "-keyint_min", "1", "-sc_threshold", "0", "-copyts"],
    ...(reordered ? ["-bf", "2"] : ["-bf", "0", "-tune", "zerolatency"]),
    ...[
      "-f",
      "mp4",
      "-movflags",
      "+frag_keyframe+empty_moov+default_base_moof+frag_discont",
      "-frag_duration",
      "250000",
    ],
    ...["-flush_packets", "1", "-avoid_negative_ts", "disabled", "-t", String(startMs / 1000 + seconds + 60), "pipe:1"],
  ]);
}

function pictures({ startMs, seconds, fps = 30, width = stripPixels, height = 64, uneven = false }: Recording): string {
  const sway = uneven ? "+0.012*sin(N*N)" : "";
  return [
    `color=c=black:s=${bits}x2:r=${fps}:d=${seconds}`,
    "format=gray",
    "settb=1/1000000",
    `setpts=(${startMs / 1000}+N/${fps}${sway})/TB`,
    // Calculated for one pixel of each cell, because each takes time.
    `geq=lum='16+220*mod(floor(round(T*1000)/pow(2\\,${bits - 1}-X))\\,2)'`,
    `scale=${stripPixels}:16:flags=neighbor`,
    `pad=${width}:${height}:0:0,noise=alls=${width > stripPixels ? 12 : 0}:allf=t,format=yuv420p[v]`,
  ].join(",");
}

/** Reads an encoder's output in chunks of that size. */
export function fragmentsOf(bytes: Uint8Array, chunkBytes = 65_536): Fragment[] {
  const fragments: Fragment[] = [];
  const { push } = createFragmentReader({
    boxBytesMax: 64 * 1024 * 1024,
    onFragment: (fragment) => fragments.push(fragment),
  });
  for (let at = 0; at < bytes.length; at += chunkBytes) push(bytes.subarray(at, at + chunkBytes));
  return fragments;
}

export type Stamp = {
  /** The position in the clip at which a player shows the picture. */
  readonly atMs: number;
  /** The time written in the picture. */
  readonly shownMs: number;
};

/** Every picture that ffmpeg shows of a file, in order. */
export async function stampsIn(file: string): Promise<Stamp[]> {
  const crop = `crop=${stripPixels}:16:0:0,scale=${bits}:1:flags=area,format=gray`;
  const ffmpeg = quickFfmpeg();
  const shown = [
    "-map",
    "0:v:0",
    // The packaged one is from 2018, and has only the old name.
    ffmpeg === pathOf("ffmpeg") ? "-fps_mode" : "-vsync",
    "passthrough",
    "-c:v",
    "rawvideo",
    "-enc_time_base",
    "1:90000",
    "-vf",
    crop,
  ];
  const [frames, info] = await outputs(ffmpeg, [
    "-i",
    file,
    ...shown,
    "-f",
    "rawvideo",
    "pipe:1",
    ...shown,
    "-f",
    "framecrc",
    "pipe:3",
  ]);
  const timeBase = /#tb 0: (\d+)\/(\d+)/.exec(info.toString());
  const scale = (Number(timeBase?.[1]) / Number(timeBase?.[2])) * 1000;
  const times = info
    .toString()
    .split("\n")
    .filter((line) => line.startsWith("0,"))
    .map((line) => Number(line.split(",")[2]) * scale);
  return times.map((atMs, i) => ({ atMs, shownMs: timeIn(frames.subarray(i * bits, (i + 1) * bits)) }));
}

function timeIn(cells: Uint8Array): number {
  return cells.reduce((time, cell) => time * 2 + (cell > 128 ? 1 : 0), 0);
}

/** Runs ffmpeg and returns its standard output. */
export async function run(args: readonly string[]): Promise<Buffer> {
  const [output] = await outputs(pathOf("ffmpeg"), args);
  return output;
}

/** The output of ffmpeg to `pipe:1` and to `pipe:3`. */
async function outputs(ffmpeg: string, args: readonly string[]): Promise<[Buffer, Buffer]> {
  const stdio = ["ignore", "pipe", "pipe", "pipe"] as const;
  const child = spawn(ffmpeg, ["-nostdin", "-hide_banner", "-loglevel", "error", ...args], {
    stdio: [...stdio],
  });
  const ended = once(child, "close") as Promise<[number | null]>;
  const [first, errors, second] = await Promise.all(
    [child.stdio[1], child.stdio[2], child.stdio[3]].map((stream) => buffer(stream as Readable)),
  );
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${errors}`);
  return [first as Buffer, second as Buffer];
}
