// Tests of the launcher's start time, by a clock that may be set meanwhile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createStartTimeReader } from "./recording.ts";

test("the start time stays the same while the clock runs, or is set forward", () => {
  let nowMs = 1_000_000;
  let passedMs = 50;
  const startedAtMs = createStartTimeReader(
    () => nowMs,
    () => passedMs,
  );
  assert.equal(startedAtMs(), 1_000_000);
  [nowMs, passedMs] = [1_060_000, 60_050];
  assert.equal(startedAtMs(), 1_000_000);
  nowMs += 3_600_000;
  assert.equal(startedAtMs(), 1_000_000);
});

test("after a clock is set back by an hour, no moment is older than the launcher", () => {
  let nowMs = 10_000_000;
  let passedMs = 50;
  const startedAtMs = createStartTimeReader(
    () => nowMs,
    () => passedMs,
  );
  [nowMs, passedMs] = [10_060_000 - 3_600_000, 60_050];
  assert.equal(startedAtMs(), 10_000_000 - 3_600_000);
});
