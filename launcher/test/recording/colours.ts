// Support: which colours the frames of a video show.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathOf } from "../../../tools/engines/locate.ts";

const grid = { width: 64, height: 36 };

export type Shares = {
  /** The smallest share of the colour in any frame, from 0 to 1. */
  readonly ownMin: number;
  /** The largest share of pixels in any frame that are another bright colour. The mouse cursor is black and white. */
  readonly foreignMax: number;
  readonly frames: number;
};

/** Samples each frame. Colours are pure, so a pixel is judged by its strongest channel: 0 red, 1 green, 2 blue. */
export async function readColours(file: string, ownChannel: 0 | 1 | 2): Promise<Shares> {
  const filter = `scale=${grid.width}:${grid.height}:flags=neighbor,format=rgb24`;
  const words = ["-nostdin", "-v", "fatal", "-i", file, "-map", "0:v:0", "-vf", filter];
  const child = spawn(pathOf("ffmpeg"), [...words, "-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`ffmpeg cannot read ${file}`);
  const pixels = Buffer.concat(parts);
  const frameBytes = grid.width * grid.height * 3;
  let [ownMin, foreignMax] = [1, 0];
  for (let start = 0; start < pixels.length; start += frameBytes) {
    const { own, foreign } = countPixels(pixels.subarray(start, start + frameBytes), ownChannel);
    ownMin = Math.min(ownMin, own);
    foreignMax = Math.max(foreignMax, foreign);
  }
  return { ownMin, foreignMax, frames: pixels.length / frameBytes };
}

function countPixels(frame: Uint8Array, ownChannel: number): { own: number; foreign: number } {
  const counts = { own: 0, foreign: 0 };
  for (let at = 0; at < frame.length; at += 3) {
    const channels = [...frame.subarray(at, at + 3)];
    const strongest = channels.indexOf(Math.max(...channels));
    const isPure = Math.max(...channels) - (channels.toSorted((a, b) => a - b)[1] ?? 0) > 60;
    if (isPure) counts[strongest === ownChannel ? "own" : "foreign"] += 3 / frame.length;
  }
  return counts;
}
