// Tests of retrying writes: a clip's state is written in the end, and an invalid statement is not retried.
import assert from "node:assert/strict";
import { KitError } from "@kit/contract";
import { test, vi } from "vitest";
import { sql } from "../storage/sql.ts";
import { createRetryingWrite } from "./retrying-write.ts";

const statement = sql`SELECT 1`;
const full = new KitError("storage_unavailable", "The disk is full.");

/** A database that fails with these errors first. */
function failing(...faults: Error[]) {
  const reported: unknown[] = [];
  let tries = 0;
  const write = async () => {
    tries += 1;
    const fault = faults.shift();
    if (fault !== undefined) throw fault;
  };
  return { write, reported, tries: () => tries };
}

test("a write that a full disk refuses is repeated until there is space", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { write, reported, tries } = failing(full, full);
  const done = createRetryingWrite(write, new AbortController().signal, (error) => reported.push(error))(statement);
  while (tries() < 3) {
    await new Promise(setImmediate);
    vi.advanceTimersByTime(30_000);
  }
  await done;
  assert.deepEqual(reported, [full, full]);
});

test("a statement that the database rejects is given up at once", async () => {
  const { write, reported, tries } = failing(new Error("cannot store REAL value in INTEGER column clip.to_ms"));
  const done = createRetryingWrite(write, new AbortController().signal, (error) => reported.push(error))(statement);
  await assert.rejects(done, /cannot store REAL/);
  assert.deepEqual([tries(), reported.length], [1, 1]);
});

test("nothing is retried after the launcher stopped", async () => {
  const ended = new AbortController();
  ended.abort();
  const { write, tries } = failing(full, full);
  await assert.rejects(createRetryingWrite(write, ended.signal, () => undefined)(statement), /disk is full/);
  assert.equal(tries(), 1);
});

test("an empty write does not reach the database", async () => {
  const { write, tries } = failing();
  await createRetryingWrite(write, new AbortController().signal, () => undefined)();
  assert.equal(tries(), 0);
});
