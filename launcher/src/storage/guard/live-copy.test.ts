// Tests of the live copy: after every commit it has exactly the content of the database.
import assert from "node:assert/strict";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "vitest";
import { openConnection } from "../connection.ts";
import { dataDirAt } from "../data-dir.ts";
import { createLiveCopy, type LiveCopy } from "./live-copy.ts";

/** A small cache, so that large transactions write to the log before they commit. */
const setUp = `
  PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF; PRAGMA cache_size = 20;
  CREATE TABLE thing (id INTEGER PRIMARY KEY, body BLOB); CREATE INDEX thing_body ON thing (body);
`;

async function open(t: TestContext) {
  const dir = dataDirAt(mkdtempSync(join(tmpdir(), "kit-copy-")));
  const database = openConnection(dir.database, "write");
  database.exec(setUp);
  const copy = (await createLiveCopy(dir, database, () => true)) as LiveCopy;
  t.onTestFinished(() => {
    copy.close();
    database.close();
    rmSync(dir.path, { recursive: true });
  });
  return { dir, database, copy };
}

/** Random numbers below `limit`, the same in each run. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const insert = (rows: number) =>
  `INSERT INTO thing (body) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
   SELECT randomblob(200 + random() % 100) FROM n;`;

/** What a launcher does to the database between two updates of the copy, and what SQLite does by itself. */
const steps: readonly ((random: (limit: number) => number) => string)[] = [
  (random) => insert(1 + random(20)),
  (random) => `DELETE FROM thing WHERE id % ${2 + random(5)} = 0;`,
  (random) => `BEGIN; ${insert(300 + random(300))} COMMIT;`,
  // Written to the log, but never committed.
  (random) => `BEGIN; ${insert(300 + random(300))} ROLLBACK; ${insert(1)}`,
  () => "PRAGMA wal_checkpoint(PASSIVE);",
  () => "PRAGMA wal_checkpoint(TRUNCATE);",
  () => "PRAGMA incremental_vacuum(50);",
];

const contentOf = (path: string | DatabaseSync): unknown => {
  const database = typeof path === "string" ? new DatabaseSync(path) : path;
  const rows = database.prepare("SELECT id, hex(body) AS body FROM thing").all();
  const check = database.prepare("PRAGMA integrity_check").get();
  if (typeof path === "string") database.close();
  return { rows, check };
};

/** The rows are random, so a fixed byte would sometimes change nothing. */
function flipBit(path: string, at: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.from([(readFileSync(path)[at] ?? 0) ^ 1]), 0, 1, at);
  closeSync(file);
}

test("the copy matches the database after any commits, rollbacks, checkpoints and vacuums", async (t) => {
  const { dir, database, copy } = await open(t);
  const random = randomFrom(1);
  const written = join(dir.path, "written.db");
  let frames = 0;
  for (let round = 0; round < 150; round += 1) {
    const step = steps[random(steps.length)] ?? steps[0];
    database.exec(step?.(random) ?? "");
    assert.equal(copy.applyCommits(), true);
    assert.equal(copy.isWalUnchanged(), true);
    frames = Math.max(frames, Number(database.prepare("PRAGMA wal_checkpoint(NOOP)").get()?.log));
    if (round % 10 > 0) continue;
    rmSync(written, { force: true });
    writeFileSync(written, "");
    copy.copyInto(written);
    assert.deepEqual(contentOf(written), contentOf(database), `round ${round}`);
  }
  assert.ok(frames > 100, "the log was in use");
});

test("nothing is copied from a log that another program wrote to", async (t) => {
  for (const [name, spoil] of Object.entries({
    emptied: (wal: string) => truncateSync(wal),
    garbage: (wal: string) => writeFileSync(wal, Buffer.alloc(statSync(wal).size, "garbage ")),
    "one byte of the last page": (wal: string) => flipBit(wal, statSync(wal).size - 100),
  })) {
    const { dir, database, copy } = await open(t);
    database.exec(insert(5));
    assert.equal(copy.applyCommits(), true);
    const before = contentOf(database);
    database.exec(insert(5));
    spoil(`${dir.database}-wal`);
    assert.equal(copy.applyCommits(), false, name);
    const written = join(dir.path, "written.db");
    writeFileSync(written, "");
    copy.copyInto(written);
    assert.deepEqual(contentOf(written), before, name);
  }
});

test("an overwrite of log pages that were already copied is detected", async (t) => {
  const { dir, database, copy } = await open(t);
  database.exec(insert(50));
  assert.equal(copy.applyCommits(), true);
  assert.equal(copy.isWalUnchanged(), true);
  flipBit(`${dir.database}-wal`, 2_000);
  assert.equal(copy.isWalUnchanged(), false);
});

test("a copy that is no longer wanted leaves no file behind", async (t) => {
  const { dir, database } = await open(t);
  const before = readdirSync(dir.liveCopy);
  await assert.rejects(
    createLiveCopy(dir, database, () => false),
    /no longer wanted/,
  );
  assert.deepEqual(readdirSync(dir.liveCopy), before);
});
