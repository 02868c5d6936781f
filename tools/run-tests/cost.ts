// Measures the processor time of work, whatever else the machine does, and checks that it does not grow faster than the size. Tells
// whether the machine is too busy to measure any other time.
import assert from "node:assert/strict";
import { availableParallelism, loadavg } from "node:os";

const times = 3;
const smallShare = 1 / 8;
/** Eight times the size costs about eight times as much. A step for each pair of items would cost 64 times as much. */
const growthMax = 30;
/** A cost below this is too small to compare. */
const noiseMs = 25;

/** True if there are more than two busy processes for each processor. Then no limit of time means anything. */
export const isMachineTooBusy = (): boolean => (loadavg()[0] ?? 0) > 2 * availableParallelism();

/** Processor time of this process in milliseconds: of the first try that is low enough, or the lowest of several tries. */
async function costMs(work: () => unknown, enoughMs = 0): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < times && leastMs > enoughMs; tried += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    leastMs = Math.min(leastMs, (user + system) / 1_000);
  }
  return leastMs;
}

/** Runs the work at an eighth of its size and at its full size, and fails if the cost grew far more than the size. */
export async function assertCostFollowsSize(title: string, work: (share: number) => unknown): Promise<void> {
  const smallMs = await costMs(() => work(smallShare));
  const enoughMs = growthMax * smallMs + noiseMs;
  const wholeMs = await costMs(() => work(1), enoughMs);
  const costs = `${title}: ${smallMs.toFixed(1)} ms for an eighth of it, ${wholeMs.toFixed(1)} ms for all of it`;
  assert.ok(wholeMs <= enoughMs, costs);
}
