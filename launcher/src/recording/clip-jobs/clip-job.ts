// What is known of one plan while it is made.
import type { Clip } from "@kit/contract";
import type { Moment, Plan } from "../plan.ts";
import { missedBy } from "./coverage.ts";
import type { Made } from "./cut.ts";

/** How a clip ended for an event. */
export type Outcome = { readonly state: "saved" | "failed" | "marked"; readonly reason: string };

export type Job = {
  /** As it is now; it may grow while it is cut. */
  plan: Plan;
  stage: NonNullable<Clip["stage"]>;
  /** The last cut that was saved. */
  file: Made | null;
  /** What the receipt of an event says of how it ended. */
  readonly told: Map<string, Outcome["state"]>;
  /** Events whose promise is not durable yet: nothing is said of them before it is. */
  readonly unwritten: Set<string>;
  /** Called when something became durable. */
  onWritten: (() => void) | undefined;
  /** Resolves when no cut runs. */
  running: Promise<void> | undefined;
  /** It grew since the cut began. */
  again: boolean;
  /** Nothing joins it any more. */
  closed: boolean;
};

export const newJob = (plan: Plan): Job => ({
  plan,
  stage: "waiting",
  file: null,
  told: new Map(),
  unwritten: new Set(),
  onWritten: undefined,
  running: undefined,
  again: false,
  closed: false,
});

/** How far a moment lies from what a file shows, in milliseconds; a picture shows its own. */
export function missedIn({ fromMs, durationMs, holes }: Made, { atMs }: Pick<Moment, "atMs">): number {
  return durationMs > 0 ? missedBy({ fromMs, toMs: fromMs + durationMs, holes }, atMs) : 0;
}

/** Whether moments joined since a cut of that plan began. */
export const hasGrown = (job: Job, plan: Plan): boolean => job.plan.moments.length > plan.moments.length;

/** The moments of a plan whose receipts do not say yet how they ended. */
export const untold = ({ told }: Job, { moments }: Plan): Moment[] => moments.filter(({ event }) => !told.has(event));

/** Those of them that a new file may say something else of: an earlier cut without them failed. */
export const unsaved = ({ told }: Job, { moments }: Plan): Moment[] =>
  moments.filter(({ event }) => told.get(event) !== "saved");

/** Resolves when every promise of it is durable. */
export async function allWritten(job: Job): Promise<void> {
  while (job.unwritten.size > 0) {
    const written = Promise.withResolvers<void>();
    job.onWritten = written.resolve;
    await written.promise;
  }
}
