// Says what a video file really holds, by having ffmpeg read every packet and decode every keyframe of it. One process.
import { open } from "node:fs/promises";
import { runFfmpeg } from "../ffmpeg/run.ts";

/** The file is not what it should be; the message says how, for a person. */
export class VerifyFailed extends Error {
  override name = "VerifyFailed";
}

export type Held = {
  readonly durationMs: number;
  /** Those a player shows. */
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  /** Every decoded picture is black all over. */
  readonly isBlack: boolean;
};

/** Usually a quarter of a second; a game that leaves it no processor must not cost the clip. */
const timeoutMs = 120_000;
const outBytesMax = 16 * 1024 * 1024;
/** Each picture is shrunk to this many grey values a side. */
const greysASide = 16;
/** Black is 16 in video; a lone mouse pointer raises the mean by less than a tenth. */
const blackMeanMax = 16.5;

type Packet = { isCopy: boolean; isKey: boolean; endTicks: number; mean: number };

/**
 * A line a packet: stream, dts, pts, duration, size, checksum, flags where they are not those of a keyframe. Frames
 * hidden by an edit list have a negative time and the flag 4. The checksum is Adler-32 begun with 0: its lower half is
 * the sum of the bytes, so of a picture this small it tells the mean brightness.
 */
function packetOf(line: string): Packet[] {
  const found = /^([01]), *-?\d+, *(-?\d+), *(\d+), *\d+, *0x([0-9a-f]{8})(?:, *F=0x([0-9a-f]+))?/i.exec(line);
  if (found === null) return [];
  const [, stream, pts, duration, checksum, flagText] = found;
  const flags = flagText === undefined ? 1 : Number.parseInt(flagText, 16);
  if (Number(pts) < 0 || (flags & 4) !== 0) return [];
  const sum = Number.parseInt(String(checksum), 16) & 0xffff;
  return [
    {
      isCopy: stream === "0",
      isKey: (flags & 1) !== 0,
      endTicks: Number(pts) + Number(duration),
      mean: sum / greysASide ** 2,
    },
  ];
}

/** What ffmpeg listed; undefined when a keyframe could not be decoded, or nothing is in it. */
function heldIn(listing: string, decodesAll: boolean): (Held & { readonly decoded: number }) | undefined {
  const packets = listing.split("\n").flatMap(packetOf);
  const copied = packets.filter(({ isCopy }) => isCopy);
  const pictures = packets.filter(({ isCopy }) => !isCopy);
  const [, numerator = 0, denominator = 1] = (/^#tb 0: (\d+)\/(\d+)/m.exec(listing) ?? []).map(Number);
  const [, width = 0, height = 0] = (/^#dimensions 0: (\d+)x(\d+)/m.exec(listing) ?? []).map(Number);
  const keyframes = copied.filter(({ isKey }) => isKey).length;
  if (copied.length === 0 || pictures.length < (decodesAll ? 1 : keyframes)) return undefined;
  const endTicks = copied.reduce((latest, { endTicks }) => Math.max(latest, endTicks), 0);
  return {
    durationMs: Math.round((endTicks * numerator * 1_000) / denominator),
    frames: copied.length,
    width,
    height,
    isBlack: pictures.every(({ mean }) => mean <= blackMeanMax),
    decoded: pictures.length,
  };
}

/** The top-level boxes of an MP4 fill the file exactly: one that was cut short while it was written is noticed by this. */
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

async function listing(ffmpeg: { readonly path: string }, form: string, path: string, decodesAll: boolean) {
  const decode = decodesAll ? [] : ["-skip_frame", "nokey"];
  const shrink = `scale=${greysASide}:${greysASide}:flags=area,format=yuv420p,extractplanes=y`;
  const { stdout } = await runFfmpeg(
    ffmpeg,
    [
      ...["-v", "error", "-protocol_whitelist", "file,pipe", "-err_detect", "explode"],
      ...["-skip_loop_filter", "all", "-threads", "1"],
      // A parser would call the first picture of a new scene a keyframe, which the file does not and the decoder skips.
      ...["-fflags", "+noparse"],
      ...[...decode, "-f", form, "-i", `file:${path}`, "-map", "0:v:0", "-map", "0:v:0", "-c:v:0", "copy"],
      ...["-c:v:1", "rawvideo", "-filter:v:1", shrink, "-enc_time_base:v:1", "1:90000", "-f", "framecrc", "pipe:1"],
    ],
    { outBytesMax, timeoutMs, awaited: true },
  );
  return heldIn(stdout.toString("latin1"), decodesAll);
}

/**
 * Throws VerifyFailed when it cannot be decoded, and what `runFfmpeg` throws. The form is given, not guessed: ffmpeg
 * takes a picture's path for a pattern otherwise, and would read any form a file pretends to have.
 */
export async function probeVideo(
  ffmpeg: { readonly path: string },
  path: string,
  form: "mp4" | "jpeg_pipe" = "mp4",
): Promise<Held> {
  const quick = await listing(ffmpeg, form, path, false);
  // Only where no keyframe is shown, or all of them are black, does it take the rest to tell.
  const held = quick?.isBlack ? await listing(ffmpeg, form, path, true) : quick;
  if (held === undefined || held.decoded === 0) throw new VerifyFailed("its pictures cannot be decoded");
  return held;
}
