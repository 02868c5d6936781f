// Trims clips: plans a shorter clip of a range, makes its file, and after a crash makes those that were unfinished. Copies the frames
// if possible, otherwise encodes them. Verifies and names the file like that of any clip.

import { randomUUIDv7 } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Clip, fieldError, KitError, payloadInvalid } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import type { ClipFiles, VerifiedFile } from "../clips/clip-files.ts";
import type { PendingClip, StoredClip } from "../clips/clip-row.ts";
import { type ClipStore, insertTrim, markClipFailed, markClipSaved } from "../clips/clip-store.ts";
import { namePartsForTrim } from "../clips/file-names.ts";
import type { ClipLibrary } from "../clips/library.ts";
import { VerifyFailed } from "../clips/verify.ts";
import { type EncodingFfmpeg, keepTimestampsArgs } from "../exports/encode.ts";
import { videoFilters, videoTags } from "../ffmpeg/colours.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { createBoundedQueue } from "../jobs/bounded-queue.ts";
import type { ClipPictures } from "../jobs/pictures.ts";
import { BrokenStream } from "../mp4/broken-stream.ts";
import { formatSeconds } from "../plans/notes.ts";
import { bestMoment, type ClipPlan, type Moment, offsetInFile, titleOfClip } from "../plans/plan.ts";

type EncodeOptions = {
  readonly source: string;
  readonly part: string;
  readonly fromSeconds: number;
  readonly seconds: number;
  /** ISO 8601. Recovery identifies the file by it. */
  readonly startedAt: string;
};

export const encodeOptions = ({ clip, fromMs }: StoredClip, plan: ClipPlan, part: string): EncodeOptions => ({
  source: String(clip.path),
  part,
  seconds: (plan.toMs - plan.fromMs) / 1_000,
  fromSeconds: (plan.fromMs - fromMs) / 1_000,
  startedAt: new Date(plan.fromMs).toISOString(),
});

const outBytesMax = 64 * 1024 * 1024;
const threads = "4";

const encodeArguments = (
  ffmpeg: EncodingFfmpeg,
  { source, part, fromSeconds, seconds, startedAt }: EncodeOptions,
): string[] => [
  ...["-v", "error", "-protocol_whitelist", "file,pipe", "-ss", fromSeconds.toFixed(3), "-f", "mp4"],
  ...["-i", `file:${source}`, "-t", seconds.toFixed(3), "-map", "0:v:0", "-map", "0:a:0?"],
  ...["-vf", videoFilters("flags=bicubic")],
  ...keepTimestampsArgs(ffmpeg),
  ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-threads", threads, ...videoTags],
  ...["-c:a", "aac", "-b:a", "160k", "-map_metadata", "-1", "-map_chapters", "-1", "-metadata", `date=${startedAt}`],
  ...["-movflags", "+faststart", "-f", "mp4", "-y", `file:${part}`],
  // One line per frame to a pipe: if the launcher was killed, nobody reads it, and ffmpeg ends.
  ...["-t", seconds.toFixed(3), "-map", "0:v:0", "-c:v", "copy", "-flush_packets", "1", "-f", "framecrc", "pipe:1"],
];

