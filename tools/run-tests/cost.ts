// What work costs the process that does it, whatever else the machine does meanwhile; and that the cost does not explode.
import assert from "node:assert/strict";

const times = 3;
const smallShare = 1 / 8;
/** Eight times the size costs about eight times as much; a step for each pair of pieces costs 64 times as much. */
const growthMax = 30;
/** A cost below this is too small to compare. */
const noiseMs = 25;

/** Processor time of this process in milliseconds: the first that is enough, or the least of several tries. */
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

/** Does the work for a small share of its size and for all of it, and fails when the cost grew far more than the size. */
export async function assertCostFollowsSize(what: string, work: (share: number) => unknown): Promise<void> {
  const smallMs = await costMs(() => work(smallShare));
  const enoughMs = growthMax * smallMs + noiseMs;
  const wholeMs = await costMs(() => work(1), enoughMs);
  const says = `${what}: ${smallMs.toFixed(1)} ms for an eighth of it, ${wholeMs.toFixed(1)} ms for all of it`;
  assert.ok(wholeMs <= enoughMs, says);
}
