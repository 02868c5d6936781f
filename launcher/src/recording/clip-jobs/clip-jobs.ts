// The life of a plan: promised, cut when its seconds are over, cut anew when it grew, and said to be saved or not.
import { setTimeout as pause } from "node:timers/promises";
import type { Clip, RecorderState } from "@kit/contract";
import { log } from "../../log.ts";
import type { Statement } from "../../storage/sql.ts";
import { NoFootage } from "../capture/backend.ts";
import type { Recorder } from "../capture/recorder.ts";
import type { ClipFiles } from "../clips/clip-files.ts";
import type { ClipStore } from "../clips/clip-store.ts";
import { extended, failed, marked, movedTo, saved } from "../clips/clip-store.ts";
import type { Library } from "../clips/library.ts";
import type { CutQueue } from "../cut-queue.ts";
import type { Windows } from "../moments/windows.ts";
import type { Moment, Plan } from "../plan.ts";
import { allWritten, hasGrown, type Job, newJob, untold } from "./clip-job.ts";
import { type CutNeeds, EarlierLost, type Made, makeFile } from "./cut.ts";
import type { Pictures } from "./pictures.ts";
import { createTelling, type Reached } from "./receipts.ts";
import { type Split, splitAt, splitByFormat } from "./split.ts";

export type ClipJobsNeeds = CutNeeds & {
  readonly recorder: Pick<Recorder, "cut" | "state" | "hold" | "release">;
  readonly windows: Pick<Windows, "forget" | "split">;
  readonly library: Pick<Library, "prepareCut" | "tidy">;
  readonly files: CutNeeds["files"] & Pick<ClipFiles, "checked">;
  readonly find: ClipStore["find"];
  readonly queue: CutQueue;
  readonly pictures: Pictures;
  /** Durable when it resolves; tries again for as long as the launcher runs. */
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly reached: Reached;
  readonly onChanged: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

export type ClipJobs = ReturnType<typeof createClipJobs>;

/** Nobody captures, and nothing of before is left: what happens now can only be marked. */
export const nobodyRecords = ({ state, heldSeconds }: RecorderState): boolean =>
  (state === "off" || state === "broken") && heldSeconds === 0;

const reasonOf = (error: unknown) => {
  const said = error instanceof Error ? error.message : String(error);
  return error instanceof NoFootage ? `nothing was recorded at that time: ${said}` : `it could not be saved: ${said}`;
};

const pictureOf = ({ plan, file }: Job) => {
  const wantedMs = (plan.moments[0]?.atMs ?? plan.fromMs) - (file?.fromMs ?? 0);
  const offsetMs = Math.max(0, Math.min(wantedMs, (file?.durationMs ?? 0) - 100));
  return { id: plan.id, file: file?.file ?? "", offsetMs };
};

export function createClipJobs(needs: ClipJobsNeeds) {
  const { recorder, windows, library, queue, pictures, write, onChanged, onFailure } = needs;
  const jobs = new Map<string, Job>();
  const telling = createTelling(needs.reached);
  let endsAtMs: number | undefined;
  /** From then on nothing is said any more: the next start finds what was made, and says it. */
  let isOver = false;

  /** What joined while it was cut stays promised, whatever became of that cut. */
  const stillPromised = (job: Job, plan: Plan) => (hasGrown(job, plan) ? extended(job.plan) : []);
  const madeOf = async (job: Job, plan: Plan): Promise<Made> => {
    const isGone = job.file !== null && (await needs.find(plan.id)) === undefined;
    if (isGone) throw new Error("the clip was deleted meanwhile");
    const options = {
      replaces: job.file?.file ?? null,
      keepsMs: plan.moments.filter(({ event }) => job.told.get(event) === "saved").map(({ atMs }) => atMs),
      onStage(stage: Job["stage"]) {
        job.stage = stage;
        onChanged();
      },
      ...(endsAtMs === undefined ? {} : { noLaterMs: endsAtMs }),
    };
    pictures.hold();
    try {
      return await queue.add(() => makeFile(needs, plan, options));
    } finally {
      pictures.release();
    }
  };
  /** The rest is cut on its own from now on; its first part is finished with these statements. */
  const split = async (job: Job, { first, rest }: Split, ...statements: Statement[]): Promise<void> => {
    const { closed } = job;
    windows.split(first, rest);
    Object.assign(job, { plan: first, closed: true, again: false });
    promise(rest, rest.moments);
    await write(...movedTo(rest), ...statements);
    onChanged();
    written(
      rest.id,
      rest.moments.map(({ event }) => event),
    );
    cut(rest.id);
    if (closed) close(rest.id);
  };
  const save = async (job: Job, plan: Plan, file: Made): Promise<void> => {
    await allWritten(job);
    if (isOver) return;
    job.file = file;
    const parts = splitByFormat(job.plan, file);
    if (parts === undefined) {
      await write(saved(plan.id, file), ...telling.saved(job, plan, file), ...stillPromised(job, plan));
      onChanged();
    } else await split(job, parts, saved(plan.id, file), ...telling.saved(job, parts.first, file));
    pictures.poster(pictureOf(job));
    // Nobody waits for it.
    if (endsAtMs === undefined) library.tidy().catch((error) => onFailure("clips", error));
  };
  /** Nothing is kept of it, so nothing joins it any more. */
  const giveUp = (job: Job) => {
    job.closed = true;
    windows.forget(job.plan);
  };
  const fail = async (job: Job, plan: Plan, error: unknown): Promise<void> => {
    const { file } = job;
    const stands = file !== null && (await needs.files.checked(file.file).catch(() => undefined)) !== undefined;
    await allWritten(job);
    if (isOver) return;
    const state = recorder.state();
    if (file === null && error instanceof NoFootage && nobodyRecords(state)) return mark(job, plan, state.detail);
    const why = "the earlier footage was no longer in memory";
    const parts = stands && error instanceof EarlierLost ? splitAt(job.plan, file.toMs, why) : undefined;
    const reason = parts?.first.notes.at(-1) ?? reasonOf(error);
    log.notClipped(reason);
    const about = parts?.first ?? plan;
    const statements = [...failed(plan.id, reason, stands), ...telling.failed(job, about, reason, stands)];
    if (parts !== undefined) return split(job, parts, ...statements);
    if (file === null && !hasGrown(job, plan)) giveUp(job);
    await write(...statements, ...stillPromised(job, plan));
    onChanged();
  };
  const mark = async (job: Job, plan: Plan, reason: string): Promise<void> => {
    if (!hasGrown(job, plan)) giveUp(job);
    await allWritten(job);
    if (isOver) return;
    await write(...marked(plan, reason), ...telling.marked(job, plan, reason), ...stillPromised(job, plan));
    onChanged();
  };

  const leave = (job: Job) => {
    if (!job.closed || job.running !== undefined) return;
    jobs.delete(job.plan.id);
    recorder.release(job.plan.id);
    if (job.file !== null && job.plan.kind === "clip") pictures.preview(pictureOf(job));
    // Whoever wants the file as it stays has waited for this.
    onChanged();
  };
  const cutAll = async (job: Job): Promise<void> => {
    do {
      const { plan } = job;
      job.again = false;
      job.stage = "waiting";
      await madeOf(job, plan)
        .then((file) => save(job, plan, file))
        .catch((error) => fail(job, plan, error))
        .catch((error) => onFailure("clip", error));
      // At the end nothing else says that it is due.
      job.again ||= endsAtMs !== undefined && hasGrown(job, plan);
    } while (job.again && !isOver);
    job.running = undefined;
    leave(job);
  };

  /** Keeps its footage from now on, and its newest form. Its moments are unwritten until `written` is called. */
  function promise(plan: Plan, moments: readonly Moment[]): void {
    const job = jobs.get(plan.id) ?? newJob(plan);
    // A write that is tried again may come when the windows know only a part of it any more.
    if (plan.moments.length >= job.plan.moments.length) job.plan = plan;
    for (const { event } of moments) job.unwritten.add(event);
    if (job.running === undefined) job.stage = "waiting";
    jobs.set(plan.id, job);
    recorder.hold(plan.id, job.plan.fromMs);
  }
  /** What was promised of it is durable. */
  function written(id: string, events: readonly string[]): void {
    const job = jobs.get(id);
    for (const event of events) job?.unwritten.delete(event);
    job?.onWritten?.();
  }
  /** Its seconds are over. */
  function cut(id: string): void {
    const job = jobs.get(id);
    if (job === undefined) return;
    job.again = true;
    job.running ??= cutAll(job);
  }
  /** Nothing joins it any more. */
  function close(id: string): void {
    const job = jobs.get(id);
    if (job === undefined) return;
    job.closed = true;
    leave(job);
  }
  /** Resolves when nothing is cut, nor what comes of that. */
  const idle = async (): Promise<void> => {
    for (;;) {
      const running = [...jobs.values()].flatMap((job) => job.running ?? []);
      if (running.length === 0) return;
      await Promise.all(running);
    }
  };

  return {
    promise,
    written,
    cut,
    close,
    idle,
    /** There is nobody to record it any more. Where an earlier cut is there, or one runs, that one says how it ends. */
    giveUp(id: string, reason: string): void {
      const job = jobs.get(id);
      if (job === undefined || job.file !== null || job.running !== undefined) return;
      job.running = mark(job, job.plan, reason)
        .catch((error) => onFailure("clip", error))
        .then(() => {
          job.running = undefined;
          leave(job);
        });
    },
    /** As it is now, while it is made. */
    planOf: (id: string): Plan | undefined => jobs.get(id)?.plan,
    stageOf: (id: string): Clip["stage"] => jobs.get(id)?.stage,
    /** How it ended for a moment that comes after its end. */
    outcomeOf: telling.outcomeOf,
    missedMs: telling.missedMs,
    /** Cuts all there is now, for as long as `withinMs`. What is not ready then stays promised, for the next start. */
    async stop(nowMs: number, withinMs: number): Promise<void> {
      endsAtMs = nowMs;
      for (const job of jobs.values()) if (untold(job, job.plan).length > 0) job.running ??= cutAll(job);
      const late = new AbortController();
      await Promise.race([idle(), pause(withinMs, undefined, { signal: late.signal }).catch(() => undefined)]);
      late.abort();
      isOver = true;
    },
  };
}
