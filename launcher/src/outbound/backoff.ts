// Computes how long to wait after consecutive failures: exponential with jitter, so that many launchers do not return at once.
import { ExponentialBackoff, type IBackoff } from "cockatiel";

const firstMs = 1_000;
const longestMs = 600_000;
/** After this many steps, the delay has reached its maximum. */
const stepsMax = 16;

export function backoffMs(failures: number): number {
  let step: IBackoff<unknown> = new ExponentialBackoff({ initialDelay: firstMs, maxDelay: longestMs }).next();
  for (let count = 1; count < Math.min(failures, stepsMax); count += 1) step = step.next(undefined);
  return Math.round(Math.max(firstMs, step.duration));
}
