// Which reports are kept: the first ones always, a flood in ever smaller shares, and the same ones however they are batched.
import assert from "node:assert/strict";
import { test } from "node:test";
import { initialSampling, irrelevance, sampleReport } from "./sampling.ts";

const beganMs = Date.UTC(2026, 4, 3, 10);

/** The numbers, from 1, of those that are kept of reports at these times. */
function keptOf(times: readonly number[]): number[] {
  let sampling = initialSampling;
  return times.flatMap((atMs, index) => {
    const { after, chosen } = sampleReport(sampling, index + 1, atMs);
    sampling = after;
    return chosen ? [index + 1] : [];
  });
}
const every = (ms: number, count: number) => Array.from({ length: count }, (_, index) => beganMs + index * ms);

test("the first twenty are kept however quickly they come, then a burst of twenty, then one a second", () => {
  const kept = keptOf(every(1, 900));
  assert.deepEqual(
    kept.slice(0, 40),
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
  assert.equal(kept.length, 40, "less than a second is over");
  assert.equal(keptOf(every(100, 900)).length, 40 + 87, "one more for each of the seconds after the burst");
});

test("what comes once a second or less is all kept", () => {
  assert.equal(keptOf(every(1_000, 500)).length, 500);
});

test("after a thousand in one hour one a minute is kept, and the next hour is calm again", () => {
  const flood = every(10, 60_000);
  const kept = keptOf(flood).filter((number) => number > 1_000);
  assert.ok(kept.length >= 9 && kept.length <= 11, `${kept.length} in ten minutes`);
  const later = [...flood, ...every(1_000, 10).map((ms) => ms + 3_600_000)];
  assert.equal(keptOf(later).filter((number) => number > 60_000).length, 10);
});

test("a clock that goes back gains nothing and breaks nothing", () => {
  const times = Array.from({ length: 200 }, (_, index) => beganMs + (index % 2) * 5_000);
  assert.ok(keptOf(times).length <= 46);
});

test("the first of a kind is hardly ever irrelevant, the millionth mostly is", () => {
  assert.ok(irrelevance("019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41", 1) <= 2);
  assert.ok(irrelevance("019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41", 1_000_000) >= 18);
  assert.equal(irrelevance("no number", 7), 1, "any id will do");
});
