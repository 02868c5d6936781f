// Few jobs run at once, in their order, and what is too much is refused instead of kept.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBoundedQueue, QueueFull } from "./bounded-queue.ts";

test("no more jobs run at once than allowed, the others in their order", async () => {
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

test("a job that fails tells its owner, and the next one runs", async () => {
  const queue = createBoundedQueue({ concurrency: 1, waitingMax: 2 });
  await assert.rejects(
    queue.add(() => Promise.reject(new Error("no disk"))),
    /no disk/,
  );
  assert.equal(await queue.add(async () => 7), 7);
});

test("beyond its bound a job is refused", async () => {
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
