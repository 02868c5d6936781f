// Group commit: who waits is answered after the commit of his batch, and only the one at fault is refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { sql } from "../sql.ts";
import type { WriteUnit } from "./messages.ts";
import { createWriteQueue } from "./write-queue.ts";

const unit = (name: string): WriteUnit => [sql`SELECT ${name}`];
const namesIn = (batch: readonly WriteUnit[] | undefined) => batch?.map(([statement]) => statement?.values[0]);

function queueWithSent() {
  const sent: (readonly WriteUnit[])[] = [];
  const settled: string[] = [];
  const queue = createWriteQueue((units) => sent.push(units));
  const write = (name: string) =>
    queue.write(unit(name)).then(
      () => settled.push(`${name} is durable`),
      (error: Error & { code?: string }) => settled.push(`${name}: ${error.code ?? error.message}`),
    );
  return { queue, sent, settled, write };
}

test("what arrives in the same turn is committed together, and answered only after the commit", async () => {
  const { queue, sent, settled, write } = queueWithSent();
  const all = [write("a"), write("b")];
  await turn();
  assert.deepEqual(sent.map(namesIn), [["a", "b"]]);
  await turn();
  assert.deepEqual(settled, []);
  queue.settle([null, null], false);
  await Promise.all(all);
  assert.deepEqual(settled, ["a is durable", "b is durable"]);
});

test("while a batch is being committed the next one gathers", async () => {
  const { queue, sent, write } = queueWithSent();
  const first = write("a");
  await turn();
  const later = [write("b"), write("c")];
  await turn();
  assert.equal(sent.length, 1);
  queue.settle([null], false);
  await first;
  await turn();
  assert.deepEqual(namesIn(sent[1]), ["b", "c"]);
  queue.settle([null, null], false);
  await Promise.all(later);
});

test("what gathers goes along in full when its turn comes, and is not asked for before", async () => {
  const { queue, sent, write } = queueWithSent();
  const names: string[] = [];
  let asked = 0;
  const first = write("a");
  await turn();
  names.push("b");
  const gathered = queue.write(() => {
    asked += 1;
    return names.flatMap(unit);
  });
  names.push("c");
  await turn();
  assert.deepEqual([sent.length, asked], [1, 0]);
  queue.settle([null], false);
  await turn();
  const values = sent[1]?.flatMap((statements) => statements.flatMap((statement) => statement.values));
  assert.deepEqual([values, asked], [["b", "c"], 1]);
  queue.settle([null], false);
  await Promise.all([first, gathered]);
});

test("only the unit at fault is refused", async () => {
  const { queue, settled, write } = queueWithSent();
  const all = [write("a"), write("b"), write("c")];
  await turn();
  queue.settle([null, "no such table", null], false);
  await Promise.all(all);
  assert.deepEqual(settled.toSorted(), ["a is durable", "b: no such table", "c is durable"]);
});

test("when the storage is at fault everybody is told that nothing can be stored now", async () => {
  const { queue, settled, write } = queueWithSent();
  const all = [write("a"), write("b")];
  await turn();
  queue.settle(["disk full", "disk full"], true);
  await Promise.all(all);
  assert.deepEqual(settled.toSorted(), ["a: storage_unavailable", "b: storage_unavailable"]);
});

test("a batch has an end, and the rest follows in order", async () => {
  const { queue, sent, write } = queueWithSent();
  const all = Array.from({ length: 2_500 }, (_, index) => write(String(index)));
  const seen: unknown[] = [];
  while (seen.length < all.length) {
    await turn();
    const batch = sent.at(-1) ?? [];
    assert.ok(batch.length <= 1_024);
    seen.push(...(namesIn(batch) ?? []));
    queue.settle(
      batch.map(() => null),
      false,
    );
  }
  await Promise.all(all);
  assert.deepEqual(
    seen,
    Array.from({ length: 2_500 }, (_, index) => String(index)),
  );
});

test("beyond 20,000 that wait it says it is busy instead of growing", async () => {
  const { queue } = queueWithSent();
  for (let index = 0; index < 20_000; index += 1) void queue.write(unit("a"));
  await assert.rejects(queue.write(unit("one too many")), { code: "too_many_requests" });
});

test("drained resolves when nothing waits any more", async () => {
  const { queue, write } = queueWithSent();
  await queue.drained();
  let isDrained = false;
  const first = write("a");
  const drained = queue.drained().then(() => {
    isDrained = true;
  });
  await turn();
  const second = write("b");
  queue.settle([null], false);
  await first;
  await turn();
  assert.equal(isDrained, false);
  queue.settle([null], false);
  await second;
  await drained;
});
