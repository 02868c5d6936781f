// Trims clips: plans a shorter clip from a range of a clip, makes its file, one at a time, and resumes unfinished trims after a crash.
import { randomUUIDv7 } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Clip, KitError, payloadInvalid } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import type { ClipFiles, VerifiedFile } from "../clips/clip-files.ts";
import type { PendingClip, StoredClip } from "../clips/clip-row.ts";
import { type ClipStore, insertTrim, markClipFailed, markClipSaved } from "../clips/clip-store.ts";
import type { Library } from "../clips/library.ts";
import type { Encoder } from "../exports/encode.ts";
import { createCutQueue } from "../jobs/bounded-queue.ts";
import type { ClipPictures } from "../jobs/pictures.ts";
import type { ClipPlan, Moment } from "../plans/plan.ts";
import { makeTrim } from "./make-trim.ts";

type TrimRange = { readonly fromSeconds: number; readonly toSeconds: number; readonly title?: string };

const shortestSeconds = 0.5;
/** Tolerance for lengths that the dashboard rounds. */
const roundedSeconds = 0.05;

/** Throws KitError payload_invalid with the reason. */
function checkSource({ kind, state, deletedAt, missing }: Clip): void {
  if (kind === "screenshot") throw payloadInvalid("A screenshot is a single image and cannot be trimmed.");
  if (kind === "marker") throw payloadInvalid("A marker has no footage to trim.");
  if (state === "pending") throw payloadInvalid("The clip is not finished yet. Trim it once it is saved.");
  if (state !== "saved") throw payloadInvalid("The clip was never saved, so there is nothing to trim.");
  if (deletedAt !== null) throw payloadInvalid("The clip is in the trash. Restore it before you trim it.");
  if (missing) throw payloadInvalid("The clip's file is no longer in the clips folder.");
}

function checkRange({ fromSeconds, toSeconds }: TrimRange, duration: number): void {
  const length = `${duration.toFixed(2)} s`;
  if (toSeconds > duration + roundedSeconds) {
    throw payloadInvalid(`The range ends after the clip, which is ${length} long.`, {
      path: "/toSeconds",
      message: `expected at most ${duration.toFixed(2)}, the clip's length`,
    });
  }
  if (Math.min(toSeconds, duration) - fromSeconds < shortestSeconds) {
    throw payloadInvalid(`A trimmed clip must be at least ${shortestSeconds} s long; this clip is ${length} long.`, {
      path: "/toSeconds",
      message: `expected at least ${(fromSeconds + shortestSeconds).toFixed(2)}, ${shortestSeconds} s after fromSeconds`,
    });
  }
}

/** Uses whole milliseconds, so that a retry after a crash makes the same clip. Throws KitError payload_invalid. */
function planTrim({ clip, fromMs, moments }: StoredClip, wanted: TrimRange, id: string): ClipPlan {
  checkSource(clip);
  checkRange(wanted, clip.duration);
  const range = {
    fromMs: Math.round(fromMs + wanted.fromSeconds * 1_000),
    toMs: Math.round(fromMs + Math.min(wanted.toSeconds, clip.duration) * 1_000),
  };
  const isInRange = ({ atMs }: Moment) => range.fromMs <= atMs && atMs <= range.toMs;
  const { game, priority } = clip;
  const title = wanted.title ?? clip.title;
  return { id, kind: "clip", game, title, ...range, moments: moments.filter(isInRange), priority, notes: [] };
}

