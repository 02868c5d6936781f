// A short run of the fault harness, with failing fsync calls. `npm run soak` covers every call.
import assert from "node:assert/strict";
import { test } from "vitest";
import { cannot } from "../../tools/engines/cannot.ts";
import { skipWithout } from "../../tools/engines/locate.ts";
import { fsyncFails, runWithFaults } from "./faults.ts";

const skip = cannot.readProc || skipWithout("gcc");

test("events acknowledged while fsync fails survive a kill, a restart and a power cut", { skip }, async () => {
  const plan = { failing: fsyncFails, when: "every", end: "killed", seed: 2, answers: 200, cuts: 60 } as const;
  const { faults, answers, acknowledged, wrong } = await runWithFaults(plan);
  console.log(`${faults} fsyncs failed, ${acknowledged} acknowledged, answers ${JSON.stringify([...answers])}`);
  assert.deepEqual(wrong, []);
  assert.ok((answers.get(503) ?? 0) > 0, "events that could not be stored were refused");
});
