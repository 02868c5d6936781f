// Tests of the queues. Writes: a write is answered after the commit of its batch, and only a faulty one is refused. Reads: the thread
// ends when idle, starts again at the next read, and no read in between is lost.

import assert from "node:assert/strict";
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { KitError } from "@kit/contract";
import { test } from "vitest";
import { makeDataDir, migrations, openStorageIn, removeDataDir } from "../../../test/support/storage-folder.ts";
import { until } from "../../../test/support/until.ts";
import type { DataDir } from "../data-dir.ts";
import { sql } from "../sql.ts";
import { openStorage } from "../storage.ts";
import type { WriteUnit } from "./messages.ts";
import { createWriteQueue, startReadQueue } from "./queues.ts";

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

const query = sql`SELECT count(*) AS n FROM thing`;
const pageBytes = 4_096;
const numbered = (n: number) => sql`SELECT ${n} AS n`;
const unlimited = Number.POSITIVE_INFINITY;

/** A data directory whose database has a table of a hundred long rows. */
async function filled(): Promise<DataDir & Disposable> {
  const dir = makeDataDir();
  await using opened = await openStorageIn(dir);
  await opened.storage.write(
    sql`CREATE TABLE thing (text TEXT)`,
    sql`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO thing SELECT hex(zeroblob(2000)) FROM n`,
  );
  return { ...dir, [Symbol.dispose]: () => removeDataDir(dir) };
}
function queueOf(dir: DataDir, restAfterMs: number) {
  const queue = startReadQueue({ path: dir.path, migrations }, () => undefined, restAfterMs);
  return { ...queue, [Symbol.asyncDispose]: queue.close };
}
async function storageOf(dir: DataDir) {
  const storage = await openStorage(dir, migrations, () => undefined, undefined, 20);
  return { ...storage, [Symbol.asyncDispose]: storage.close };
}

test("the reading thread ends when idle, and the next read starts it again", async () => {
  using dir = await filled();
  await using queue = queueOf(dir, 20);
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual(await queue.read(query, unlimited), { rows: [{ n: 100 }], whole: true });
    assert.equal(queue.isResting(), false);
    await until("the thread has ended", () => queue.isResting());
  }
});

test("a read that takes longer than the idle time is answered before the thread ends", async () => {
  using dir = await filled();
  await using queue = queueOf(dir, 1);
  const slow = sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500000) SELECT max(i) AS n FROM n`;
  assert.deepEqual((await queue.read(slow, unlimited)).rows, [{ n: 500_000 }]);
});

test("reads at the end of the thread are all answered", async () => {
  using dir = await filled();
  await using queue = queueOf(dir, 2);
  for (let round = 0; round < 15; round += 1) {
    const first = queue.read(numbered(round), unlimited);
    await pause(round % 5);
    const answers = await Promise.all([first, queue.read(numbered(round + 0.5), unlimited)]);
    assert.deepEqual(
      answers.map(({ rows }) => rows[0]?.n),
      [round, round + 0.5],
    );
    await pause(round % 4);
  }
});

test("closing waits for the running read in every state of the thread, and later reads are refused", async () => {
  using dir = await filled();
  for (const waitMs of [0, 1, 2, 3, 5, 50]) {
    const queue = queueOf(dir, 2);
    const read = queue.read(query, unlimited);
    await pause(waitMs);
    await queue.close();
    assert.deepEqual((await read).rows, [{ n: 100 }]);
    await assert.rejects(queue.read(query, unlimited), KitError);
  }
});

test("damage found by a restarted thread sets the database aside", async () => {
  using dir = await filled();
  const file = openSync(dir.database, "r+");
  const pages = statSync(dir.database).size / pageBytes;
  writeSync(file, Buffer.alloc(20 * pageBytes), 0, 20 * pageBytes, (pages - 21) * pageBytes);
  closeSync(file);
  await using storage = await storageOf(dir);
  await storage.read(numbered(1));
  await until("the thread has ended", () => storage.isResting());
  await assert.rejects(storage.read(sql`SELECT text FROM thing`), { code: "storage_unavailable" });
  await storage.damaged;
});

test("a thread that starts again after a write reads the new data", async () => {
  using dir = await filled();
  await using storage = await storageOf(dir);
  await storage.read(query);
  await until("the thread has ended", () => storage.isResting());
  await storage.write(sql`DELETE FROM thing WHERE rowid > 7`);
  assert.deepEqual(await storage.read(query), [{ n: 7 }]);
});