export type TrimDeps = {
  readonly store: Pick<ClipStore, "find" | "pending">;
  readonly files: Pick<ClipFiles, "partPath" | "absolutePath" | "saveVideo" | "discard">;
  readonly library: Pick<Library, "get" | "prepareCut" | "enforceLimits" | "planCleanup">;
  readonly pictures: Pick<ClipPictures, "requestPoster" | "requestPreview">;
  readonly ffmpeg: () => Promise<Encoder | undefined>;
  /** Writes without a retry. Rejects if the storage fails. */
  readonly writeOnce: (...statements: Statement[]) => Promise<void>;
  /** Resolves when the statements are durable. Retries for as long as the launcher runs. */
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly quotaBytes: () => number;
  /** True while a moment may still join the clip, which would replace its file. */
  readonly isGrowing: (id: string) => boolean;
  readonly onChanged: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

export type Trim = ReturnType<typeof createTrim>;

const waitingMax = 20;
const stopWithinMs = 2_000;

const reasonOf = (error: unknown) =>
  `it could not be trimmed: ${error instanceof Error ? error.message : String(error)}`;

export function createTrim(deps: TrimDeps) {
  const { store, files, library, pictures, write, onChanged, onFailure } = deps;
  const queue = createCutQueue({ concurrency: 1, waitingMax: Number.POSITIVE_INFINITY });
  const stages = new Map<string, NonNullable<Clip["stage"]>>();
  const running = new Set<Promise<void>>();
  const stopped = new AbortController();

  const findSource = async (id: string): Promise<StoredClip> => {
    // Also checks the file.
    const clip = await library.get(id);
    const stored = await store.find(id);
    if (stored === undefined) throw new KitError("not_found", "There is no such clip.");
    return { ...stored, clip };
  };
  /** Throws KitError if even the removal of all unpinned clips would not make room for the trim. */
  const checkQuota = async ({ clip }: StoredClip, { fromMs, toMs }: ClipPlan): Promise<void> => {
    const bytes = Math.ceil((clip.bytes * (toMs - fromMs)) / (clip.duration * 1_000));
    const { fits } = await library.planCleanup(Math.max(0, deps.quotaBytes() - bytes));
    if (fits) return;
    throw payloadInvalid("Pinned clips use the whole quota. Unpin some, or increase the quota.");
  };
  const saveTrim = async (plan: ClipPlan, file: VerifiedFile, source: StoredClip) => {
    await write(markClipSaved(plan.id, { ...file, fromMs: plan.fromMs, backend: source.clip.backend }));
    onChanged();
    const atMs = plan.moments[0]?.atMs ?? plan.fromMs + file.durationMs / 2;
    const offsetMs = Math.max(0, Math.min(atMs - plan.fromMs, file.durationMs - 100));
    const pictured = { id: plan.id, file: file.file, offsetMs };
    pictures.requestPoster(pictured);
    pictures.requestPreview(pictured);
    library.enforceLimits().catch((error) => onFailure("clips", error));
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
      // After the stop nothing is written: the next start finds the file.
      if (!signal.aborted) await saveTrim(plan, file, source);
    } catch (error) {
      if (!signal.aborted) await write(...markClipFailed(plan.id, reasonOf(error)));
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
    await write(
      ...markClipFailed(plan.id, "the launcher ended before it was trimmed, and the original clip no longer exists"),
    );
    onChanged();
  };

  return {
    stageById: (id: string): Clip["stage"] => stages.get(id),
    /** Resolves when the trim is planned durably. Throws KitError. */
    async trim(id: string, wanted: TrimRange): Promise<Clip> {
      const source = await findSource(id);
      const plan = planTrim(source, wanted, randomUUIDv7());
      if (deps.isGrowing(id)) {
        throw payloadInvalid("The clip may still grow for a few seconds. Trim it in ten seconds.");
      }
      if (running.size >= waitingMax) {
        throw new KitError("too_many_requests", `${waitingMax} trims are already waiting. Try again later.`);
      }
      await checkQuota(source, plan);
      await deps.writeOnce(...insertTrim(plan, source.clip));
      startTrim(plan, source);
      onChanged();
      return library.get(plan.id);
    },
    /** Starts the unfinished trims of the previous run. */
    async resume(): Promise<void> {
      const unfinished = (await store.pending()).filter(
        ({ trimmedFrom, plan }) => trimmedFrom !== null && !stages.has(plan.id),
      );
      for (const pending of unfinished) await resumeTrim(pending);
    },
    /** Waits up to two seconds. Unfinished trims are resumed at the next start. */
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
