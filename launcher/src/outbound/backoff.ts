// How long to wait after so many failures in a row: longer each time, and by chance, since many launchers must not come back at once.
import { ExponentialBackoff, type IBackoff } from "cockatiel";

const firstMs = 1_000;
const longestMs = 600_000;
/** By then it is the longest. */
const stepsMax = 16;

export function backoffMs(failures: number): number {
  let step: IBackoff<unknown> = new ExponentialBackoff({ initialDelay: firstMs, maxDelay: longestMs }).next();
  for (let count = 1; count < Math.min(failures, stepsMax); count += 1) step = step.next(undefined);
  return Math.round(Math.max(firstMs, step.duration));
}
