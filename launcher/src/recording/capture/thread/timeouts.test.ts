// Tests of the clock of a capture. They run under Windows too, where it is not Node's clock.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "vitest";
import { openSteadyClock } from "./timeouts.ts";

/** Wine's clock advances in ticks of this length. */
const tickMs = 16;

test("the clock of a capture runs as fast as Node's while the computer is awake", async () => {
  const steadyMs = openSteadyClock();
  const outerMs = performance.now();
  const beganMs = steadyMs();
  const innerMs = performance.now();
  await pause(200);
  const atLeastMs = performance.now() - innerMs;
  const tookMs = steadyMs() - beganMs;
  const atMostMs = performance.now() - outerMs;
  assert.ok(tookMs >= atLeastMs - tickMs && tookMs <= atMostMs + tickMs, `${atLeastMs} ${tookMs} ${atMostMs}`);
});