/** Throws FfmpegFailed. */
export async function encodeRange(ffmpeg: EncodingFfmpeg, options: EncodeOptions, signal: AbortSignal): Promise<void> {
  await runFfmpeg(ffmpeg, encodeArguments(ffmpeg, options), {
    outBytesMax,
    onOutput: () => undefined,
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
async function makeTrim(deps: MakeTrimDeps, plan: ClipPlan, source: StoredClip): Promise<VerifiedFile> {
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
  await encodeRange(ffmpeg, encodeOptions(source, plan, part), signal);
  onStage("verifying");
  const file = await files.saveVideo(plan.id, part, undefined, namePartsForTrim(plan));
  if (Math.abs(file.durationMs - wantedMs) <= durationOffMaxMs) return { ...file, notes: [encodedNote, ...file.notes] };
  await files.discard(files.absolutePath(file.file));
  throw new VerifyFailed(
    message("file.wrong_length", { seconds: formatSeconds(file.durationMs), wanted: formatSeconds(wantedMs) }),
  );
}

type TrimRange = { readonly fromSeconds: number; readonly toSeconds: number; readonly title?: string };

const shortestSeconds = 0.5;
/** Tolerance, because the dashboard rounds lengths. */
const roundedSeconds = 0.05;

/** Throws KitError payload_invalid with the reason if the clip cannot be trimmed. */
function checkSource({ kind, state, deletedAt, missing }: Clip): void {
  if (kind === "screenshot") throw payloadInvalid(message("trim.of_screenshot"));
  if (kind === "marker") throw payloadInvalid(message("trim.of_marker"));
  if (state === "pending") throw payloadInvalid(message("trim.of_unfinished"));
  if (state !== "saved") throw payloadInvalid(message("trim.of_unsaved"));
  if (deletedAt !== null) throw payloadInvalid(message("trim.of_trash"));
  if (missing) throw payloadInvalid(message("clip.file_gone"));
}

function checkRange({ fromSeconds, toSeconds }: TrimRange, duration: number): void {
  const length = `${duration.toFixed(2)} s`;
  if (toSeconds > duration + roundedSeconds) {
    throw payloadInvalid(
      message("trim.ends_after_clip", { length }),
      fieldError("/toSeconds", message("field.expected_at_most_length", { seconds: duration.toFixed(2) })),
    );
  }
  if (Math.min(toSeconds, duration) - fromSeconds < shortestSeconds) {
    throw payloadInvalid(
      message("trim.too_short", { seconds: shortestSeconds, length }),
      fieldError(
        "/toSeconds",
        message("field.expected_after_start", {
          end: (fromSeconds + shortestSeconds).toFixed(2),
          seconds: shortestSeconds,
        }),
      ),
    );
  }
}

/** Plans with whole milliseconds, so that another try after a crash makes the same clip. Throws KitError payload_invalid. */
export function planTrim({ clip, fromMs, moments }: StoredClip, wanted: TrimRange, id: string): ClipPlan {
  checkSource(clip);
  checkRange(wanted, clip.duration);
  const range = {
    fromMs: Math.round(fromMs + wanted.fromSeconds * 1_000),
    toMs: Math.round(fromMs + Math.min(wanted.toSeconds, clip.duration) * 1_000),
  };
  const inRange = moments.flatMap((moment): Moment[] => {
    const shownMs = fromMs + offsetInFile(moment, fromMs);
    if (shownMs < range.fromMs || shownMs > range.toMs) return [];
    return [moment.offsetMs === undefined ? moment : { ...moment, offsetMs: shownMs - range.fromMs }];
  });
  const { game } = clip;
  const priority = bestMoment(inRange)?.priority ?? clip.priority;
  const title = wanted.title === undefined ? titleOfClip(clip) : { title: wanted.title };
  return { id, kind: "clip", game, ...title, ...range, moments: inRange, priority, notes: [] };
}

type TrimmerDeps = {
  readonly store: Pick<ClipStore, "find" | "pending">;
  readonly files: Pick<ClipFiles, "partPath" | "absolutePath" | "saveVideo" | "discard">;
  readonly library: Pick<ClipLibrary, "get" | "prepareCut" | "enforceLimits" | "planCleanup">;
  readonly pictures: Pick<ClipPictures, "requestPoster" | "requestPreview">;
  readonly ffmpeg: () => Promise<EncodingFfmpeg | undefined>;
  /** Tries to write only once. Rejects if that fails. */
  readonly writeOnce: (...statements: Statement[]) => Promise<void>;
  /** Resolves when the statements are durable. Retries for as long as the launcher runs. */
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly quotaBytes: () => number;
  /** Returns true while a moment may still join the clip, so that its file would be replaced. */
  readonly isGrowing: (id: string) => boolean;
  readonly onChanged: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

export type Trimmer = ReturnType<typeof createTrimmer>;

const waitingMax = 20;
const stopWithinMs = 2_000;

const failureOf = (error: unknown) => message("clip.not_trimmed", { why: reasonOf(error) });

export function createTrimmer(deps: TrimmerDeps) {
  const { store, files, library, pictures, write, onChanged, onFailure } = deps;
  const queue = createBoundedQueue({ concurrency: 1, waitingMax: Number.POSITIVE_INFINITY });
  const stages = new Map<string, NonNullable<Clip["stage"]>>();
  const running = new Set<Promise<void>>();
  const stopped = new AbortController();

  const findSource = async (id: string): Promise<StoredClip> => {
    // `get` also looks for the file.
    const clip = await library.get(id);
    const stored = await store.find(id);
    if (stored === undefined) throw new KitError("not_found", message("clip.unknown"));
    return { ...stored, clip };
  };
  /** Throws KitError if the quota has no room for the trim, even if all clips were deleted that are not pinned. */
  const checkQuota = async ({ clip }: StoredClip, { fromMs, toMs }: ClipPlan): Promise<void> => {
    const bytes = Math.ceil((clip.bytes * (toMs - fromMs)) / (clip.duration * 1_000));
    const { fits } = await library.planCleanup({ quotaBytes: Math.max(0, deps.quotaBytes() - bytes) });
    if (fits) return;
    throw payloadInvalid(message("quota.full_of_pinned"));
  };
  const saveTrim = async (plan: ClipPlan, file: VerifiedFile, source: StoredClip) => {
    await write(markClipSaved(plan.id, { ...file, fromMs: plan.fromMs, backend: source.clip.backend }));
    onChanged();
    pictures.requestPoster(plan.id);
    pictures.requestPreview(plan.id);
    // Part of the job, so that the launcher does not end during the cleanup.
    await library.enforceLimits().catch((error) => onFailure("clips", error));
  };
  const runTrim = async (plan: ClipPlan, source: StoredClip): Promise<void> => {
    const onStage = (stage: NonNullable<Clip["stage"]>) => {
      stages.set(plan.id, stage);
      onChanged();
    };
    const { signal } = stopped;
    try {
      signal.throwIfAborted();
      const file = await makeTrim({ ...deps, onStage, signal }, plan, source);
      // Once the launcher stops, nothing is written. The next start finds the file.
      if (!signal.aborted) await saveTrim(plan, file, source);
    } catch (error) {
      if (!signal.aborted) await write(...markClipFailed(plan.id, failureOf(error)));
    } finally {
      stages.delete(plan.id);
      onChanged();
    }
  };
  const startTrim = (plan: ClipPlan, source: StoredClip): void => {
    stages.set(plan.id, "waiting");
    const job = queue.add(() => runTrim(plan, source)).catch((error) => onFailure("clip", error));
    running.add(job);
    void job.finally(() => running.delete(job));
  };
  const resumeTrim = async ({ plan, trimmedFrom }: PendingClip): Promise<void> => {
    const source = trimmedFrom === null ? undefined : await store.find(trimmedFrom);
    if (source !== undefined && source.clip.path !== null && source.clip.state === "saved")
      return startTrim(plan, source);
    await write(...markClipFailed(plan.id, message("trim.original_gone")));
    onChanged();
  };

  return {
    stageById: (id: string): Clip["stage"] => stages.get(id),
    /** Starts a trim. Resolves when it is planned durably. Rejects with KitError. */
    async trim(id: string, wanted: TrimRange): Promise<Clip> {
      const source = await findSource(id);
      const plan = planTrim(source, wanted, randomUUIDv7());
      if (deps.isGrowing(id)) {
        throw payloadInvalid(message("trim.clip_may_grow"));
      }
      if (running.size >= waitingMax) {
        throw new KitError("too_many_requests", message("trim.too_many", { limit: waitingMax }));
      }
      await checkQuota(source, plan);
      await deps.writeOnce(...insertTrim(plan, source.clip));
      startTrim(plan, source);
      onChanged();
      return library.get(plan.id);
    },
    /** Starts the trims again that the previous run left unfinished. */
    async resume(): Promise<void> {
      const unfinished = (await store.pending()).filter(
        ({ trimmedFrom, plan }) => trimmedFrom !== null && !stages.has(plan.id),
      );
      for (const pending of unfinished) await resumeTrim(pending);
    },
    /** Waits up to two seconds for running trims. The next start makes the rest. */
    async stop(): Promise<void> {
      stopped.abort(new Error("the launcher ends"));
      const timeout = new AbortController();
      const patience = pause(stopWithinMs, undefined, { signal: timeout.signal }).catch(() => undefined);
      await Promise.race([Promise.allSettled(running), patience]);
      timeout.abort();
      for (const id of stages.keys()) await files.discard(files.partPath(id)).catch(() => undefined);
    },
  };
}
