// Tests that the benchmark of senders works. Its cost figures mean nothing here, but every assignment must be right.
import assert from "node:assert/strict";
import { test } from "vitest";
import { cannot } from "../tools/engines/cannot.ts";
import { benched } from "./benched.ts";
import { senders } from "./senders.ts";

test("the reports of three games that send at once are never mixed up, and the cost is judged", {
  skip: cannot.readProc,
}, async () => {
  const { games, costs, targets, report } = await benched("senders", senders);
  assert.equal(games.length, 3);
  assert.ok(games.every(({ reports, wrong }) => reports === 15 && wrong === 0));
  // On a busy computer some senders are not found in time.
  assert.ok(games.some(({ right }) => right > 0));
  assert.ok(costs.every(({ p50Ms, p99Ms }) => p50Ms > 0 && p99Ms >= p50Ms));
  assert.equal(targets.length, 3);
  assert.match(report, /(reached|MISSED) +runs of 3 with a report/);
});
