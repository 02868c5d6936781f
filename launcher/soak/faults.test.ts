// What the launcher does while fsync fails, at a small scale: `npm run soak` lets every kind of call fail.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../tools/engines/locate.ts";
import { fsyncFails, withFaults } from "./faults.ts";

const skip = process.platform === "linux" ? skipWithout("gcc") : "not run: the shim is for Linux";

test("what was acknowledged after fsyncs that failed survives a kill, a start and a power cut", { skip }, async (t) => {
  const plan = { failing: fsyncFails, when: "every", end: "killed", seed: 2, answers: 200, cuts: 60 } as const;
  const { faults, answers, acknowledged, wrong } = await withFaults(plan);
  t.diagnostic(`${faults} fsyncs failed, ${acknowledged} acknowledged, answers ${JSON.stringify([...answers])}`);
  assert.deepEqual(wrong, []);
  assert.ok((answers.get(503) ?? 0) > 0, "what could not be kept was refused");
});
