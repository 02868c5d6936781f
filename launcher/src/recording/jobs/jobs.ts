// Runs clip jobs: cuts a clip when its post-roll is over, cuts it again if it has grown, and stores what came of it.

import { setTimeout as pause } from "node:timers/promises";
import { type Clip, type Message, MessageError, type RecorderState, textOf } from "@kit/contract";
import { message, reasonOf, toMessage } from "@kit/contract/messages";
import { log } from "../../log.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Recorder } from "../capture/recorder.ts";
import type { ClipFiles } from "../clips/clip-files.ts";
import {
  type ClipStore,
  describeClip,
  dropMoments,
  extendClip,
  insertMarker,
  insertSplitClip,
  markClipFailed,
  markClipSaved,
} from "../clips/clip-store.ts";
import type { ClipLibrary } from "../clips/library.ts";
import { missedReason } from "../plans/notes.ts";
import {
  bestMoment,
  type ClipPlan,
  type Moment,
  markerOf,
  NoFootage,
  type PlanParts,
  splitByFormat,
  splitPlanAt,
  withMoments,
} from "../plans/plan.ts";
import type { ClipSchedule } from "../plans/schedule.ts";
import type { BoundedQueue } from "./bounded-queue.ts";
import {
  type CutDeps,
  type CutResult,
  cutClip,
  EarlierFootageLost,
  MomentsMissed,
  rehearsalLeadMs,
  rehearseCut,
} from "./cut.ts";
import {
  type ClipJob,
  ClipReceipts,
  createClipJob,
  hasNewMoments,
  type MomentOutcome,
  missedMoments,
  momentsWithoutOutcome,
  type ReceiptStatements,
  shownBy,
  waitUntilWritten,
} from "./job.ts";
import type { ClipPictures } from "./pictures.ts";

