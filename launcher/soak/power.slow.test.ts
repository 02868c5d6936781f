// A short run of the power cut harness. `npm run soak` tries more cuts.
import assert from "node:assert/strict";
import { test } from "vitest";
import { cannot } from "../../tools/engines/cannot.ts";
import { skipWithout } from "../../tools/engines/locate.ts";
import { testPowerCuts } from "./power.ts";

const skip = cannot.readProc || skipWithout("gcc");

test("no acknowledged event is lost in a power cut, except on a disk that ignores syncs", {
  skip,
}, async () => {
  const plan = { acknowledgements: 600, untilIdle: false, cuts: 40, controlCuts: 20, seed: 5 };
  const { operations, acknowledged, kept, controls } = await testPowerCuts(plan);
  console.log(`${operations} operations, ${acknowledged} acknowledged`);
  for (const [model, found] of Object.entries(kept)) {
    assert.deepEqual(found.examples, [], `${model} of the unsynced writes survive`);
    assert.equal(found.cuts, plan.cuts);
    assert.ok(found.checks > 0);
  }
  for (const [syncs, { losses }] of Object.entries(controls)) assert.ok(losses > 0, `syncs ${syncs}: nothing was lost`);
});
