// Tests of the read queue: its thread ends when idle, starts again at the next read, and no read in between is lost.
import assert from "node:assert/strict";
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { KitError, type MessageOrText, textOf } from "@kit/contract";
import { makeDataDir, migrations, openStorageIn, removeDataDir } from "../../../test/support/storage-folder.ts";
import { until } from "../../../test/support/until.ts";
import type { DataDir } from "../data-dir.ts";
import { sql } from "../sql.ts";
import { openStorage } from "../storage.ts";
import { startReadQueue } from "./read-queue.ts";

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
async function storageOf(dir: DataDir, onNotice: (notice: MessageOrText) => void = () => undefined) {
  const storage = await openStorage(dir, migrations, onNotice, undefined, 20);
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

test("damage found by a restarted thread is repaired", async () => {
  using dir = await filled();
  const file = openSync(dir.database, "r+");
  const pages = statSync(dir.database).size / pageBytes;
  writeSync(file, Buffer.alloc(20 * pageBytes), 0, 20 * pageBytes, (pages - 21) * pageBytes);
  closeSync(file);
  const repaired = Promise.withResolvers<MessageOrText>();
  await using storage = await storageOf(dir, repaired.resolve);
  await storage.read(numbered(1));
  await until("the thread has ended", () => storage.isResting());
  await assert.rejects(storage.read(sql`SELECT text FROM thing`), { code: "storage_unavailable" });
  assert.match(textOf(await repaired.promise), /damaged/);
  await storage.write(sql`CREATE TABLE after (x)`);
  await until("the thread has ended", () => storage.isResting());
  assert.deepEqual(await storage.read(sql`SELECT count(*) AS n FROM after`), [{ n: 0 }]);
});

test("a thread that starts again after a write reads the new data", async () => {
  using dir = await filled();
  await using storage = await storageOf(dir);
  await storage.read(query);
  await until("the thread has ended", () => storage.isResting());
  await storage.write(sql`DELETE FROM thing WHERE rowid > 7`);
  assert.deepEqual(await storage.read(query), [{ n: 7 }]);
});
