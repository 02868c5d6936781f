// Tests of sampling: the first reports are kept, a flood in ever smaller shares, and batches make no difference.
import assert from "node:assert/strict";
import { test } from "vitest";
import { initialSampling, irrelevance, sampleReport } from "./sampling.ts";

const beganMs = Date.UTC(2026, 4, 3, 10);

/** Numbers (from 1) of the reports at these times that are kept. */
function keptOf(times: readonly number[]): number[] {
  let sampling = initialSampling;
  return times.flatMap((atMs, index) => {
    const { after, chosen } = sampleReport(sampling, index + 1, atMs);
    sampling = after;
    return chosen ? [index + 1] : [];
  });
}
const every = (ms: number, count: number) => Array.from({ length: count }, (_, index) => beganMs + index * ms);

test("the first twenty reports are kept at any rate, then a burst of twenty, then one a second", () => {
  const kept = keptOf(every(1, 900));
  assert.deepEqual(
    kept.slice(0, 40),
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
  assert.equal(kept.length, 40, "less than a second has passed");
  assert.equal(keptOf(every(100, 900)).length, 40 + 87, "one more for each second after the burst");
});

test("reports at a rate of one a second or less are all kept", () => {
  assert.equal(keptOf(every(1_000, 500)).length, 500);
});

test("after a thousand reports in an hour one a minute is kept, and the next hour starts again", () => {
  const flood = every(10, 60_000);
  const kept = keptOf(flood).filter((number) => number > 1_000);
  assert.ok(kept.length >= 9 && kept.length <= 11, `${kept.length} in ten minutes`);
  const later = [...flood, ...every(1_000, 10).map((ms) => ms + 3_600_000)];
  assert.equal(keptOf(later).filter((number) => number > 60_000).length, 10);
});

test("a clock that is set back admits no additional samples", () => {
  const times = Array.from({ length: 200 }, (_, index) => beganMs + (index % 2) * 5_000);
  assert.ok(keptOf(times).length <= 46);
});

test("the first report of a fingerprint has a low irrelevance, and the millionth a high one", () => {
  assert.ok(irrelevance("019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41", 1) <= 2);
  assert.ok(irrelevance("019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41", 1_000_000) >= 18);
  assert.equal(irrelevance("no number", 7), 1, "any id works");
});
