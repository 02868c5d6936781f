// Tests of the upkeep timer: how often upkeep runs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startUpkeepTimer } from "./upkeep-timer.ts";

test("upkeep runs every minute while the database is in use, every hour while it is idle, and never after the stop", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let runs = 0;
  let isResting = false;
  const stop = startUpkeepTimer({ run: () => (runs += 1), isResting: () => isResting });
  const runsIn = (minutes: number) => {
    const before = runs;
    for (let minute = 0; minute < minutes; minute += 1) t.mock.timers.tick(60_000);
    return runs - before;
  };
  assert.equal(runsIn(5), 5);
  isResting = true;
  assert.deepEqual([runsIn(59), runsIn(1), runsIn(120)], [0, 1, 2]);
  isResting = false;
  assert.equal(runsIn(2), 2);
  stop();
  assert.equal(runsIn(2), 0);
});
