// Reads the clock out of every frame of a video that shows the clock window, by the real ffmpeg.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cellCount, decodeClock } from "./clock-code.ts";
import { pathOf } from "./locate.ts";

export type ReadFrame = {
  /** Where the file puts this frame, in milliseconds, as a player takes it: edit lists are followed. */
  readonly ptsMs: number;
  /** What the frame shows; 0 when it cannot be read. */
  readonly clockMs: number;
  readonly ok: boolean;
};

/** Samples a cell, across; the outer ones of each are smeared by scaling and are not looked at. */
const samplesPerCell = 4;
const rowBytes = cellCount * samplesPerCell;
const messageCharsMax = 2_000;

/** Takes the upper row of cells, whatever the size of the picture, and makes it one row of gray samples. */
const filter = [
  "format=gray",
  `crop=w=iw:h=max(1\\,floor(iw/${cellCount * 2})):x=0:y=floor(iw/${cellCount * 4})`,
  `scale=${rowBytes}:1:flags=area`,
  "showinfo=checksum=0",
].join(",");

/** Every frame, in the order a player shows them. The clock window has to fill the picture's width. Rejects when ffmpeg fails. */
export async function readClock(file: string): Promise<ReadFrame[]> {
  const input = ["-nostdin", "-hide_banner", "-nostats", "-protocol_whitelist", "file,pipe", "-copyts", "-i", file];
  const output = ["-map", "0:v:0", "-fps_mode", "passthrough", "-vf", filter, "-f", "rawvideo", "pipe:1"];
  const child = spawn(pathOf("ffmpeg"), [...input, ...output], { stdio: ["ignore", "pipe", "pipe"] });
  const rows: Buffer[] = [];
  const said: string[] = [];
  child.stdout.on("data", (part: Buffer) => rows.push(part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => said.push(part));
  const [code] = (await once(child, "close")) as [number | null];
  const text = said.join("");
  if (code !== 0) throw new Error(`ffmpeg cannot read ${file} (${code}): ${text.slice(-messageCharsMax)}`);
  const pixels = Buffer.concat(rows);
  const times = timesIn(text);
  if (pixels.length !== times.length * rowBytes)
    throw new Error(`${file}: ${times.length} times, ${pixels.length} bytes`);
  return times.map((ptsMs, index) => {
    const read = decodeClock(cellsOf(pixels.subarray(index * rowBytes, (index + 1) * rowBytes)));
    return { ptsMs, clockMs: read?.clockMs ?? 0, ok: read !== undefined };
  });
}

/** The whole numbers of showinfo and its time base: its seconds are rounded to six digits. */
function timesIn(text: string): number[] {
  const [, numerator, denominator] = /showinfo.* config in time_base: (\d+)\/(\d+)/.exec(text) ?? [];
  const ticksMs = (1_000 * Number(numerator)) / Number(denominator);
  return [...text.matchAll(/showinfo.* n: *\d+ pts: *(-?\d+)/g)].map(([, pts]) => Number(pts) * ticksMs);
}

function cellsOf(row: Uint8Array): boolean[] {
  return Array.from({ length: cellCount }, (_, cell) => {
    const first = cell * samplesPerCell + 1;
    return (row[first] ?? 0) + (row[first + 1] ?? 0) > 255;
  });
}
