// Which events a clip was cut for: the file says it itself, in its comment.
import { runFfmpeg } from "../ffmpeg/run.ts";

const outBytesMax = 4 * 1024 * 1024;
const timeoutMs = 20_000;

/** Undefined when the file does not say. Throws FfmpegFailed when it cannot be read. */
export async function eventsIn(
  ffmpeg: { readonly path: string },
  path: string,
): Promise<readonly string[] | undefined> {
  const args = ["-v", "error", "-protocol_whitelist", "file,pipe", "-f", "mp4", "-i", `file:${path}`];
  const { stdout } = await runFfmpeg(ffmpeg, [...args, "-f", "ffmetadata", "pipe:1"], { outBytesMax, timeoutMs });
  // Its own form puts a backslash before what means something there.
  const comment = /^comment=(.*)$/m.exec(stdout.toString())?.[1]?.replace(/\\(.)/g, "$1");
  try {
    const { events } = JSON.parse(comment ?? "") as { events?: unknown };
    return Array.isArray(events) ? events.map(String) : undefined;
  } catch {
    return undefined;
  }
}
