// Tests of the bounded queue: few jobs run at once, in order, and a job beyond the limit is refused.
import assert from "node:assert/strict";
import { test } from "vitest";
import { createBoundedQueue, QueueFull } from "./bounded-queue.ts";

test("no more jobs run at once than allowed, and jobs start in order", async () => {
  const queue = createBoundedQueue({ concurrency: 2, waitingMax: 10 });
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const begun: number[] = [];
  const atOnce: number[] = [];
  let running = 0;
  const jobs = gates.map((gate, index) =>
    queue.add(async () => {
      begun.push(index);
      running += 1;
      atOnce.push(running);
      await gate.promise;
      running -= 1;
      return index;
    }),
  );
  for (const [index, gate] of gates.entries()) {
    gate.resolve(index);
    assert.equal(await jobs[index], index);
  }
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
  assert.equal(Math.max(...atOnce), 2);
});

test("a failing job rejects its own promise, and the next job runs", async () => {
  const queue = createBoundedQueue({ concurrency: 1, waitingMax: 2 });
  await assert.rejects(
    queue.add(() => Promise.reject(new Error("no disk"))),
    /no disk/,
  );
  assert.equal(await queue.add(async () => 7), 7);
});

test("a job beyond the limit is refused", async () => {
  const queue = createBoundedQueue({ concurrency: 1, waitingMax: 2 });
  const gate = Promise.withResolvers<void>();
  const kept = [queue.add(() => gate.promise), queue.add(() => gate.promise)];
  await assert.rejects(
    queue.add(async () => {}),
    QueueFull,
  );
  gate.resolve();
  await Promise.all(kept);
  await queue.add(async () => {});
});
