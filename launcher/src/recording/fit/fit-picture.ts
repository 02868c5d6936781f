// A screenshot becomes smaller: first by quality, then by size.
import { pictureArguments } from "../clips/picture.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { bytesInWords, CannotFit, type MediaLimits, type Size, sizeWithin } from "./limits.ts";

/** ffmpeg's scale: 2 is best. */
const qualities = [3, 6, 10, 15];
const shares = [1, 0.75, 0.5, 0.35];
const timeoutMs = 20_000;

/** Throws CannotFit when the smallest one is too large still. */
export async function fitPicture(
  ffmpeg: { readonly path: string },
  source: Size & { readonly path: string },
  limits: MediaLimits,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
): Promise<Buffer> {
  const tries = shares.flatMap((share) =>
    qualities.map((quality) => ({ ...sizeWithin(source, limits, share), quality })),
  );
  let least = Number.POSITIVE_INFINITY;
  for (const [index, { width, height, quality }] of tries.entries()) {
    const args = ["-vf", `scale=${width}:${height}:flags=area`, "-q:v", String(quality)];
    // One byte too many would be enough to know, but how many it takes is said at the end.
    const job = { outBytesMax: 64 * 1024 * 1024, timeoutMs, signal };
    const { stdout } = await runFfmpeg(ffmpeg, pictureArguments(source.path, 0, args), job);
    if (stdout.length > 0 && stdout.length <= limits.bytesMax) return stdout;
    least = Math.min(least, stdout.length);
    onProgress((index + 1) / tries.length);
  }
  throw new CannotFit(
    `The picture does not fit into ${bytesInWords(limits.bytesMax)}: it needs ${bytesInWords(least)} at least.`,
  );
}
