// State of one clip job: the work on one clip plan, from its first write to the saved file.
import type { Clip, Message } from "@kit/contract";
import type { Rehearsal } from "../clips/verify.ts";
import { distanceToFootageMs } from "../plans/footage.ts";
import type { ClipPlan, Moment } from "../plans/plan.ts";
import type { CutResult } from "./cut.ts";

/** The final receipt state of a moment. */
export type Outcome = { readonly state: "saved" | "failed" | "marked"; readonly reason: Message };

export type ClipJob = {
  /** The current plan. It may grow during a cut. */
  plan: ClipPlan;
  stage: NonNullable<Clip["stage"]>;
  /** The last saved cut. */
  file: CutResult | null;
  /** Receipt states by event. */
  readonly outcomes: Map<string, Outcome["state"]>;
  /** Events whose plan is not durable yet. Their receipts wait for it. */
  readonly unwrittenEvents: Set<string>;
  onWritten: (() => void) | undefined;
  /** Resolves when no cut is running. */
  runningCut: Promise<void> | undefined;
  /** The plan has grown since the cut started. */
  needsCut: boolean;
  /** No moment can join any more. */
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

/** Distance of a moment from the footage in a file, in milliseconds. 0 for a screenshot. */
export function distanceToFileMs({ fromMs, durationMs, gaps }: CutResult, { atMs }: Pick<Moment, "atMs">): number {
  return durationMs > 0 ? distanceToFootageMs({ fromMs, toMs: fromMs + durationMs, gaps }, atMs) : 0;
}

/** True if moments joined the job after a cut of `plan` started. */
export const hasGrown = (job: ClipJob, plan: ClipPlan): boolean => job.plan.moments.length > plan.moments.length;

/** Moments of the plan without a final receipt. */
export const momentsWithoutOutcome = ({ outcomes }: ClipJob, { moments }: ClipPlan): Moment[] =>
  moments.filter(({ event }) => !outcomes.has(event));

/** Moments of the plan without a `saved` receipt: a new cut may save those that an earlier cut missed. */
export const momentsNotSaved = ({ outcomes }: ClipJob, { moments }: ClipPlan): Moment[] =>
  moments.filter(({ event }) => outcomes.get(event) !== "saved");

/** Resolves when all events of the job are durable. */
export async function waitUntilWritten(job: ClipJob): Promise<void> {
  while (job.unwrittenEvents.size > 0) {
    const written = Promise.withResolvers<void>();
    job.onWritten = written.resolve;
    await written.promise;
  }
}
