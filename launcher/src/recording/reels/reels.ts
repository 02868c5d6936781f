// Reels: plans them durably, makes them one after another with progress, cancels them, and after a crash makes those that were
// unfinished.

import { randomUUIDv7 } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Clip, KitError, payloadInvalid, type ReelPart } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import { createSerialQueue } from "../../async.ts";
import type { Statement } from "../../storage/sql.ts";
import type { ClipFiles } from "../clips/clip-files.ts";
import type { PendingClip, StoredClip } from "../clips/clip-row.ts";
import {
  type ClipStore,
  deleteClips,
  insertReel,
  markClipFailed,
  markClipSaved,
  placeReelParts,
} from "../clips/clip-store.ts";
import type { ClipLibrary } from "../clips/library.ts";
import { createBoundedQueue } from "../jobs/bounded-queue.ts";
import type { ClipPictures } from "../jobs/pictures.ts";
import type { MadeReel, MakeReelDeps } from "./make-reel.ts";
import {
  chooseBest,
  isSameReel,
  momentsOfParts,
  type PartRequest,
  planReel,
  type ReelPlan,
  type ReelRequest,
} from "./plan-reel.ts";

type ReelsDeps = {
  readonly store: Pick<ClipStore, "find" | "list" | "pending" | "reels">;
  readonly files: MakeReelDeps["files"] & Pick<ClipFiles, "absolutePath">;
  readonly library: Pick<ClipLibrary, "get" | "enforceLimits" | "planCleanup">;
  readonly pictures: Pick<ClipPictures, "requestPoster" | "requestPreview">;
  readonly ffmpeg: MakeReelDeps["ffmpeg"];
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

export type Reels = ReturnType<typeof createReels>;

const waitingMax = 5;
const stopWithinMs = 2_000;
/** How often at most the progress is announced. */
const progressEveryMs = 300;
/** Before this share is done, the time that is left cannot be told. */
const shareMin = 0.02;
const bestOfMax = 200;
const bestCount = 10;

type Work = {
  stage: NonNullable<Clip["stage"]>;
  share: number;
  startedMs: number;
  announcedMs: number;
  /** From then on the reel is a clip like any other, and too late to cancel. */
  isMade: boolean;
  job: Promise<void>;
  readonly cancelled: AbortController;
};

/** Finds the clips of a reel, and checks that there is room for it. */
function createPartFinder(deps: ReelsDeps) {
  const { store, library } = deps;
  const findSource = async (id: string): Promise<StoredClip> => {
    // `get` also looks for the file.
    const clip = await library.get(id);
    const stored = await store.find(id);
    if (stored === undefined) throw new KitError("not_found", message("clip.unknown"));
    if (deps.isGrowing(id)) throw payloadInvalid(message("reel.clip_may_grow", { title: clip.title }));
    return { ...stored, clip };
  };
  const findBest = async ({ count = bestCount, ...filter }: NonNullable<ReelRequest["best"]>) => {
    const wanted = { ...filter, kind: "clip", state: "saved", subject: "highlight", sort: "best" } as const;
    const found = await store.list(wanted, null, bestOfMax);
    return chooseBest(
      found.filter(({ clip }) => !deps.isGrowing(clip.id)),
      count,
    );
  };
  const collect = async ({ parts, best }: ReelRequest): Promise<{ wanted: PartRequest[]; sources: StoredClip[] }> => {
    if ((parts === undefined) === (best === undefined)) throw payloadInvalid(message("reel.parts_or_best"));
    const wanted = parts ?? (await findBest(best as NonNullable<typeof best>)).map(({ clip }) => ({ clip: clip.id }));
    if (wanted.length === 0) throw payloadInvalid(message("reel.no_clips"));
    const sources: StoredClip[] = [];
    for (const { clip } of wanted) sources.push(await findSource(clip));
    return { wanted, sources };
  };
  /** Throws KitError if the quota has no room for the reel, even if all clips were deleted that are not pinned. */
  const checkQuota = async (sources: readonly StoredClip[], parts: readonly ReelPart[]): Promise<void> => {
    const bytes = parts.reduce((sum, { fromSeconds, toSeconds }, i) => {
      const { bytes: all = 0, duration = 1 } = sources[i]?.clip ?? {};
      return sum + (all * (toSeconds - fromSeconds)) / duration;
    }, 0);
    const { fits } = await library.planCleanup({ quotaBytes: Math.max(0, deps.quotaBytes() - Math.ceil(bytes)) });
    if (!fits) throw payloadInvalid(message("quota.full_of_pinned"));
  };
  /** Throws KitError with its title if there is such a reel already. */
  const checkIsNew = async (wanted: readonly ReelPart[]): Promise<void> => {
    const same = (await store.reels()).find(({ parts }) => parts !== undefined && isSameReel(parts, wanted));
    if (same !== undefined) throw payloadInvalid(message("reel.exists", { title: same.title }));
  };
  return { collect, checkQuota, checkIsNew };
}

/** Marks the reel as saved, with the places that its parts and moments have in the file. */
async function saveReel(
  deps: ReelsDeps,
  { plan, parts, backend }: ReelPlan,
  { file, starts }: MadeReel,
  sources: readonly StoredClip[],
): Promise<void> {
  const placed = parts.map((part, i) => ({ ...part, offset: Math.round((starts[i] ?? 0) * 1_000) / 1_000 }));
  const moments = momentsOfParts(sources, placed);
  await deps.write(
    markClipSaved(plan.id, { ...file, fromMs: plan.fromMs, backend }),
    placeReelParts(plan.id, placed, moments),
  );
  deps.pictures.requestPoster(plan.id);
  deps.pictures.requestPreview(plan.id);
  // Part of the job, so that the launcher does not end during the cleanup.
  await deps.library.enforceLimits().catch((error) => deps.onFailure("clips", error));
}

const withFiles = ({ parts }: ReelPlan, sources: readonly StoredClip[]) =>
  parts.map((part, i) => ({
    ...part,
    path: String(sources[i]?.clip.path),
    verifiedBytes: sources[i]?.clip.bytes ?? 0,
  }));

export function createReels(deps: ReelsDeps) {
  const { store, library, write, onChanged, onFailure } = deps;
  const serialize = createSerialQueue();
  const queue = createBoundedQueue({ concurrency: 1, waitingMax: Number.POSITIVE_INFINITY });
  const works = new Map<string, Work>();
  const running = new Set<Promise<void>>();
  const stopped = new AbortController();

  const { collect, checkQuota, checkIsNew } = createPartFinder(deps);
  const announce = (work: Work, share: number): void => {
    work.share = Math.max(work.share, Math.min(1, share));
    const nowMs = performance.now();
    if (nowMs - work.announcedMs < progressEveryMs) return;
    work.announcedMs = nowMs;
    onChanged();
  };
  const runReel = async (reel: ReelPlan, sources: readonly StoredClip[], work: Work): Promise<void> => {
    const { id } = reel.plan;
    const signal = AbortSignal.any([stopped.signal, work.cancelled.signal]);
    const onStage = (stage: NonNullable<Clip["stage"]>) => {
      work.stage = stage;
      onChanged();
    };
    try {
      signal.throwIfAborted();
      work.startedMs = performance.now();
      // Loaded with the first reel, because the MP4 code that it imports takes memory.
      const { makeReelFile } = await import("./make-reel.ts");
      const placed = withFiles(reel, sources);
      const onProgress = (share: number) => announce(work, share);
      const made = await makeReelFile({ ...deps, onStage, onProgress, signal }, reel.plan, placed);
      // Once the launcher stops, nothing is written. The next start finds the file.
      if (work.cancelled.signal.aborted) await deps.files.discard(deps.files.absolutePath(made.file.file));
      signal.throwIfAborted();
      work.isMade = true;
      await saveReel(deps, reel, made, sources);
    } catch (error) {
      if (work.cancelled.signal.aborted) await write(deleteClips([id]));
      else if (!stopped.signal.aborted)
        await write(...markClipFailed(id, message("reel.failed", { why: reasonOf(error) })));
    } finally {
      works.delete(id);
      onChanged();
    }
  };
  const startReel = (reel: ReelPlan, sources: readonly StoredClip[]): void => {
    const work: Work = {
      stage: "waiting",
      share: 0,
      startedMs: 0,
      announcedMs: 0,
      isMade: false,
      job: Promise.resolve(),
      cancelled: new AbortController(),
    };
    works.set(reel.plan.id, work);
    const job = queue.add(() => runReel(reel, sources, work)).catch((error) => onFailure("clip", error));
    work.job = job;
    running.add(job);
    void job.finally(() => running.delete(job));
  };
  const resumeReel = async (plan: PendingClip["plan"], parts: readonly ReelPart[]): Promise<void> => {
    const found = await Promise.all(parts.map(({ clip }) => store.find(clip)));
    const sources = found.filter((one) => one?.clip.state === "saved" && one.clip.path !== null) as StoredClip[];
    if (sources.length === parts.length) {
      const { clip } = sources[0] as StoredClip;
      return startReel({ plan, parts, backend: clip.backend }, sources);
    }
    await write(...markClipFailed(plan.id, message("reel.clips_gone")));
    onChanged();
  };

  const make = async (request: ReelRequest): Promise<Clip> => {
    if (running.size >= waitingMax)
      throw new KitError("too_many_requests", message("reel.too_many", { limit: waitingMax }));
    const { wanted, sources } = await collect(request);
    const reel = planReel(sources, wanted, request, randomUUIDv7());
    await checkIsNew(reel.parts);
    await checkQuota(sources, reel.parts);
    await deps.writeOnce(insertReel(reel.plan, reel.parts, reel.backend));
    startReel(reel, sources);
    onChanged();
    return library.get(reel.plan.id);
  };

  return {
    stageById: (id: string): Clip["stage"] => works.get(id)?.stage,
    progressById(id: string): Clip["progress"] {
      const work = works.get(id);
      if (work === undefined) return undefined;
      const { share, startedMs } = work;
      const elapsed = (performance.now() - startedMs) / 1_000;
      const secondsLeft = share < shareMin ? null : Math.ceil((elapsed * (1 - share)) / share);
      return { share, secondsLeft };
    },
    /** Starts a reel, one request after another. Resolves when it is planned durably. Rejects with KitError. */
    make: (request: ReelRequest): Promise<Clip> => serialize(() => make(request)),
    /** Resolves when the reel and its partial files are gone. Throws KitError not_found if it is not being made. */
    async cancel(id: string): Promise<void> {
      const work = works.get(id);
      if (work === undefined || work.isMade) throw new KitError("not_found", message("reel.not_in_progress"));
      work.cancelled.abort(new Error("a person cancelled the reel"));
      await work.job;
    },
    /** Starts the reels again that the previous run left unfinished. */
    async resume(): Promise<void> {
      for (const { plan, parts } of await store.pending()) {
        if (parts !== null && !works.has(plan.id)) await resumeReel(plan, parts);
      }
    },
    /** Waits up to two seconds for running reels. The next start makes the rest. */
    async stop(): Promise<void> {
      stopped.abort(new Error("the launcher ends"));
      const timeout = new AbortController();
      const patience = pause(stopWithinMs, undefined, { signal: timeout.signal }).catch(() => undefined);
      await Promise.race([Promise.allSettled(running), patience]);
      timeout.abort();
    },
  };
}
