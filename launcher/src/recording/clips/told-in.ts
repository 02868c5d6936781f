// What a clip says of itself: when it begins, and which events it was cut for.
import { runFfmpeg } from "../ffmpeg/run.ts";

/** Undefined is what the file does not say. */
export type Told = { readonly startedAtMs: number | undefined; readonly events: readonly string[] | undefined };

const outBytesMax = 4 * 1024 * 1024;
const timeoutMs = 20_000;

/** Throws FfmpegFailed when it cannot be read. */
export async function toldIn(ffmpeg: { readonly path: string }, path: string): Promise<Told> {
  const args = ["-v", "error", "-protocol_whitelist", "file,pipe", "-f", "mp4", "-i", `file:${path}`];
  const { stdout } = await runFfmpeg(ffmpeg, [...args, "-f", "ffmetadata", "pipe:1"], { outBytesMax, timeoutMs });
  const text = stdout.toString();
  // Its own form puts a backslash before what means something there.
  const said = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1]?.replace(/\\(.)/g, "$1") ?? "";
  const startedAtMs = Date.parse(said("date"));
  return { startedAtMs: Number.isNaN(startedAtMs) ? undefined : startedAtMs, events: eventsOf(said("comment")) };
}

function eventsOf(comment: string): readonly string[] | undefined {
  try {
    const { events } = JSON.parse(comment) as { events?: unknown };
    return Array.isArray(events) ? events.map(String) : undefined;
  } catch {
    return undefined;
  }
}
