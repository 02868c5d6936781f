// Kit's icon in the size that a tray wants. Read by Kit itself, because a tray must not wait for another program.

import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { inflate } from "node:zlib";

/** Returns the pixels of the square icon, four bytes each: blue, green, red, alpha. */
export type IconPixels = (size: number) => Buffer;

const channels = 4;
const headerEnd = 33;

type Picture = { readonly size: number; readonly rgba: Buffer };

/** Reads a square PNG of 8-bit RGBA without interlacing, as Kit's icons are (https://www.w3.org/TR/png-3/). */
async function readPng(path: string): Promise<Picture> {
  const file = await readFile(path);
  const size = file.readUInt32BE(16);
  const parts: Buffer[] = [];
  for (let at = headerEnd; at < file.length; at += file.readUInt32BE(at) + 12) {
    if (file.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  return { size, rgba: unfilter(await promisify(inflate)(Buffer.concat(parts)), size * channels) };
}

/** A byte is stored as its difference to a guess from the bytes to the left, above, and above that to the left. */
function unfilter(rows: Buffer, width: number): Buffer {
  const out = Buffer.alloc((rows.length / (width + 1)) * width);
  for (let row = 0, at = 0; at < out.length; row += 1) {
    const filter = rows[row * (width + 1)];
    for (let i = 0; i < width; i += 1, at += 1) {
      const left = i < channels ? 0 : (out[at - channels] ?? 0);
      const up = out[at - width] ?? 0;
      const corner = i < channels ? 0 : (out[at - width - channels] ?? 0);
      out[at] = (rows[at + row + 1] ?? 0) + guessByte(filter, left, up, corner);
    }
  }
  return out;
}

function guessByte(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  return filter === 4 ? paeth(left, up, corner) : 0;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Each pixel is the mean of those that it covers. */
function scale({ size: from, rgba }: Picture, to: number): Buffer {
  const bgra = Buffer.alloc(to * to * channels);
  const edge = (at: number) => Math.floor((at * from) / to);
  for (let at = 0; at < to * to; at += 1) {
    const [x, y] = [at % to, Math.floor(at / to)];
    const sums = [0, 0, 0, 0];
    let count = 0;
    for (let row = edge(y); row < Math.max(edge(y) + 1, edge(y + 1)); row += 1) {
      for (let column = edge(x); column < Math.max(edge(x) + 1, edge(x + 1)); column += 1) {
        for (let i = 0; i < channels; i += 1)
          sums[i] = (sums[i] ?? 0) + (rgba[(row * from + column) * channels + i] ?? 0);
        count += 1;
      }
    }
    const [red = 0, green = 0, blue = 0, alpha = 0] = sums.map((sum) => Math.round(sum / count));
    bgra.set([blue, green, red, alpha], at * channels);
  }
  return bgra;
}

/** `path` is that of Kit's icon. Rejects if it cannot be read. */
export async function readIcon(path: string): Promise<IconPixels> {
  const picture = await readPng(path);
  return (size) => scale(picture, size);
}
