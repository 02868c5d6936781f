// Reads Kit's icon as pixels of any size.

import { runFfmpeg } from "../ffmpeg/run.ts";
import type { IconPixels } from "./x11-tray.ts";

const timeoutMs = 5_000;
/** Kit's purple, for a tray without ffmpeg. */
const plain = [0xd6, 0x5b, 0x5b, 0] as const;

type FindFfmpeg = () => Promise<{ readonly path: string } | undefined>;

/** `icon` is the path of a PNG. Where it cannot be read, the icon is a plain square. */
export function createIconPixels(icon: string, findFfmpeg: FindFfmpeg): IconPixels {
  const known = new Map<number, Promise<Buffer>>();
  const read = async (size: number): Promise<Buffer> => {
    const bytes = size * size * plain.length;
    const ffmpeg = await findFfmpeg();
    const args = ["-v", "error", "-i", `file:${icon}`, "-vf", `scale=${size}:${size}:flags=area`, "-frames:v", "1"];
    const output = ["-pix_fmt", "bgr0", "-f", "rawvideo", "pipe:1"];
    const job = { outBytesMax: bytes, timeoutMs };
    const made = ffmpeg && (await runFfmpeg(ffmpeg, [...args, ...output], job).catch(() => undefined));
    return made?.stdout.length === bytes ? made.stdout : Buffer.alloc(bytes, Buffer.from(plain));
  };
  return (size) => {
    // A tray has one size, rarely two.
    if (!known.has(size)) known.set(size, read(size));
    return known.get(size) as Promise<Buffer>;
  };
}
