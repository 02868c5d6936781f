// Makes the file of a trim: copies the frames if possible, otherwise encodes them. Verifies and names it like the file of any clip.

import type { Clip } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { ClipFiles, VerifiedFile } from "../clips/clip-files.ts";
import type { StoredClip } from "../clips/clip-row.ts";
import { namePartsForTrim } from "../clips/file-name.ts";
import type { ClipLibrary } from "../clips/library.ts";
import { VerifyFailed } from "../clips/verify.ts";
import type { EncodingFfmpeg } from "../exports/encode.ts";
import { keepTimestampsArgs } from "../exports/encode.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { BrokenStream } from "../mp4/box-splitter.ts";
import { formatSeconds } from "../plans/notes.ts";
import type { ClipPlan } from "../plans/plan.ts";

type EncodeOptions = {
  readonly source: string;
  readonly part: string;
  readonly fromSeconds: number;
  readonly seconds: number;
  /** ISO 8601. Recovery identifies the file by it. */
  readonly startedAt: string;
};

const timeoutMs = 1_800_000;
const outBytesMax = 64 * 1024 * 1024;
const threads = "4";

const encodeArguments = (
  ffmpeg: EncodingFfmpeg,
  { source, part, fromSeconds, seconds, startedAt }: EncodeOptions,
): string[] => [
  ...["-v", "error", "-protocol_whitelist", "file,pipe", "-ss", fromSeconds.toFixed(3), "-f", "mp4"],
  ...["-i", `file:${source}`, "-t", seconds.toFixed(3), "-map", "0:v:0", "-map", "0:a:0?"],
  ...keepTimestampsArgs(ffmpeg),
  ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p", "-threads", threads],
  ...["-c:a", "aac", "-b:a", "160k", "-map_metadata", "-1", "-map_chapters", "-1", "-metadata", `date=${startedAt}`],
  ...["-movflags", "+faststart", "-f", "mp4", "-y", `file:${part}`],
  // One line per frame to a pipe: if the launcher was killed, nobody reads it, and ffmpeg ends.
  ...["-t", seconds.toFixed(3), "-map", "0:v:0", "-c:v", "copy", "-flush_packets", "1", "-f", "framecrc", "pipe:1"],
];

/** Throws FfmpegFailed. */
async function encodeRange(ffmpeg: EncodingFfmpeg, options: EncodeOptions, signal: AbortSignal): Promise<void> {
  await runFfmpeg(ffmpeg, encodeArguments(ffmpeg, options), {
    outBytesMax,
    onOutput: () => undefined,
    timeoutMs,
    signal,
  });
}

type MakeTrimDeps = {
  readonly files: Pick<ClipFiles, "partPath" | "absolutePath" | "saveVideo" | "discard">;
  readonly library: Pick<ClipLibrary, "prepareCut">;
  readonly ffmpeg: () => Promise<EncodingFfmpeg | undefined>;
  readonly onStage: (stage: NonNullable<Clip["stage"]>) => void;
  readonly signal: AbortSignal;
};

const durationOffMaxMs = 500;
const encodedNote = message("clip.encoded_again");

/** Rejects with VerifyFailed, FfmpegFailed, DiskNearlyFull, the signal's reason or a file system error. Leaves no partial file. */
export async function makeTrim(deps: MakeTrimDeps, plan: ClipPlan, source: StoredClip): Promise<VerifiedFile> {
  const { files, onStage } = deps;
  const part = files.partPath(plan.id);
  await deps.library.prepareCut();
  onStage("cutting");
  try {
    return await copyFrames(deps, plan, source).catch((error) => {
      // A person may have put another file in the place of the clip's. If its frames cannot be copied, they can be encoded.
      if (!(error instanceof BrokenStream || error instanceof VerifyFailed)) throw error;
      return encodeFrames(deps, plan, source);
    });
  } finally {
    await files.discard(part);
  }
}

async function copyFrames(deps: MakeTrimDeps, plan: ClipPlan, source: StoredClip): Promise<VerifiedFile> {
  const { files, onStage, signal } = deps;
  const part = files.partPath(plan.id);
  // Loaded with the first trim, because the MP4 code that it imports takes memory.
  const { copyTrim } = await import("./copy-trim.ts");
  const { gaps, ...footage } = await copyTrim(source, plan, part, signal);
  onStage("verifying");
  const file = await files.saveVideo(plan.id, part, footage, namePartsForTrim(plan));
  const missingMs = gaps.reduce((sum, gap) => sum + gap.toMs - gap.fromMs, 0);
  const gapNotes = missingMs > 0 ? [message("clip.has_gaps", { seconds: formatSeconds(missingMs) })] : [];
  return { ...file, notes: [...gapNotes, ...file.notes] };
}

async function encodeFrames(deps: MakeTrimDeps, plan: ClipPlan, source: StoredClip): Promise<VerifiedFile> {
  const { files, onStage, signal } = deps;
  const part = files.partPath(plan.id);
  const ffmpeg = await deps.ffmpeg();
  if (ffmpeg === undefined) throw new VerifyFailed(message("file.no_ffmpeg_to_encode"));
  const wantedMs = plan.toMs - plan.fromMs;
  onStage("cutting");
  const options = {
    source: String(source.clip.path),
    part,
    seconds: wantedMs / 1_000,
    fromSeconds: (plan.fromMs - source.fromMs) / 1_000,
    startedAt: new Date(plan.fromMs).toISOString(),
  };
  await encodeRange(ffmpeg, options, signal);
  onStage("verifying");
  const file = await files.saveVideo(plan.id, part, undefined, namePartsForTrim(plan));
  if (Math.abs(file.durationMs - wantedMs) <= durationOffMaxMs) return { ...file, notes: [encodedNote, ...file.notes] };
  await files.discard(files.absolutePath(file.file));
  throw new VerifyFailed(
    message("file.wrong_length", { seconds: formatSeconds(file.durationMs), wanted: formatSeconds(wantedMs) }),
  );
}
