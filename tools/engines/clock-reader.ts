// Decodes the clock window in every frame of a video, with the ffmpeg of the tests.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cellCount, decodeClock } from "./clock-code.ts";
import { pathOf } from "./locate.ts";

export type ReadFrame = {
  /** Presentation time of the frame in milliseconds, with edit lists applied. */
  readonly ptsMs: number;
  /** Time shown in the frame; 0 if unreadable. */
  readonly clockMs: number;
  readonly ok: boolean;
};

/** Samples per cell. The outer samples are ignored, because scaling blurs them. */
const samplesPerCell = 4;
const rowBytes = cellCount * samplesPerCell;
const messageCharsMax = 2_000;

/** Reduces the upper row of cells to one row of gray samples. */
const filter = [
  "format=gray",
  `crop=w=iw:h=max(1\\,floor(iw/${cellCount * 2})):x=0:y=floor(iw/${cellCount * 4})`,
  `scale=${rowBytes}:1:flags=area`,
  "showinfo=checksum=0",
].join(",");

/** Returns all frames in presentation order. The clock window must fill the width. Rejects if ffmpeg fails. */
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

/** Uses showinfo's integer times and time base, because its seconds are rounded. */
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
