// Tests of group commit: a write is answered after the commit of its batch, and only a faulty one is refused.
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

test("writes in the same turn are committed together, and answered after the commit", async () => {
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

test("during a commit the next batch collects writes", async () => {
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

test("a collected write provides all its statements when its turn comes, and not before", async () => {
  const { queue, sent, write } = queueWithSent();
  const names: string[] = [];
  let calls = 0;
  const first = write("a");
  await turn();
  names.push("b");
  const gathered = queue.write(() => {
    calls += 1;
    return names.flatMap(unit);
  });
  names.push("c");
  await turn();
  assert.deepEqual([sent.length, calls], [1, 0]);
  queue.settle([null], false);
  await turn();
  const values = sent[1]?.flatMap((statements) => statements.flatMap((statement) => statement.values));
  assert.deepEqual([values, calls], [["b", "c"], 1]);
  queue.settle([null], false);
  await Promise.all([first, gathered]);
});

test("only the faulty write is refused", async () => {
  const { queue, settled, write } = queueWithSent();
  const all = [write("a"), write("b"), write("c")];
  await turn();
  queue.settle([null, "no such table", null], false);
  await Promise.all(all);
  assert.deepEqual(settled.toSorted(), ["a is durable", "b: no such table", "c is durable"]);
});

test("if the storage fails, every write of the batch is refused as unavailable", async () => {
  const { queue, settled, write } = queueWithSent();
  const all = [write("a"), write("b")];
  await turn();
  queue.settle(["disk full", "disk full"], true);
  await Promise.all(all);
  assert.deepEqual(settled.toSorted(), ["a: storage_unavailable", "b: storage_unavailable"]);
});

test("a batch has a maximum size, and the rest follows in order", async () => {
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

test("the queue refuses writes as busy beyond 20,000 waiting ones", async () => {
  const { queue } = queueWithSent();
  for (let index = 0; index < 20_000; index += 1) void queue.write(unit("a"));
  await assert.rejects(queue.write(unit("one too many")), { code: "too_many_requests" });
});

test("drained resolves when no write waits", async () => {
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
