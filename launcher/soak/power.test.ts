// The harness of power cuts at a small scale: `npm run soak` cuts more often.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../tools/engines/locate.ts";
import { cutPower } from "./power.ts";

const skip = process.platform === "linux" ? skipWithout("gcc") : "not run: the recorder is for Linux";

test("no acknowledged event is lost when the power fails, and a disk that lies about syncs loses some", {
  skip,
}, async (t) => {
  const plan = { acknowledgements: 600, untilIdle: false, cuts: 40, controlCuts: 20, seed: 5 };
  const { operations, acknowledged, kept, controls } = await cutPower(plan);
  t.diagnostic(`${operations} operations, ${acknowledged} acknowledged`);
  for (const [model, found] of Object.entries(kept)) {
    assert.deepEqual(found.examples, [], `${model} of the unsynced writes survive`);
    assert.equal(found.cuts, plan.cuts);
    assert.ok(found.checks > 0);
  }
  for (const [syncs, { losses }] of Object.entries(controls)) assert.ok(losses > 0, `syncs ${syncs}: nothing was lost`);
});
