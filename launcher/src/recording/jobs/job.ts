// A clip job: the work on a clip plan, from the first write to the saved file, and the final receipts of its moments.

import type { Clip, Message, ReceiptState } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import type { Rehearsal } from "../clips/verify.ts";
import { describeSavedClip, missedReason } from "../plans/notes.ts";
import { type ClipPlan, distanceToFootageMs, type Moment } from "../plans/plan.ts";
import type { CutResult } from "./cut.ts";

/** The final receipt state of a moment. */
export type MomentOutcome = { readonly state: "saved" | "failed" | "marked"; readonly reason: Message };

export type ClipJob = {
  /** The current plan. It may grow during a cut. */
  plan: ClipPlan;
  stage: NonNullable<Clip["stage"]>;
  /** The last saved cut. */
  file: CutResult | null;
  /** The final receipt states of events. */
  readonly outcomes: Map<string, MomentOutcome["state"]>;
  /** Events that are not written yet. Their final receipts wait for that. */
  readonly unwrittenEvents: Set<string>;
  /** Called when events were written. */
  onWritten: (() => void) | undefined;
  /** Resolves when the running cut has ended; undefined if none is running. */
  runningCut: Promise<void> | undefined;
  /** True if the plan must be cut, or cut again because it has grown. */
  needsCut: boolean;
  /** True if no moment can join any more. */
  isClosed: boolean;
  rehearsal: Promise<Rehearsal | undefined> | undefined;
  rehearsalTimer: NodeJS.Timeout | undefined;
};

export const createClipJob = (plan: ClipPlan): ClipJob => ({
  plan,
  stage: "waiting",
  file: null,
  outcomes: new Map(),
  unwrittenEvents: new Set(),
  onWritten: undefined,
  runningCut: undefined,
  needsCut: false,
  isClosed: false,
  rehearsal: undefined,
  rehearsalTimer: undefined,
});

/** Returns the footage in a file, as the file was verified. */
export const shownBy = ({ fromMs, durationMs, gaps }: CutResult) => ({ fromMs, toMs: fromMs + durationMs, gaps });

/** Returns how far a moment is from the footage in a file, in milliseconds. 0 if the file shows it, and for a screenshot. */
function distanceToFileMs(file: CutResult, { atMs }: Pick<Moment, "atMs">): number {
  return file.durationMs > 0 ? distanceToFootageMs(shownBy(file), atMs) : 0;
}

/** Returns true if moments have joined the job since a cut of `plan` started. */
export function hasNewMoments(job: ClipJob, plan: ClipPlan): boolean {
  const known = new Set(plan.moments.map(({ event }) => event));
  return job.plan.moments.some(({ event }) => !known.has(event));
}

/** Returns the moments of the plan that have no final receipt yet. */
export const momentsWithoutOutcome = ({ outcomes }: ClipJob, { moments }: ClipPlan): Moment[] =>
  moments.filter(({ event }) => !outcomes.has(event));

/** Returns the moments of the plan without a receipt `saved`. Another cut may save those that an earlier one missed. */
const momentsNotSaved = ({ outcomes }: ClipJob, { moments }: ClipPlan): Moment[] =>
  moments.filter(({ event }) => outcomes.get(event) !== "saved");

/** Resolves when all events of the job are written. */
export async function waitUntilWritten(job: ClipJob): Promise<void> {
  while (job.unwrittenEvents.size > 0) {
    const written = Promise.withResolvers<void>();
    job.onWritten = written.resolve;
    await written.promise;
  }
}

/** Builds the statements for receipts. Skips moments whose receipts belong to another slice. */
export type ReceiptStatements = (
  moments: readonly Moment[],
  state: ReceiptState,
  reason: Message | null,
) => Statement[];

const outcomesMax = 1_000;

/** Returns the moments of a plan that a file of it does not show. */
export const missedMoments = ({ moments }: ClipPlan, file: CutResult): Moment[] =>
  moments.filter((moment) => distanceToFileMs(file, moment) > 0);

const forgottenOutcome: MomentOutcome = { state: "marked", reason: message("event.arrived_long_after_clip") };

export class ClipReceipts {
  readonly #statements: ReceiptStatements;
  /** The last outcome of each job, by the id of its clip. */
  readonly #outcomes = new Map<string, MomentOutcome & { readonly file: CutResult | null }>();

  constructor(statements: ReceiptStatements) {
    this.#statements = statements;
  }

  recordSaved(job: ClipJob, plan: ClipPlan, file: CutResult): Statement[] {
    const isShown = (moment: Moment) => distanceToFileMs(file, moment) === 0;
    const missed = momentsWithoutOutcome(job, plan)
      .filter((moment) => !isShown(moment))
      .flatMap((moment) =>
        this.#record(job, [moment], { state: "marked", reason: missedReason(shownBy(file), moment) }),
      );
    const reason = describeSavedClip(file.durationMs, plan, file.notes);
    return [...missed, ...this.#record(job, momentsNotSaved(job, plan).filter(isShown), { state: "saved", reason })];
  }

  /** With `hasFile`, the file of an earlier cut exists, and the moments that it shows count as saved. */
  recordFailed(job: ClipJob, plan: ClipPlan, reason: Message, hasFile: boolean): Statement[] {
    const { file } = job;
    const moments = momentsWithoutOutcome(job, plan);
    const isShown = (moment: Moment) => hasFile && file !== null && distanceToFileMs(file, moment) === 0;
    const missed = moments.filter((moment) => !isShown(moment));
    const failed = this.#record(job, missed, { state: "failed", reason });
    if (!hasFile) return failed;
    const saved: MomentOutcome = { state: "saved", reason: message("moment.in_earlier_version", { why: reason }) };
    return [...failed, ...this.#record(job, moments.filter(isShown), saved)];
  }

  recordMarked(job: ClipJob, plan: ClipPlan, reason: Message): Statement[] {
    return this.#record(job, momentsWithoutOutcome(job, plan), { state: "marked", reason });
  }

  /** Returns how far a moment is from the footage of its clip; 0 if the outcome is forgotten, because gaps are not stored. */
  distanceMs(id: string, moment: Pick<Moment, "atMs">): number {
    const file = this.#outcomes.get(id)?.file ?? null;
    return file === null ? 0 : distanceToFileMs(file, moment);
  }

  /** Returns the outcome of a moment that arrives after its job has ended. */
  outcomeFor(id: string, moment: Moment): MomentOutcome {
    const { state, reason, file = null } = this.#outcomes.get(id) ?? { ...forgottenOutcome, file: null };
    if (file === null || distanceToFileMs(file, moment) === 0) return { state, reason };
    return { state: "marked", reason: missedReason(shownBy(file), moment) };
  }

  #record(job: ClipJob, moments: readonly Moment[], outcome: MomentOutcome): Statement[] {
    for (const { event } of moments) job.outcomes.set(event, outcome.state);
    this.#outcomes.set(job.plan.id, { ...outcome, file: outcome.state === "saved" ? job.file : null });
    if (this.#outcomes.size > outcomesMax) this.#outcomes.delete(this.#outcomes.keys().next().value ?? "");
    return this.#statements(moments, outcome.state, outcome.reason);
  }
}
