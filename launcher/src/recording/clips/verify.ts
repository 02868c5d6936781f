// Verifies a video file: one ffmpeg process reads every packet and decodes every keyframe.

import { open } from "node:fs/promises";
import { MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { runFfmpeg } from "../ffmpeg/run.ts";

/** The file is not as it should be. The message tells a person why. */
export class VerifyFailed extends MessageError {
  override name = "VerifyFailed";
}

export type VideoFacts = {
  readonly durationMs: number;
  /** How many frames a player shows. */
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  /** True if every decoded frame is black all over. */
  readonly isBlack: boolean;
};

const outBytesMax = 16 * 1024 * 1024;
/** Each frame is reduced to this many gray values per side. */
const graySide = 16;
/** Highest mean gray value that still counts as black, which is 16 in video. A mouse pointer raises the mean by less than 0.1. */
const blackMeanMax = 16.5;

/** A packet of the file (`isCopy`), or a keyframe that was decoded and reduced to its mean brightness. */
type Packet = { stream: number; isCopy: boolean; isKey: boolean; ticks: number; endTicks: number; mean: number };

/**
 * Parses a line of ffmpeg's framecrc output: stream, dts, pts, duration, size, checksum, and flags unless it is a keyframe. Frames
 * hidden by an edit list have a negative time and flag 4. The checksum is Adler-32 starting with 0, so its lower half is the sum of
 * the bytes, which gives the mean brightness of a frame this small.
 */
function parsePacket(line: string): Packet[] {
  const found = /^(\d+), *-?\d+, *(-?\d+), *(\d+), *\d+, *0x([0-9a-f]{8})(?:, *F=0x([0-9a-f]+))?/i.exec(line);
  if (found === null) return [];
  const [, stream, pts, duration, checksum, flagText] = found;
  const flags = flagText === undefined ? 1 : Number.parseInt(flagText, 16);
  if (Number(pts) < 0 || (flags & 4) !== 0) return [];
  const sum = Number.parseInt(String(checksum), 16) & 0xffff;
  return [
    {
      stream: Number(stream),
      isCopy: stream === "0",
      isKey: (flags & 1) !== 0,
      ticks: Number(pts),
      endTicks: Number(pts) + Number(duration),
      mean: sum / graySide ** 2,
    },
  ];
}

function tickSeconds(listing: string, stream: number): number {
  const [, numerator = 0, denominator = 1] = (new RegExp(`^#tb ${stream}: (\\d+)/(\\d+)`, "m").exec(listing) ?? []).map(
    Number,
  );
  return numerator / denominator;
}

/**
 * `decodes` says which frames ffmpeg should have decoded: all of them, or their number, by default that of the keyframes. Returns
 * undefined if the file has no frame, or one of these could not be decoded.
 */
function parseListing(
  listing: string,
  decodes: "all" | "keyframes" | number,
): (VideoFacts & { readonly decoded: number }) | undefined {
  const packets = listing.split("\n").flatMap(parsePacket);
  const copied = packets.filter(({ isCopy }) => isCopy);
  const pictures = packets.filter(({ isCopy }) => !isCopy);
  const secondsPerTick = tickSeconds(listing, 0);
  const [, width = 0, height = 0] = (/^#dimensions 0: (\d+)x(\d+)/m.exec(listing) ?? []).map(Number);
  const keyframes = copied.filter(({ isKey }) => isKey).length;
  const picturesMin = decodes === "all" ? 1 : decodes === "keyframes" ? keyframes : decodes;
  if (copied.length === 0 || pictures.length < picturesMin) return undefined;
  const endTicks = copied.reduce((latest, { endTicks }) => Math.max(latest, endTicks), 0);
  return {
    durationMs: Math.round(endTicks * secondsPerTick * 1_000),
    frames: copied.length,
    width,
    height,
    isBlack: pictures.every(({ mean }) => mean <= blackMeanMax),
    decoded: pictures.length,
  };
}

/** Returns true if the boxes at the top level fill the file exactly. A file that was only partly written fails this. */
export async function isWholeMp4(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(16);
    let at = 0;
    let hasMovie = false;
    while (at + 8 <= size) {
      await file.read(head, 0, 16, at);
      const short = head.readUInt32BE(0);
      const boxBytes = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
      if (boxBytes < 8) return false;
      hasMovie ||= head.toString("latin1", 4, 8) === "moov";
      at += boxBytes;
    }
    return hasMovie && at === size;
  } finally {
    await file.close();
  }
}

/** The packaged ffmpeg fails if it copies more than 128 packets before it has decoded a picture. */
const decodesLate = ["-max_muxing_queue_size", "1000000"];
const shrink = `scale=${graySide}:${graySide}:flags=area,format=yuv420p,extractplanes=y`;
/** Arguments before each input: ffmpeg reads only this file, stops at the first error, and decodes one frame at a time. */
const anyStrictly = [
  ...["-protocol_whitelist", "file,pipe", "-err_detect", "explode", "-skip_loop_filter", "all", "-threads", "1"],
];
/** With its parser, ffmpeg would mark the first frame of a new scene in an MP4 as a keyframe, but the decoder would skip it. */
const strictly = [...anyStrictly, "-fflags", "+noparse"];

async function probe(ffmpeg: { readonly path: string }, form: string, path: string, decodes: "all" | "keyframes") {
  const decode = decodes === "all" ? [] : ["-skip_frame", "nokey"];
  const { stdout } = await runFfmpeg(
    ffmpeg,
    [
      // Newer versions of ffmpeg find the frames of a GIF only with its parser.
      ...["-v", "error", ...(form === "mp4" ? strictly : anyStrictly), ...decode, "-f", form, "-i", `file:${path}`],
      ...["-map", "0:v:0", "-map", "0:v:0", "-c:v:0", "copy", ...decodesLate],
      ...["-c:v:1", "rawvideo", "-filter:v:1", shrink, "-enc_time_base:v:1", "1:90000", "-f", "framecrc", "pipe:1"],
    ],
    { outBytesMax },
  );
  return parseListing(stdout.toString("latin1"), decodes);
}

/**
 * Throws VerifyFailed if the file cannot be decoded, and FfmpegFailed. `form` is given, because ffmpeg would otherwise take the
 * path of an image for a pattern, and accept whatever format the file claims to have.
 */
export async function probeVideo(
  ffmpeg: { readonly path: string },
  path: string,
  form: "mp4" | "jpeg_pipe" | "gif" = "mp4",
): Promise<VideoFacts> {
  const quick = await probe(ffmpeg, form, path, "keyframes");
  // Decodes all frames only if all keyframes are black, or none is shown.
  const facts = quick?.isBlack ? await probe(ffmpeg, form, path, "all") : quick;
  if (facts === undefined || facts.decoded === 0) throw new VerifyFailed(message("file.not_decodable"));
  return facts;
}

/** Less than a frame. */
const toleranceSeconds = 0.002;

/**
 * Verifies a file that is merged from copies of verified files: reads every packet, and decodes only the keyframes at these seconds.
 * Returns undefined if one of them is missing, or all are black. Then the whole file must be verified.
 */
export async function verifyMerge(
  ffmpeg: { readonly path: string },
  path: string,
  keyframes: readonly number[],
): Promise<VideoFacts | undefined> {
  const input = ["-f", "mp4", "-i", `file:${path}`];
  const inputs = keyframes.flatMap((at) => {
    const seek = ["-ss", Math.max(0, at - toleranceSeconds).toFixed(3), "-t", String(2 * toleranceSeconds)];
    return [...strictly, "-discard:v", "nokey", "-skip_frame", "nokey", ...seek, ...input];
  });
  const outputs = keyframes.flatMap((_, i) => {
    const stream = `v:${i}`;
    const decode = [`-c:${stream}`, "rawvideo", `-filter:${stream}`, shrink, `-enc_time_base:${stream}`, "1:90000"];
    return ["-map", `${i}:v:0`, ...decode];
  });
  const list = async (args: readonly string[]) => {
    const job = { outBytesMax };
    const { stdout } = await runFfmpeg(ffmpeg, ["-v", "error", "-copyts", ...args, "-f", "framecrc", "pipe:1"], job);
    return stdout.toString("latin1");
  };
  const [whole, decoded] = await Promise.all([
    list([...strictly, ...input, "-map", "0:v:0", "-c:v:0", "copy"]),
    keyframes.length === 0 ? "" : list([...inputs, ...outputs]),
  ]);
  const pictures = decoded.split("\n").flatMap(parsePacket);
  // After a damaged keyframe, ffmpeg decodes the next one.
  const isDecoded = (at: number, i: number) =>
    pictures.some(({ stream, ticks }) => {
      return stream === i && Math.abs(ticks * tickSeconds(decoded, stream) - at) < toleranceSeconds;
    });
  const isBlack = pictures.every(({ mean }) => mean <= blackMeanMax);
  const facts = parseListing(whole, 0);
  return facts === undefined || isBlack || !keyframes.every(isDecoded) ? undefined : { ...facts, isBlack };
}

/** What ffmpeg reads in a file. Each packet is a line of text: times, duration, size and a 128-bit hash of its bytes. */
type Contents = {
  /** Time base, size and decoder configuration. */
  readonly head: string;
  readonly packets: readonly string[];
  /** The packets of keyframes from a given time on. */
  readonly keyframes: readonly string[];
  /** How many keyframes were decoded. */
  readonly decoded: number;
};

/** What was in a shorter version of a clip, which was verified before the clip was complete. */
export type Rehearsal = Contents;

/** Reads every packet, and once more the keyframes from a time on. Decodes those keyframes if `decodes` is true. */
async function readContents(
  ffmpeg: { readonly path: string },
  path: string,
  { fromSeconds, decodes }: { readonly fromSeconds: number; readonly decodes: boolean },
): Promise<Contents> {
  const keyframesOnly = ["-discard:v", "nokey", "-skip_frame", "nokey", "-noaccurate_seek"];
  const decode = ["-map", "1:v:0", "-c:v:2", "rawvideo", "-filter:v:2", shrink, "-enc_time_base:v:2", "1:90000"];
  const { stdout } = await runFfmpeg(
    ffmpeg,
    [
      ...["-v", "error", "-copyts", ...strictly, "-f", "mp4", "-i", `file:${path}`],
      ...[...strictly, ...keyframesOnly, "-ss", fromSeconds.toFixed(3), "-f", "mp4", "-i", `file:${path}`],
      ...["-map", "0:v:0", "-map", "1:v:0", "-c:v:0", "copy", "-c:v:1", "copy", ...(decodes ? decode : [])],
      ...[...decodesLate, "-f", "framehash", "-hash", "murmur3", "pipe:1"],
    ],
    { outBytesMax },
  );
  const lines = stdout.toString("latin1").split("\n");
  const linesOf = (stream: number) =>
    lines.flatMap((line) => (line.startsWith(`${stream},`) ? line.slice(2).replaceAll(" ", "") : []));
  return {
    head: lines.filter((line) => /^#(?:tb|codec_id|dimensions|extradata) 0\b/.test(line)).join("\n"),
    packets: linesOf(0),
    keyframes: linesOf(1),
    decoded: linesOf(2).length,
  };
}

const ticksOf = (packet: string) => {
  const [, pts = Number.NaN, duration = Number.NaN] = packet.split(",", 3).map(Number);
  return { pts, endTicks: pts + duration };
};

function secondsPerTick({ head }: Contents): number {
  const [, numerator = 0, denominator = 1] = (/^#tb 0: (\d+)\/(\d+)/m.exec(head) ?? []).map(Number);
  return numerator / denominator;
}

/** Verifies a shorter version of a clip. Returns undefined if all of it is black. Throws as `probeVideo` does. */
export async function verifyBeginning(ffmpeg: { readonly path: string }, path: string): Promise<Rehearsal | undefined> {
  const [facts, contents] = await Promise.all([
    probeVideo(ffmpeg, path),
    readContents(ffmpeg, path, { fromSeconds: 0, decodes: false }),
  ]);
  return facts.isBlack ? undefined : contents;
}

/**
 * Verifies a clip whose beginning was rehearsed: ffmpeg reads every packet of the finished file, but decodes only the keyframes
 * that the rehearsal did not. Returns undefined if anything differs from the rehearsal. Then the whole file must be verified.
 */
export async function verifyRest(
  ffmpeg: { readonly path: string },
  path: string,
  rehearsal: Rehearsal,
): Promise<VideoFacts | undefined> {
  // The last packet does not count: in the clip it may last longer, because more follows.
  const known = rehearsal.packets.slice(0, -1);
  const last = rehearsal.keyframes.findLast((packet) => known.includes(packet) && ticksOf(packet).pts >= 0);
  if (last === undefined) return undefined;
  const seconds = secondsPerTick(rehearsal);
  // Adds a millisecond: ffmpeg seeks back to a keyframe, and a time rounded down would select the one before.
  const fromSeconds = ticksOf(last).pts * seconds + 0.001;
  const contents = await readContents(ffmpeg, path, { fromSeconds, decodes: true });
  const { head, packets, keyframes, decoded } = contents;
  const isSame = head === rehearsal.head && known.every((packet, index) => packet === packets[index]);
  const rest = new Set(packets.slice(known.lastIndexOf(last)));
  const isComplete = keyframes[0] === last && keyframes.every((packet) => rest.has(packet));
  if (!isSame || !isComplete || decoded !== keyframes.length) return undefined;
  const shown = packets.map(ticksOf).filter(({ pts }) => pts >= 0);
  const [, width = 0, height = 0] = (/^#dimensions 0: (\d+)x(\d+)/m.exec(head) ?? []).map(Number);
  const endTicks = shown.reduce((latest, packet) => Math.max(latest, packet.endTicks), 0);
  return { durationMs: Math.round(endTicks * seconds * 1_000), frames: shown.length, width, height, isBlack: false };
}
