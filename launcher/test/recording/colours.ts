// Support: which colours the frames of a video show.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathOf } from "../../../tools/engines/locate.ts";

export type Shares = {
  /** The smallest share of the colour in any frame, from 0 to 1. */
  readonly ownMin: number;
  /** The most pixels of any frame that are not the colour. */
  readonly otherPixelsMax: number;
  /** The largest share of pixels in any frame that are another bright colour. The mouse cursor is black and white. */
  readonly foreignMax: number;
  readonly frames: number;
};

/** The mouse cursor, and the pixels beside it that its edge blurs: chroma subsampling mixes the colours of 2 × 2 pixels. */
export const cursorPixelsMax = 16 * 16;

/** Judges every pixel. Colours are pure, so a pixel is judged by its strongest channel: 0 red, 1 green, 2 blue. */
export async function readColours(file: string, ownChannel: 0 | 1 | 2): Promise<Shares> {
  const words = ["-nostdin", "-v", "fatal", "-i", file, "-map", "0:v:0", "-fps_mode", "passthrough"];
  // In this format, each frame says its size.
  const child = spawn(pathOf("ffmpeg"), [...words, "-f", "image2pipe", "-c:v", "ppm", "-pix_fmt", "rgb24", "pipe:1"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let [ownMin, otherPixelsMax, foreignMax, frames] = [1, 0, 0, 0];
  for await (const frame of framesOf(child.stdout)) {
    const pixels = frame.length / 3;
    const { own, foreign } = countPixels(frame, ownChannel);
    ownMin = Math.min(ownMin, own / pixels);
    otherPixelsMax = Math.max(otherPixelsMax, pixels - own);
    foreignMax = Math.max(foreignMax, foreign / pixels);
    frames += 1;
  }
  const [code] = (await closed) as [number | null];
  if (code !== 0 || frames === 0) throw new Error(`ffmpeg cannot read ${file}`);
  return { ownMin, otherPixelsMax, foreignMax, frames };
}

/** The pixels of each frame, in the same memory, because a clip has hundreds of megabytes of them. */
async function* framesOf(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [frame, headBytes, filled] = [Buffer.alloc(0), 0, 0];
  for await (const part of output) {
    if (frame.length === 0) {
      const [head = "", width, height] = /^P6\n(\d+) (\d+)\n255\n/.exec(part.toString("latin1", 0, 40)) ?? [];
      headBytes = head.length;
      frame = Buffer.alloc(headBytes + Number(width) * Number(height) * 3);
    }
    for (let from = 0; from < part.length; ) {
      const copied = part.copy(frame, filled, from);
      from += copied;
      filled = (filled + copied) % frame.length;
      if (filled === 0) yield frame.subarray(headBytes);
    }
  }
}

/** Counts the pixels whose strongest channel is far above both others. */
function countPixels(frame: Uint8Array, ownChannel: number): { own: number; foreign: number } {
  const counts = { own: 0, foreign: 0 };
  const [second, third] = [(ownChannel + 1) % 3, (ownChannel + 2) % 3];
  for (let at = 0; at < frame.length; at += 3) {
    const own = frame[at + ownChannel] as number;
    const [b, c] = [frame[at + second] as number, frame[at + third] as number];
    if (own - b > 60 && own - c > 60) counts.own += 1;
    else if ((b - own > 60 && b - c > 60) || (c - own > 60 && c - b > 60)) counts.foreign += 1;
  }
  return counts;
}
