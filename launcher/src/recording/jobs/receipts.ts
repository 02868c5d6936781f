// Builds the final receipts for the moments of a clip job. A moment counts as saved only if the file shows it.

import type { Message, ReceiptState } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import { describeSavedClip, formatSeconds } from "../plans/notes.ts";
import type { ClipPlan, Moment } from "../plans/plan.ts";
import type { CutResult } from "./cut.ts";
import { type ClipJob, distanceToFileMs, type MomentOutcome, momentsNotSaved, momentsWithoutOutcome } from "./job.ts";

/** Builds the statements for receipts. Skips moments whose receipts belong to another slice. */
export type ReceiptStatements = (
  moments: readonly Moment[],
  state: ReceiptState,
  reason: Message | null,
) => Statement[];

const outcomesMax = 1_000;

/** A capture that an event started delivers its first frame within this time. */
const captureStartMs = 5_000;

function missedOutcome(file: CutResult, moment: Pick<Moment, "atMs">): MomentOutcome {
  const lateMs = file.fromMs - moment.atMs;
  const seconds = formatSeconds(distanceToFileMs(file, moment));
  const mayStartEarlier = lateMs > 0 && lateMs <= captureStartMs;
  return {
    state: "failed",
    reason: mayStartEarlier
      ? message("moment.not_recorded_before_start", { seconds })
      : message("moment.not_recorded", { seconds }),
  };
}
const forgottenOutcome: MomentOutcome = { state: "failed", reason: message("event.arrived_long_after_clip") };

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
      .flatMap((moment) => this.#record(job, [moment], missedOutcome(file, moment)));
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
    return file === null || distanceToFileMs(file, moment) === 0 ? { state, reason } : missedOutcome(file, moment);
  }

  #record(job: ClipJob, moments: readonly Moment[], outcome: MomentOutcome): Statement[] {
    for (const { event } of moments) job.outcomes.set(event, outcome.state);
    this.#outcomes.set(job.plan.id, { ...outcome, file: outcome.state === "saved" ? job.file : null });
    if (this.#outcomes.size > outcomesMax) this.#outcomes.delete(this.#outcomes.keys().next().value ?? "");
    return this.#statements(moments, outcome.state, outcome.reason);
  }
}
