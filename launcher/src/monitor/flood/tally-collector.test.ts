// Tests of the tally collector: counts are added once, in order, and tried again after a failure.
import assert from "node:assert/strict";
import { test } from "vitest";
import { until } from "../../../test/support/until.ts";
import type { Tally } from "../grouping/grouping-store.ts";
import { createTallyCollector } from "./tally-collector.ts";

const kindOf = (fingerprint: number): Tally => ({
  fingerprint,
  upTo: fingerprint,
  notFor: "[]",
  count: {
    fingerprint: { game: "", version: 1, key: String(fingerprint) },
    builds: new Map(),
    n: 1,
    minutes: new Map([[0, 1]]),
    firstMs: 0,
    lastMs: 0,
    notFor: [],
  },
});

/** That many fingerprints wait to be added; a write adds those that were read last. */
function scene(kinds: number) {
  const world = {
    waiting: Array.from({ length: kinds }, (_, index) => kindOf(index)),
    writes: 0,
    failures: 0,
    failsOnce: false,
  };
  let read: readonly Tally[] = [];
  const collecting = createTallyCollector({
    store: {
      async readTallies(limit) {
        read = world.waiting.slice(0, limit);
        return [...read];
      },
    },
    async write() {
      world.writes += 1;
      if (world.failsOnce && world.writes === 1) throw new Error("no disk");
      world.waiting = world.waiting.filter((one) => !read.includes(one));
    },
    alsoWrite: () => [],
    onCollected: () => undefined,
    onFailure: () => {
      world.failures += 1;
    },
  });
  return { world, collecting };
}

test("tallies left from before the start are added, a hundred fingerprints at a time", async () => {
  const { world, collecting } = scene(250);
  await collecting.load();
  assert.deepEqual([world.waiting.length, world.writes], [0, 3]);
});

test("a start that cannot add the tallies fails, and the next attempt adds them", async () => {
  const { world, collecting } = scene(1);
  world.failsOnce = true;
  await assert.rejects(collecting.load(), /no disk/);
  await collecting.load();
  assert.deepEqual([world.waiting.length, world.writes], [0, 2]);
});

test("a failed addition is reported and tried again", async () => {
  const { world, collecting } = scene(1);
  world.failsOnce = true;
  collecting.wake();
  await until("another try", () => world.waiting.length === 0);
  assert.deepEqual([world.writes, world.failures], [2, 1]);
});

test("many counts are added in one write, and none after the stop", async () => {
  const { world, collecting } = scene(1);
  for (let count = 0; count < 1_000; count += 1) collecting.wake();
  await until("the sums", () => world.waiting.length === 0);
  assert.equal(world.writes, 1);
  world.waiting = [kindOf(1)];
  collecting.wake();
  await collecting.stop();
  assert.deepEqual([world.waiting.length, world.failures], [1, 0]);
});

test("work between collections sees no tally that is read but not added, and its failure stops nothing", async () => {
  const { world, collecting } = scene(150);
  const loaded = collecting.load();
  const waiting = await collecting.between(async () => world.waiting.length);
  await assert.rejects(collecting.between(() => Promise.reject(new Error("no disk"))));
  await collecting.load();
  await loaded;
  assert.deepEqual([waiting, world.writes], [0, 2]);
});
