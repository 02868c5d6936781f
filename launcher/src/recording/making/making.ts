// The life of a plan: promised, cut when its seconds are over, cut anew when it grew, and said to be saved or not.
import type { Clip, ReceiptState, RecorderState } from "@kit/contract";
import { log } from "../../log.ts";
import type { Statement } from "../../storage/sql.ts";
import { NoFootage } from "../capture/backend.ts";
import type { Recorder } from "../capture/recorder.ts";
import type { ClipFiles } from "../clips/clip-files.ts";
import type { ClipStore } from "../clips/clip-store.ts";
import { extended, failed, marked, saved } from "../clips/clip-store.ts";
import type { Library } from "../clips/library.ts";
import type { CutQueue } from "../cut-queue.ts";
import type { Moment, Plan } from "../plan.ts";
import { savedSaid, seconds } from "../said.ts";
import { type CutNeeds, type Made, makeFile } from "./cut.ts";
import { allWritten, hasGrown, type Job, missedIn, newJob, type Outcome, unsaved, untold } from "./job.ts";
import type { Pictures } from "./pictures.ts";

export type MakingNeeds = CutNeeds & {
  readonly recorder: Pick<Recorder, "cut" | "state" | "hold" | "release">;
  readonly library: Pick<Library, "prepareCut" | "tidy">;
  readonly files: CutNeeds["files"] & Pick<ClipFiles, "checked">;
  readonly find: ClipStore["find"];
  readonly queue: CutQueue;
  readonly pictures: Pictures;
  /** Durable when it resolves; tries again for as long as the launcher runs. */
  readonly write: (...statements: Statement[]) => Promise<void>;
  /** The same, tried once: at the end. */
  readonly writeOnce: (...statements: Statement[]) => Promise<void>;
  /** Receipts of those moments that have one of ours. */
  readonly reached: (moments: readonly Moment[], state: ReceiptState, reason: string) => Statement[];
  readonly onChanged: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

export type Making = ReturnType<typeof createMaking>;

const outcomesMax = 1_000;

/** Nobody captures, and nothing of before is left: what happens now can only be marked. */
export const nobodyRecords = ({ state, heldSeconds }: RecorderState): boolean =>
  (state === "off" || state === "broken") && heldSeconds === 0;

const reasonOf = (error: unknown) => {
  const said = error instanceof Error ? error.message : String(error);
  return error instanceof NoFootage ? `nothing was recorded at that time: ${said}` : `it could not be saved: ${said}`;
};

const notShown = (missedMs: number): Outcome => ({
  state: "failed",
  reason: `nothing was recorded at the moment, only ${seconds(missedMs)} s away from it`,
});

export function createMaking(needs: MakingNeeds) {
  const { recorder, library, queue, pictures, write, reached, onChanged, onFailure } = needs;
  const jobs = new Map<string, Job>();
  const outcomes = new Map<string, Outcome & { readonly file: Made | null }>();
  let endsAtMs: number | undefined;

  const tell = (job: Job, moments: readonly Moment[], outcome: Outcome): Statement[] => {
    for (const { event } of moments) job.told.set(event, outcome.state);
    outcomes.set(job.plan.id, { ...outcome, file: outcome.state === "saved" ? job.file : null });
    if (outcomes.size > outcomesMax) outcomes.delete(outcomes.keys().next().value ?? "");
    return reached(moments, outcome.state, outcome.reason);
  };
  /** A moment that the footage does not show was not saved, whatever else is in the file. */
  const tellSaved = (job: Job, plan: Plan, file: Made): Statement[] => {
    const isShown = (moment: Moment) => missedIn(file, moment) === 0;
    const missed = untold(job, plan)
      .filter((moment) => !isShown(moment))
      .flatMap((moment) => tell(job, [moment], notShown(missedIn(file, moment))));
    const reason = savedSaid(file.durationMs, plan, file.notes);
    return [...missed, ...tell(job, unsaved(job, plan).filter(isShown), { state: "saved", reason })];
  };
  /** Where an earlier cut stands, so does what lies in it; the rest has failed. */
  const tellFailed = (job: Job, moments: readonly Moment[], reason: string, stands: boolean): Statement[] => {
    const { file } = job;
    const isIn = (moment: Moment) => stands && file !== null && missedIn(file, moment) === 0;
    const outside = moments.filter((moment) => !isIn(moment));
    return [
      ...tell(job, outside, { state: "failed", reason }),
      ...(stands
        ? tell(job, moments.filter(isIn), { state: "saved", reason: `in the clip as it was: ${reason}` })
        : []),
    ];
  };
  /** What joined while it was cut stays promised, whatever became of that cut. */
  const stillPromised = (job: Job, plan: Plan) => (hasGrown(job, plan) ? extended(job.plan) : []);
  const save = async (job: Job, plan: Plan): Promise<void> => {
    const isGone = job.file !== null && (await needs.find(plan.id)) === undefined;
    if (isGone) throw new Error("the clip was deleted meanwhile");
    const file = await makeFile(needs, plan, {
      replaces: job.file?.file ?? null,
      keepsMs: plan.moments.filter(({ event }) => job.told.get(event) === "saved").map(({ atMs }) => atMs),
      onStage(stage) {
        job.stage = stage;
        onChanged();
      },
      ...(endsAtMs === undefined ? {} : { noLaterMs: endsAtMs }),
    });
    await allWritten(job);
    if (job.abandoned) return;
    job.file = file;
    await write(saved(plan.id, file), ...tellSaved(job, plan, file), ...stillPromised(job, plan));
    onChanged();
    pictures.poster(pictureOf(job));
    await library.tidy().catch((error) => onFailure("clips", error));
  };
  const fail = async (job: Job, plan: Plan, error: unknown): Promise<void> => {
    await allWritten(job);
    if (job.abandoned) return;
    const { file } = job;
    const state = recorder.state();
    if (file === null && error instanceof NoFootage && nobodyRecords(state)) return mark(job, plan, state.detail);
    const reason = reasonOf(error);
    log.notClipped(reason);
    const stillThere = file !== null && (await needs.files.checked(file.file).catch(() => undefined)) !== undefined;
    const statements = tellFailed(job, untold(job, plan), reason, stillThere);
    await write(...failed(plan.id, reason, stillThere), ...statements, ...stillPromised(job, plan));
    onChanged();
  };
  const mark = async (job: Job, plan: Plan, reason: string): Promise<void> => {
    await allWritten(job);
    const statements = tell(job, untold(job, plan), { state: "marked", reason });
    await write(...marked(plan, reason), ...statements, ...stillPromised(job, plan));
    onChanged();
  };
  const pictureOf = ({ plan, file }: Job) => {
    const wantedMs = (plan.moments[0]?.atMs ?? plan.fromMs) - (file?.fromMs ?? 0);
    const offsetMs = Math.max(0, Math.min(wantedMs, (file?.durationMs ?? 0) - 100));
    return { id: plan.id, file: file?.file ?? "", offsetMs };
  };

  const leave = (job: Job) => {
    if (!job.closed || job.running !== undefined) return;
    jobs.delete(job.plan.id);
    recorder.release(job.plan.id);
    if (job.file !== null && job.plan.kind === "clip") pictures.preview(pictureOf(job));
  };
  const cutOnce = async (job: Job): Promise<void> => {
    const { plan } = job;
    pictures.hold();
    try {
      await queue.add(() => save(job, plan));
    } catch (error) {
      await fail(job, plan, error);
    } finally {
      pictures.release();
    }
  };
  const cutAll = async (job: Job): Promise<void> => {
    do {
      const { plan } = job;
      job.again = false;
      job.stage = "waiting";
      await cutOnce(job).catch((error) => onFailure("clip", error));
      // At the end nothing else says that it is due.
      job.again ||= endsAtMs !== undefined && hasGrown(job, plan);
    } while (job.again && !job.abandoned);
    job.running = undefined;
    leave(job);
  };

  return {
    /** Keeps its footage from now on, and its newest form. Its moments are unwritten until `written` is called. */
    promise(plan: Plan, moments: readonly Moment[]): void {
      const job = jobs.get(plan.id) ?? newJob(plan);
      job.plan = plan;
      for (const { event } of moments) job.unwritten.add(event);
      if (job.running === undefined) job.stage = "waiting";
      jobs.set(plan.id, job);
      recorder.hold(plan.id, plan.fromMs);
    },
    /** What was promised of it is durable. */
    written(id: string, events: readonly string[]): void {
      const job = jobs.get(id);
      for (const event of events) job?.unwritten.delete(event);
      job?.onWritten?.();
    },
    /** Its seconds are over. */
    cut(id: string): void {
      const job = jobs.get(id);
      if (job === undefined) return;
      job.again = true;
      job.running ??= cutAll(job);
    },
    /** Nothing joins it any more. */
    close(id: string): void {
      const job = jobs.get(id);
      if (job === undefined) return;
      job.closed = true;
      leave(job);
    },
    /** There is nobody to record it any more. False where an earlier cut is there, or one runs: that one says how it ends. */
    giveUp(id: string, reason: string): boolean {
      const job = jobs.get(id);
      if (job === undefined || job.file !== null || job.running !== undefined) return false;
      job.closed = true;
      job.running = mark(job, job.plan, reason)
        .catch((error) => onFailure("clip", error))
        .then(() => {
          job.running = undefined;
          leave(job);
        });
      return true;
    },
    /** As it is now, while it is made. */
    planOf: (id: string): Plan | undefined => jobs.get(id)?.plan,
    stageOf: (id: string): Clip["stage"] => jobs.get(id)?.stage,
    /** How it ended for a moment that comes after its end. */
    outcomeOf(id: string, moment: Moment): Outcome | undefined {
      const ended = outcomes.get(id);
      if (ended === undefined) return undefined;
      const { state, reason, file } = ended;
      const missedMs = file === null ? 0 : missedIn(file, moment);
      return missedMs === 0 ? { state, reason } : notShown(missedMs);
    },
    /** Cuts all there is now, for as long as `withinMs`; says of the rest that the launcher was ended. */
    async stop(nowMs: number, withinMs: number): Promise<void> {
      endsAtMs = nowMs;
      const left = [...jobs.values()];
      for (const job of left) if (untold(job, job.plan).length > 0) job.running ??= cutAll(job);
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, withinMs);
      await Promise.race([Promise.all(left.map(({ running }) => running)), late.promise]);
      clearTimeout(timer);
      const reason = "the launcher was ended before the clip was cut";
      for (const job of left.filter((one) => one.running !== undefined)) {
        job.abandoned = true;
        const promised = untold(job, job.plan).filter(({ event }) => !job.unwritten.has(event));
        const statements = tellFailed(job, promised, reason, job.file !== null);
        await needs.writeOnce(...failed(job.plan.id, reason), ...statements).catch(() => undefined);
      }
    },
  };
}
