// A part of a clip becomes a clip of its own: promised, cut one at a time, checked like any other, and begun again after a crash.
import { randomUUIDv7 } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Clip, type FieldError, KitError } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import type { Pictures } from "../clip-jobs/pictures.ts";
import type { ClipFileInfo, ClipFiles } from "../clips/clip-files.ts";
import type { PendingClip, StoredClip } from "../clips/clip-row.ts";
import { type ClipStore, failed, saved } from "../clips/clip-store.ts";
import type { Library } from "../clips/library.ts";
import { createCutQueue } from "../cut-queue.ts";
import type { Encoder } from "../fit/encode.ts";
import type { Moment, Plan } from "../plan.ts";
import { makePart } from "./make-part.ts";
import { promisedPart } from "./trim-store.ts";

// Which part of a clip is asked for, and whether it can be had. Pure.

type Wanted = { readonly fromSeconds: number; readonly toSeconds: number; readonly title?: string };

const shortestSeconds = 0.5;
/** What a page shows of a length is rounded. */
const roundedSeconds = 0.05;

const refuse = (sentence: string, ...errors: FieldError[]) => new KitError("payload_invalid", sentence, errors);

/** Throws KitError payload_invalid, which says what there is instead. */
function checkWhole({ kind, state, deletedAt, missing }: Clip): void {
  if (kind === "screenshot") throw refuse("A screenshot is one picture: nothing of it can be trimmed.");
  if (kind === "marker") throw refuse("A marker holds no footage: there is nothing to trim.");
  if (state === "pending") throw refuse("The clip is still being made. Trim it once it is there.");
  if (state !== "saved") throw refuse("The clip was never saved: there is nothing to trim.");
  if (deletedAt !== null) throw refuse("The clip lies in the bin. Restore it, then trim it.");
  if (missing) throw refuse("The clip's file is not in the clips folder any more.");
}

function checkWindow({ fromSeconds, toSeconds }: Wanted, duration: number): void {
  const length = `${duration.toFixed(2)} s`;
  if (toSeconds > duration + roundedSeconds) {
    throw refuse(`The part ends behind the clip, which is ${length} long.`, {
      path: "/toSeconds",
      message: `expected at most ${duration.toFixed(2)}, the clip's length`,
    });
  }
  if (Math.min(toSeconds, duration) - fromSeconds < shortestSeconds) {
    throw refuse(`A part is at least ${shortestSeconds} s long; the clip is ${length} long.`, {
      path: "/toSeconds",
      message: `expected at least ${(fromSeconds + shortestSeconds).toFixed(2)}, ${shortestSeconds} s behind fromSeconds`,
    });
  }
}

/** Times in whole milliseconds: whoever begins again after a crash cuts the same. Throws KitError payload_invalid. */
function partPlanOf({ clip, fromMs, moments }: StoredClip, wanted: Wanted, id: string): Plan {
  checkWhole(clip);
  checkWindow(wanted, clip.duration);
  const part = {
    fromMs: Math.round(fromMs + wanted.fromSeconds * 1_000),
    toMs: Math.round(fromMs + Math.min(wanted.toSeconds, clip.duration) * 1_000),
  };
  const isIn = ({ atMs }: Moment) => part.fromMs <= atMs && atMs <= part.toMs;
  const { game, priority } = clip;
  const title = wanted.title ?? clip.title;
  return { id, kind: "clip", game, title, ...part, moments: moments.filter(isIn), priority, notes: [] };
}

