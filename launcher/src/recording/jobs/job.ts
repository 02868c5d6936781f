// A clip job: the work on a clip plan, from the first write to the saved file.
import type { Clip, Message } from "@kit/contract";
import type { Rehearsal } from "../clips/verify.ts";
import { distanceToFootageMs } from "../plans/footage.ts";
import type { ClipPlan, Moment } from "../plans/plan.ts";
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

/** Returns how far a moment is from the footage in a file, in milliseconds. 0 if the file shows it, and for a screenshot. */
export function distanceToFileMs({ fromMs, durationMs, gaps }: CutResult, { atMs }: Pick<Moment, "atMs">): number {
  return durationMs > 0 ? distanceToFootageMs({ fromMs, toMs: fromMs + durationMs, gaps }, atMs) : 0;
}

/** Returns true if moments have joined the job since a cut of `plan` started. */
export const hasNewMoments = (job: ClipJob, plan: ClipPlan): boolean => job.plan.moments.length > plan.moments.length;

/** Returns the moments of the plan that have no final receipt yet. */
export const momentsWithoutOutcome = ({ outcomes }: ClipJob, { moments }: ClipPlan): Moment[] =>
  moments.filter(({ event }) => !outcomes.has(event));

/** Returns the moments of the plan without a receipt `saved`. Another cut may save those that an earlier one missed. */
export const momentsNotSaved = ({ outcomes }: ClipJob, { moments }: ClipPlan): Moment[] =>
  moments.filter(({ event }) => outcomes.get(event) !== "saved");

/** Resolves when all events of the job are written. */
export async function waitUntilWritten(job: ClipJob): Promise<void> {
  while (job.unwrittenEvents.size > 0) {
    const written = Promise.withResolvers<void>();
    job.onWritten = written.resolve;
    await written.promise;
  }
}
