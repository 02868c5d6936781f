// Finds the ffmpeg that starts fastest, for tests that are not about ffmpeg.
import { createRequire } from "node:module";
import { pathOf } from "../../../tools/engines/locate.ts";
import { runnable } from "../../../tools/engines/on-path.ts";

/**
 * The packaged ffmpeg, which is linked statically. Debian's loads 200 libraries, so each start takes a tenth of a second of
 * processor time, more than a short job. It encodes more slowly. Where none is packaged, the installed one.
 */
export function quickFfmpeg(): string {
  try {
    const { path } = createRequire(import.meta.url)("@ffmpeg-installer/ffmpeg") as { path: string };
    return runnable(path) ?? pathOf("ffmpeg");
  } catch {
    return pathOf("ffmpeg");
  }
}
