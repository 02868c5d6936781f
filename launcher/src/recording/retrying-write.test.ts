// What has to be said of a clip is written in the end, and a mistake of ours does not wait for ever.
import assert from "node:assert/strict";
import { test } from "node:test";
import { KitError } from "@kit/contract";
import { sql } from "../storage/sql.ts";
import { createRetryingWrite } from "./components.ts";

const statement = sql`SELECT 1`;
const full = new KitError("storage_unavailable", "The disk is full.");

/** A database that fails as often as it is told to. */
function failing(...faults: Error[]) {
  const said: unknown[] = [];
  let tries = 0;
  const write = async () => {
    tries += 1;
    const fault = faults.shift();
    if (fault !== undefined) throw fault;
  };
  return { write, said, tries: () => tries };
}

test("what a full disk refuses is written when there is room again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { write, said, tries } = failing(full, full);
  const done = createRetryingWrite(write, new AbortController().signal, (error) => said.push(error))(statement);
  while (tries() < 3) {
    await new Promise(setImmediate);
    t.mock.timers.tick(30_000);
  }
  await done;
  assert.deepEqual(said, [full, full]);
});

test("a statement the database does not take is given up at once", async () => {
  const { write, said, tries } = failing(new Error("cannot store REAL value in INTEGER column clip.to_ms"));
  const done = createRetryingWrite(write, new AbortController().signal, (error) => said.push(error))(statement);
  await assert.rejects(done, /cannot store REAL/);
  assert.deepEqual([tries(), said.length], [1, 1]);
});

test("nothing is tried again once the launcher ends", async () => {
  const ended = new AbortController();
  ended.abort();
  const { write, tries } = failing(full, full);
  await assert.rejects(createRetryingWrite(write, ended.signal, () => undefined)(statement), /disk is full/);
  assert.equal(tries(), 1);
});

test("nothing to write is written without asking", async () => {
  const { write, tries } = failing();
  await createRetryingWrite(write, new AbortController().signal, () => undefined)();
  assert.equal(tries(), 0);
});
