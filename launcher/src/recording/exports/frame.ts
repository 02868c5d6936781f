// Reads one picture of a clip in full size.

import { KitError } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import type { ClipLibrary } from "../clips/library.ts";
import { VerifyFailed } from "../clips/verify.ts";
import { noFfmpegMessage } from "../ffmpeg/find.ts";
import { FfmpegFailed, runFfmpeg } from "../ffmpeg/run.ts";
import { createBoundedQueue, QueueFull } from "../jobs/bounded-queue.ts";

const listOptions = { outBytesMax: 64 * 1024 * 1024 } as const;
const file = (path: string) => ["-f", "mp4", "-i", `file:${path}`, "-map", "0:v:0"];
const quietly = ["-v", "error", "-protocol_whitelist", "file,pipe"];
/** Shorter than half of any frame, but longer than a rounding error of a timestamp. */
const toleranceSeconds = 0.0005;

/** Returns the start time, in seconds, of the frame that a player shows at `at`. Frames of a capture have uneven times. */
async function frameTime(ffmpeg: { readonly path: string }, path: string, at: number): Promise<number> {
  const args = [...quietly, ...file(path), "-c", "copy", "-f", "framecrc", "pipe:1"];
  const said = (await runFfmpeg(ffmpeg, args, listOptions)).stdout.toString("latin1");
  const [, numerator = 0, denominator = 1] = (/^#tb 0: (\d+)\/(\d+)/m.exec(said) ?? []).map(Number);
  // Frames before the start are only there to decode others.
  const shown = [...said.matchAll(/^0, *-?\d+, *(\d+),/gm)].map(
    ([, ticks]) => (Number(ticks) * numerator) / denominator,
  );
  if (shown.length === 0) throw new VerifyFailed(message("file.no_video_frame"));
  const first = shown.reduce((least, seconds) => Math.min(least, seconds));
  return shown.reduce(
    (latest, seconds) => (seconds <= at + toleranceSeconds ? Math.max(latest, seconds) : latest),
    first,
  );
}

/** Returns the PNG of the frame that a player shows at `at`. After the end, that is the last one. */
async function readFrame(ffmpeg: { readonly path: string }, path: string, at: number): Promise<Buffer> {
  const from = Math.max(0, (await frameTime(ffmpeg, path, at)) - toleranceSeconds).toFixed(6);
  const output = ["-frames:v", "1", "-pix_fmt", "rgb24", "-c:v", "png", "-f", "image2pipe", "pipe:1"];
  const { stdout } = await runFfmpeg(ffmpeg, [...quietly, "-ss", from, ...file(path), ...output], listOptions);
  if (stdout.length === 0) throw new VerifyFailed(message("file.no_frame_at_time"));
  return stdout;
}

type FramesDeps = {
  readonly library: Pick<ClipLibrary, "get" | "mediaFile">;
  readonly ffmpeg: () => Promise<{ readonly path: string } | undefined>;
};

export type Frames = ReturnType<typeof createFrames>;

const waitingMax = 5;

/** Reads pictures one at a time. */
export function createFrames({ library, ffmpeg }: FramesDeps) {
  const queue = createBoundedQueue({ concurrency: 1, waitingMax });
  /** Throws KitError. */
  return async (id: string, at: number): Promise<{ readonly png: Buffer; readonly saveAs: string }> => {
    const { kind, state, duration } = await library.get(id);
    if (kind !== "clip" || state !== "saved") throw new KitError("payload_invalid", message("frame.only_of_video"));
    const media = await library.mediaFile(id, "video");
    if (media === undefined) throw new KitError("not_found", message("clip.its_file_gone"));
    try {
      const found = await ffmpeg();
      if (found === undefined) throw new FfmpegFailed(noFfmpegMessage());
      const png = await queue.add(() => readFrame(found, media.path, at));
      const time = Math.min(at, duration).toFixed(2).replace(".", "_");
      return { png, saveAs: `${media.downloadName.replace(/\.mp4$/, "")} at ${time}.png` };
    } catch (error) {
      if (error instanceof QueueFull) throw new KitError("too_many_requests", message("frame.too_many"));
      throw new KitError("payload_invalid", message("frame.failed", { why: reasonOf(error) }));
    }
  };
}
