// Makes the file of one part: copied where its pictures can be, encoded anew where not; checked and named like any clip.
import type { Clip } from "@kit/contract";
import type { ClipFileInfo, ClipFiles } from "../clips/clip-files.ts";
import type { StoredClip } from "../clips/clip-row.ts";
import { namingOfPart } from "../clips/file-name.ts";
import type { Library } from "../clips/library.ts";
import { VerifyFailed } from "../clips/verify.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { timesAsTheyAre } from "../fit/arguments.ts";
import type { Encoder } from "../fit/encode.ts";
import { BrokenStream } from "../mp4/box-splitter.ts";
import type { Plan } from "../plan.ts";
import { seconds } from "../said.ts";

// Makes a part of a video anew where its pictures cannot be copied exactly: a file that a person put in a clip's place.

type EncodePart = {
  readonly source: string;
  readonly part: string;
  readonly fromSeconds: number;
  readonly seconds: number;
  /** ISO 8601; what recovery knows the file by. */
  readonly startedAt: string;
};

const timeoutMs = 1_800_000;
const outBytesMax = 64 * 1024 * 1024;
const threads = "4";

const encodeArguments = ({ source, part, fromSeconds, seconds, startedAt }: EncodePart, fpsMode: boolean): string[] => [
  ...["-v", "error", "-protocol_whitelist", "file,pipe", "-ss", fromSeconds.toFixed(3), "-f", "mp4"],
  ...["-i", `file:${source}`, "-t", seconds.toFixed(3), "-map", "0:v:0", "-map", "0:a:0?"],
  ...timesAsTheyAre(fpsMode),
  ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p", "-threads", threads],
  ...["-c:a", "aac", "-b:a", "160k", "-map_metadata", "-1", "-map_chapters", "-1", "-metadata", `date=${startedAt}`],
  ...["-movflags", "+faststart", "-f", "mp4", "-y", `file:${part}`],
  // A line a picture into a pipe: once nobody reads it, because the launcher was killed, ffmpeg ends.
  ...["-t", seconds.toFixed(3), "-map", "0:v:0", "-c:v", "copy", "-flush_packets", "1", "-f", "framecrc", "pipe:1"],
];

/** Throws FfmpegFailed. */
async function encodePart(ffmpeg: Encoder, wanted: EncodePart, signal: AbortSignal): Promise<void> {
  await runFfmpeg(ffmpeg, encodeArguments(wanted, ffmpeg.fpsMode ?? true), {
    outBytesMax,
    onOutput: () => undefined,
    timeoutMs,
    signal,
  });
}

type MakePartNeeds = {
  readonly files: Pick<ClipFiles, "partOf" | "pathOf" | "keep" | "discard">;
  readonly library: Pick<Library, "prepareCut">;
  readonly ffmpeg: () => Promise<Encoder | undefined>;
  readonly onStage: (stage: NonNullable<Clip["stage"]>) => void;
  readonly signal: AbortSignal;
};

const durationOffMaxMs = 500;
const encodedAnew = "encoded anew: its pictures could not be copied exactly";

/** Rejects with VerifyFailed, FfmpegFailed, DiskNearlyFull, the signal's reason, or what the file system throws; no part is left then. */
export async function makePart(needs: MakePartNeeds, plan: Plan, whole: StoredClip): Promise<ClipFileInfo> {
  const { files, onStage } = needs;
  const part = files.partOf(plan.id);
  await needs.library.prepareCut();
  onStage("cutting");
  try {
    return await copied(needs, plan, whole).catch((error) => {
      // Whatever a person put in its place plays, or else it cannot be trimmed at all.
      if (!(error instanceof BrokenStream || error instanceof VerifyFailed)) throw error;
      return encoded(needs, plan, whole);
    });
  } finally {
    await files.discard(part);
  }
}

async function copied(needs: MakePartNeeds, plan: Plan, whole: StoredClip): Promise<ClipFileInfo> {
  const { files, onStage, signal } = needs;
  const part = files.partOf(plan.id);
  // What reads and writes films is loaded with the first part.
  const { copyPart } = await import("./copy-part.ts");
  const { holes, ...footage } = await copyPart({
    source: String(whole.clip.path),
    part,
    order: {
      fromMs: plan.fromMs,
      toMs: plan.toMs,
      title: plan.title,
      offsetMs: whole.fromMs,
      comment: JSON.stringify({ events: plan.moments.map(({ event }) => event) }),
      chapters: plan.moments.map(({ atMs, label }) => ({ atMs, title: label })),
    },
    signal,
  });
  onStage("verifying");
  const kept = await files.keep(plan.id, part, footage, namingOfPart(plan));
  const stillMs = holes.reduce((sum, hole) => sum + hole.toMs - hole.fromMs, 0);
  const still = stillMs > 0 ? [`${seconds(stillMs)} s inside were not recorded: the picture stands still`] : [];
  return { ...kept, notes: [...still, ...kept.notes] };
}

async function encoded(needs: MakePartNeeds, plan: Plan, whole: StoredClip): Promise<ClipFileInfo> {
  const { files, onStage, signal } = needs;
  const part = files.partOf(plan.id);
  const ffmpeg = await needs.ffmpeg();
  if (ffmpeg === undefined) throw new VerifyFailed("there is no ffmpeg to make it with");
  const wantedMs = plan.toMs - plan.fromMs;
  onStage("cutting");
  const wanted = {
    source: String(whole.clip.path),
    part,
    seconds: wantedMs / 1_000,
    fromSeconds: (plan.fromMs - whole.fromMs) / 1_000,
    startedAt: new Date(plan.fromMs).toISOString(),
  };
  await encodePart(ffmpeg, wanted, signal);
  onStage("verifying");
  const kept = await files.keep(plan.id, part, undefined, namingOfPart(plan));
  if (Math.abs(kept.durationMs - wantedMs) <= durationOffMaxMs) return { ...kept, notes: [encodedAnew, ...kept.notes] };
  await files.discard(files.pathOf(kept.file));
  throw new VerifyFailed(`it is ${seconds(kept.durationMs)} s long instead of ${seconds(wantedMs)} s`);
}