export type ClipJobsDeps = CutDeps & {
  readonly recorder: Pick<Recorder, "cut" | "state" | "hold" | "release">;
  readonly schedule: Pick<ClipSchedule, "forget" | "split" | "replacePlan">;
  readonly library: Pick<ClipLibrary, "prepareCut" | "enforceLimits">;
  readonly files: CutDeps["files"] & Pick<ClipFiles, "verify" | "absolutePath">;
  readonly find: ClipStore["find"];
  readonly queue: BoundedQueue;
  readonly pictures: ClipPictures;
  /** Resolves when the statements are durable. Retries for as long as the launcher runs. */
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly receiptStatements: ReceiptStatements;
  readonly onChanged: () => void;
  /** Called once for each clip, when its first cut is saved. */
  readonly onSaved?: (plan: ClipPlan) => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

/** Returns true if nothing captures and the replay buffer is empty. A moment can then only become a marker. */
export const cannotRecord = ({ state, heldSeconds }: RecorderState): boolean =>
  (state === "off" || state === "broken") && heldSeconds === 0;

function failureReason(error: unknown): Message {
  const why = reasonOf(error);
  if (error instanceof MomentsMissed) return toMessage(error.detail);
  return error instanceof NoFootage ? message("clip.nothing_recorded", { why }) : message("clip.not_saved", { why });
}

export class ClipJobs {
  readonly #deps: ClipJobsDeps;
  /** The jobs by the id of their clip. */
  readonly #jobs = new Map<string, ClipJob>();
  readonly #receipts: ClipReceipts;
  /** Set when the launcher stops. No cut waits for footage after this time. */
  #stopsAtMs: number | undefined;
  /** If true, nothing more is written: the next start recovers the files. */
  #isStopped = false;

  constructor(deps: ClipJobsDeps) {
    this.#deps = deps;
    this.#receipts = new ClipReceipts(deps.receiptStatements);
  }

  /** Adds or updates the job of a plan, and holds its footage. Final receipts of `moments` wait for `confirmWritten`. */
  addPlan(plan: ClipPlan, moments: readonly Moment[]): void {
    const job = this.#jobs.get(plan.id) ?? createClipJob(plan);
    // A write that is tried again may bring an older plan, because the schedule forgets moments after a while.
    if (plan.moments.length >= job.plan.moments.length) job.plan = plan;
    for (const { event } of moments) job.unwrittenEvents.add(event);
    if (job.runningCut === undefined) job.stage = "waiting";
    this.#jobs.set(plan.id, job);
    this.#deps.recorder.hold(plan.id, job.plan.fromMs);
    this.#scheduleRehearsal(job);
  }

  /** Must be called when the statements of these events are durable. */
  confirmWritten(id: string, events: readonly string[]): void {
    const job = this.#jobs.get(id);
    for (const event of events) job?.unwrittenEvents.delete(event);
    job?.onWritten?.();
  }

  startCut(id: string): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    job.needsCut = true;
    job.runningCut ??= this.#cutUntilCurrent(job);
  }

  /** Takes moments from a clip that was not cut yet. Without any moment left, it is not made. */
  shrinkPlan(plan: ClipPlan): void {
    const job = this.#jobs.get(plan.id);
    if (job === undefined) return;
    job.plan = plan;
    if (plan.moments.length > 0) return;
    clearTimeout(job.rehearsalTimer);
    this.#jobs.delete(plan.id);
    this.#deps.recorder.release(plan.id);
  }

  /** Must be called when no moment can join the clip any more. */
  closeJob(id: string): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    job.isClosed = true;
    this.#finishIfDone(job);
  }

  /** Turns a clip into a marker because no capture is left. Does nothing if it has a file, or is being cut. */
  turnIntoMarker(id: string, reason: Message): void {
    const job = this.#jobs.get(id);
    if (job === undefined || job.file !== null || job.runningCut !== undefined) return;
    job.runningCut = this.#saveMarker(job, job.plan, reason)
      .catch((error) => this.#deps.onFailure("clip", error))
      .then(() => {
        job.runningCut = undefined;
        this.#finishIfDone(job);
      });
  }

  /** Returns the current plan of a clip in progress; undefined if no job works on it. */
  planById(id: string): ClipPlan | undefined {
    return this.#jobs.get(id)?.plan;
  }

  stageById(id: string): Clip["stage"] {
    return this.#jobs.get(id)?.stage;
  }

  /** Returns the outcome of a moment that arrives after its clip was finished. */
  outcomeFor(id: string, moment: Moment): MomentOutcome {
    return this.#receipts.outcomeFor(id, moment);
  }

  /** Returns how far a moment is from the footage of its clip, in milliseconds; 0 if that is no longer known. */
  distanceToFootageMs(id: string, moment: Pick<Moment, "atMs">): number {
    return this.#receipts.distanceMs(id, moment);
  }

  /** Cuts what can be cut within `withinMs`. Clips that are then unfinished stay pending for the next start. */
  async stop(nowMs: number, withinMs: number): Promise<void> {
    this.#stopsAtMs = nowMs;
    for (const job of this.#jobs.values()) {
      if (momentsWithoutOutcome(job, job.plan).length > 0) job.runningCut ??= this.#cutUntilCurrent(job);
    }
    const timeout = new AbortController();
    const patience = pause(withinMs, undefined, { signal: timeout.signal }).catch(() => undefined);
    await Promise.race([this.whenIdle(), patience]);
    timeout.abort();
    this.#isStopped = true;
  }

  /** Resolves when no cut of this clip is running. */
  async whenCut(id: string): Promise<void> {
    await this.#jobs.get(id)?.runningCut;
  }

  /** Resolves when no cut is running. */
  async whenIdle(): Promise<void> {
    for (;;) {
      const running = [...this.#jobs.values()].flatMap((job) => job.runningCut ?? []);
      if (running.length === 0) return;
      await Promise.all(running);
    }
  }

  /** Rehearses only cuts of ffmpeg's footage. For a rehearsal, OBS would have to write its whole replay once more. */
  #scheduleRehearsal(job: ClipJob): void {
    const { plan } = job;
    const waitMs = plan.toMs - rehearsalLeadMs - Date.now();
    clearTimeout(job.rehearsalTimer);
    if (plan.kind !== "clip" || waitMs <= 0) return;
    job.rehearsalTimer = setTimeout(() => {
      if (this.#stopsAtMs !== undefined || this.#deps.recorder.state().backend !== "ffmpeg") return;
      const { pictures } = this.#deps;
      pictures.pausePreviews();
      job.rehearsal = rehearseCut(this.#deps, plan).finally(() => pictures.resumePreviews());
    }, waitMs).unref();
  }

  async #cutUntilCurrent(job: ClipJob): Promise<void> {
    do {
      const { plan } = job;
      job.needsCut = false;
      job.stage = "waiting";
      await this.#cut(job, plan)
        .then((file) => this.#saveCut(job, plan, file))
        .catch((error) => this.#handleFailure(job, plan, error))
        .catch((error) => this.#deps.onFailure("clip", error));
      // While the launcher stops, the schedule no longer says which clips are due.
      job.needsCut ||= this.#stopsAtMs !== undefined && hasNewMoments(job, plan);
    } while (job.needsCut && !this.#isStopped);
    job.runningCut = undefined;
    this.#finishIfDone(job);
  }

  async #cut(job: ClipJob, plan: ClipPlan): Promise<CutResult> {
    const { find, pictures, queue, onChanged } = this.#deps;
    const isDeleted = job.file !== null && (await find(plan.id)) === undefined;
    if (isDeleted) throw new MessageError(message("clip.was_deleted"));
    const options = {
      replaces: job.file?.file ?? null,
      rehearsal: job.rehearsal,
      mustShowMs: plan.moments.filter(({ event }) => job.outcomes.get(event) === "saved").map(({ atMs }) => atMs),
      onStage(stage: ClipJob["stage"]) {
        job.stage = stage;
        onChanged();
      },
      ...(this.#stopsAtMs === undefined ? {} : { latestToMs: this.#stopsAtMs }),
    };
    pictures.pausePreviews();
    try {
      return await queue.add(() => cutClip(this.#deps, plan, options));
    } finally {
      pictures.resumePreviews();
    }
  }

  async #saveCut(job: ClipJob, plan: ClipPlan, file: CutResult): Promise<void> {
    const { write, onChanged, pictures, library, onFailure } = this.#deps;
    await waitUntilWritten(job);
    if (this.#isStopped) return;
    const isFirst = job.file === null;
    job.file = file;
    const split = splitByFormat(job.plan, file);
    const statements = [markClipSaved(plan.id, file), ...this.#receipts.recordSaved(job, split?.first ?? plan, file)];
    if (split === undefined) {
      const cut = this.#moveMissed(job, plan, file);
      await write(...statements, ...cut.statements, ...this.#extension(job, cut.plan));
      onChanged();
    } else {
      job.plan = split.first;
      const cut = this.#moveMissed(job, split.first, file);
      await this.#split(job, { ...split, first: cut.plan }, ...statements, ...cut.statements);
    }
    if (isFirst) this.#deps.onSaved?.(job.plan);
    // Only now, because until the row names the new file, a restart needs the old one.
    if (file.outdated !== null) await this.#deps.files.discard(this.#deps.files.absolutePath(file.outdated));
    pictures.requestPoster(job.plan.id);
    // Not awaited, because no clip needs the result.
    if (this.#stopsAtMs === undefined) library.enforceLimits().catch((error) => onFailure("clips", error));
  }

  /**
   * Takes the moments that a file does not show out of its clip: triggers become a marker, errors have their issues. Returns what
   * is left of the plan that was cut.
   */
  #moveMissed(job: ClipJob, plan: ClipPlan, file: CutResult): { plan: ClipPlan; statements: Statement[] } {
    const missed = missedMoments(plan, file);
    if (missed.length === 0) return { plan, statements: [] };
    const without = (of: ClipPlan) =>
      withMoments(
        of,
        of.moments.filter((moment) => !missed.some(({ event }) => event === moment.event)),
      );
    job.plan = without(job.plan);
    this.#deps.schedule.replacePlan(job.plan);
    const triggers = missed.filter(({ kind }) => kind !== "monitor");
    const best = bestMoment(triggers);
    const marker = markerOf(plan, triggers);
    const marking =
      best === undefined
        ? []
        : [...insertSplitClip(marker), ...insertMarker(marker, missedReason(shownBy(file), best))];
    return { plan: without(plan), statements: [...marking, dropMoments(plan, missed), describeClip(job.plan)] };
  }

  async #handleFailure(job: ClipJob, plan: ClipPlan, error: unknown): Promise<void> {
    const { file } = job;
    const { files, recorder, write, onChanged } = this.#deps;
    const hasFile = file !== null && (await files.verify(file.file).catch(() => undefined)) !== undefined;
    await waitUntilWritten(job);
    if (this.#isStopped) return;
    const state = recorder.state();
    if (file === null && error instanceof NoFootage) {
      const reason = cannotRecord(state) ? toMessage(state.detail) : failureReason(error);
      const parts = error instanceof MomentsMissed ? splitByFormat(job.plan, error.footage) : undefined;
      if (parts === undefined) return this.#saveMarker(job, plan, reason);
      const receipts = this.#receipts.recordMarked(job, parts.first, reason);
      return this.#split(job, parts, ...insertMarker(parts.first, reason), ...receipts);
    }
    const why = message("clip.earlier_footage_lost");
    const notes = {
      first: message("clip.later_moments_separate", { why }),
      rest: message("clip.earlier_moments_separate", { why }),
    };
    const split = hasFile && error instanceof EarlierFootageLost ? splitPlanAt(job.plan, file.toMs, notes) : undefined;
    const reason = split === undefined ? failureReason(error) : notes.first;
    log.notClipped(textOf(reason));
    const receipts = this.#receipts.recordFailed(job, split?.first ?? plan, reason, hasFile);
    const statements = [...markClipFailed(plan.id, reason, hasFile), ...receipts];
    if (split !== undefined) return this.#split(job, split, ...statements);
    if (file === null && !hasNewMoments(job, plan)) this.#forget(job);
    await write(...statements, ...this.#extension(job, plan));
    onChanged();
  }

  async #saveMarker(job: ClipJob, plan: ClipPlan, reason: Message): Promise<void> {
    if (!hasNewMoments(job, plan)) this.#forget(job);
    await waitUntilWritten(job);
    if (this.#isStopped) return;
    const receipts = this.#receipts.recordMarked(job, plan, reason);
    await this.#deps.write(...insertMarker(plan, reason), ...receipts, ...this.#extension(job, plan));
    this.#deps.onChanged();
  }

  /** Closes the job with the first part of its plan, writes `statements` for it, and starts a job for the rest. */
  async #split(job: ClipJob, { first, rest }: PlanParts, ...statements: Statement[]): Promise<void> {
    const { schedule, write, onChanged } = this.#deps;
    const { isClosed } = job;
    schedule.split(first, rest);
    Object.assign(job, { plan: first, isClosed: true, needsCut: false });
    this.addPlan(rest, rest.moments);
    await write(...insertSplitClip(rest), ...statements, describeClip(first));
    onChanged();
    this.confirmWritten(
      rest.id,
      rest.moments.map(({ event }) => event),
    );
    this.startCut(rest.id);
    if (isClosed) this.closeJob(rest.id);
  }

  /** Returns the statements that keep moments in the plan that joined during a cut, however the cut ended. */
  #extension(job: ClipJob, plan: ClipPlan): Statement[] {
    return hasNewMoments(job, plan) ? extendClip(job.plan) : [];
  }

  /** Closes a job that saved nothing, so that no moment joins its clip. */
  #forget(job: ClipJob): void {
    job.isClosed = true;
    this.#deps.schedule.forget(job.plan);
  }

  #finishIfDone(job: ClipJob): void {
    const { recorder, pictures, onChanged } = this.#deps;
    if (!job.isClosed || job.runningCut !== undefined) return;
    clearTimeout(job.rehearsalTimer);
    this.#jobs.delete(job.plan.id);
    recorder.release(job.plan.id);
    if (job.file !== null && job.plan.kind === "clip") pictures.requestPreview(job.plan.id);
    // Posts may be waiting for the file to be final.
    onChanged();
  }
}
