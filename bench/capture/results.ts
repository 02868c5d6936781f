// Everything one run of the bench of recording came to.
import type { CostRun } from "./cost.ts";
import type { ReadyRun } from "./ready.ts";

export type CaptureResults = {
  readonly machine: string;
  readonly at: string;
  readonly quick: boolean;
  readonly cost: readonly CostRun[];
  readonly ready: readonly ReadyRun[];
  /** Rounds that count for nothing, and why. They are not among the others. */
  readonly invalid: readonly string[];
};

/** A capture that drops frames does less work: compared to it, all is dear. */
const frameRateMin = 28.5;

/** What makes a round worth nothing, in words. */
export function faultsOf(runs: readonly CostRun[]): string[] {
  return runs
    .filter(({ subject, frameRate }) => subject !== "nothing" && !(frameRate >= frameRateMin))
    .map(
      ({ subject, round, frameRate }) => `round ${round}: ${subject} captured ${frameRate.toFixed(1)} frames a second`,
    );
}