export type TrimNeeds = {
  readonly store: Pick<ClipStore, "find" | "pending">;
  readonly files: Pick<ClipFiles, "partOf" | "pathOf" | "keep" | "discard">;
  readonly library: Pick<Library, "get" | "prepareCut" | "tidy" | "cleanup">;
  readonly pictures: Pick<Pictures, "poster" | "preview">;
  readonly ffmpeg: () => Promise<Encoder | undefined>;
  /** Throws when it cannot be promised now. */
  readonly promise: (...statements: Statement[]) => Promise<void>;
  /** Durable when it resolves; tries again for as long as the launcher runs. */
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly quotaBytes: () => number;
  /** A moment may join that clip still: its file would be another one a second later. */
  readonly isGrowing: (id: string) => boolean;
  readonly onChanged: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

export type Trim = ReturnType<typeof createTrim>;

const waitingMax = 20;
const stopWithinMs = 2_000;

const reasonOf = (error: unknown) =>
  `it could not be trimmed: ${error instanceof Error ? error.message : String(error)}`;

export function createTrim(needs: TrimNeeds) {
  const { store, files, library, pictures, write, onChanged, onFailure } = needs;
  const queue = createCutQueue({ concurrency: 1, waitingMax: Number.POSITIVE_INFINITY });
  const stages = new Map<string, NonNullable<Clip["stage"]>>();
  const running = new Set<Promise<void>>();
  const ended = new AbortController();

  const wholeOf = async (id: string): Promise<StoredClip> => {
    // Looks for the file, too.
    const clip = await library.get(id);
    const kept = await store.find(id);
    if (kept === undefined) throw new KitError("not_found", "There is no such clip.");
    return { ...kept, clip };
  };
  /** What may go makes room once it is there; what is pinned never goes. */
  const makeSureOfQuota = async ({ clip }: StoredClip, { fromMs, toMs }: Plan): Promise<void> => {
    const bytes = Math.ceil((clip.bytes * (toMs - fromMs)) / (clip.duration * 1_000));
    const { fits } = await library.cleanup(Math.max(0, needs.quotaBytes() - bytes));
    if (fits) return;
    throw new KitError(
      "payload_invalid",
      "Pinned clips hold all the room that clips may have. Unpin some, or give clips more room.",
    );
  };
  const keep = async (plan: Plan, kept: ClipFileInfo & { readonly notes: readonly string[] }, whole: StoredClip) => {
    await write(saved(plan.id, { ...kept, fromMs: plan.fromMs, backend: whole.clip.backend }));
    onChanged();
    const atMs = plan.moments[0]?.atMs ?? plan.fromMs + kept.durationMs / 2;
    const offsetMs = Math.max(0, Math.min(atMs - plan.fromMs, kept.durationMs - 100));
    const pictured = { id: plan.id, file: kept.file, offsetMs };
    pictures.poster(pictured);
    pictures.preview(pictured);
    library.tidy().catch((error) => onFailure("clips", error));
  };
  const make = async (plan: Plan, whole: StoredClip): Promise<void> => {
    const onStage = (stage: NonNullable<Clip["stage"]>) => {
      stages.set(plan.id, stage);
      onChanged();
    };
    const { signal } = ended;
    try {
      signal.throwIfAborted();
      const kept = await makePart({ ...needs, onStage, signal }, plan, whole);
      // From here on nothing is said any more: the next start finds the file, and says it.
      if (!signal.aborted) await keep(plan, kept, whole);
    } catch (error) {
      if (!signal.aborted) await write(...failed(plan.id, reasonOf(error)));
    } finally {
      stages.delete(plan.id);
      onChanged();
    }
  };
  const begin = (plan: Plan, whole: StoredClip): void => {
    stages.set(plan.id, "waiting");
    const making = queue.add(() => make(plan, whole)).catch((error) => onFailure("clip", error));
    running.add(making);
    void making.finally(() => running.delete(making));
  };
  const beginAgain = async ({ plan, trimmedFrom }: PendingClip): Promise<void> => {
    const whole = trimmedFrom === null ? undefined : await store.find(trimmedFrom);
    if (whole !== undefined && whole.clip.path !== null && whole.clip.state === "saved") return begin(plan, whole);
    await write(...failed(plan.id, "the launcher was ended before it was trimmed, and the whole clip is gone now"));
    onChanged();
  };

  return {
    stageOf: (id: string): Clip["stage"] => stages.get(id),
    /** Resolves when it is promised. Throws KitError. */
    async trim(id: string, wanted: Wanted): Promise<Clip> {
      const whole = await wholeOf(id);
      const plan = partPlanOf(whole, wanted, randomUUIDv7());
      if (needs.isGrowing(id)) {
        throw new KitError("payload_invalid", "The clip may grow for some seconds still. Trim it in ten seconds.");
      }
      if (running.size >= waitingMax) {
        throw new KitError("too_many_requests", `${waitingMax} parts wait for their turn already. Try again later.`);
      }
      await makeSureOfQuota(whole, plan);
      await needs.promise(...promisedPart(plan, whole.clip));
      begin(plan, whole);
      onChanged();
      return library.get(plan.id);
    },
    /** At the start: what an earlier run promised and did not finish is made now. */
    async resume(): Promise<void> {
      const left = (await store.pending()).filter(
        ({ trimmedFrom, plan }) => trimmedFrom !== null && !stages.has(plan.id),
      );
      for (const pending of left) await beginAgain(pending);
    },
    /** What is not ready by then is made at the next start. */
    async stop(): Promise<void> {
      ended.abort(new Error("the launcher ends"));
      const late = new AbortController();
      const patience = pause(stopWithinMs, undefined, { signal: late.signal }).catch(() => undefined);
      await Promise.race([Promise.allSettled(running), patience]);
      late.abort();
      for (const id of stages.keys()) await files.discard(files.partOf(id)).catch(() => undefined);
    },
  };
}
