// Tests that an idle launcher returns memory to the system, but only when there is enough to return.
import assert from "node:assert/strict";
import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { type TestContext, test } from "vitest";
import { releaseMemoryWhenIdle } from "../../src/process/idle-memory.ts";

const afterMs = 300;
const heapBytes = () => getHeapStatistics().total_heap_size;

const makeGarbage = () => Array.from({ length: 600_000 }, (_, index) => ({ index, text: `${index} of many` })).length;

/** Records when all possible garbage was collected, in the time of `performance`. V8 does not do that by itself. */
function watchReleases(t: TestContext): { readonly atMs: readonly number[]; next(): Promise<void> } {
  const atMs: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { startTime, detail } = entry as PerformanceEntry & { detail: { flags: number } };
      if (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE) atMs.push(startTime);
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  t.onTestFinished(() => observer.disconnect());
  const next = async () => {
    const before = atMs.length;
    while (atMs.length === before) await pause(10);
  };
  return { atMs, next };
}

test("memory is released some time after the last activity of a burst, not during it", async (t) => {
  const releases = watchReleases(t);
  const active = releaseMemoryWhenIdle(1, afterMs);
  makeGarbage();
  const full = heapBytes();
  const activeMs: number[] = [];
  const until = performance.now() + 2 * afterMs;
  while (performance.now() < until) {
    active();
    activeMs.push(performance.now());
    await pause(10);
  }
  // A busy computer may have paused the loop for long enough.
  if (releases.atMs.length === 0) await releases.next();
  const [releasedMs = 0] = releases.atMs;
  const lastMs = activeMs.findLast((ms) => ms < releasedMs) ?? 0;
  assert.ok(releasedMs >= lastMs + afterMs - 1, "released during activity");
  assert.ok(heapBytes() < full * 0.7, `${heapBytes()} bytes of ${full} are held`);
});

test("a heap that has not grown since its collection is left alone", async (t) => {
  const releases = watchReleases(t);
  const active = releaseMemoryWhenIdle(1, afterMs);
  await releases.next();
  await pause(50);
  const { length } = releases.atMs;
  active();
  await pause(2 * afterMs);
  assert.equal(releases.atMs.length, length);
  const held = Array.from({ length: 600_000 }, (_, index) => ({ index }));
  active();
  await releases.next();
  assert.equal(held.length, 600_000);
});

test("a heap below the limit is left alone", async (t) => {
  const releases = watchReleases(t);
  releaseMemoryWhenIdle(Number.MAX_SAFE_INTEGER, afterMs);
  await pause(2 * afterMs);
  assert.deepEqual(releases.atMs, []);
});
