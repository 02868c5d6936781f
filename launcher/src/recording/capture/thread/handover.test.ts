// Tests of handovers between simulated runs: no footage is lost, and a reduced quality is raised again.
import assert from "node:assert/strict";
import { test } from "vitest";
import { config, superviseFakeRuns } from "./test/supervised.ts";
import { QualityRecovery } from "./timeouts.ts";

const slow = { frames: 5 };
const minute = 60;

test("a step down starts the new run first, and ends the old one when the new one has delivered pictures", () => {
  const { supervisor, deliver, activeRuns, fragments } = superviseFakeRuns();
  supervisor.capture(config("best less"));
  deliver(7.25, slow);
  assert.deepEqual(activeRuns(), ["best", "less"]);
  const before = fragments.length;
  deliver(1, { ...slow, mute: "less" });
  assert.equal(fragments.length, before + 4, "meanwhile the old run's fragments are used");
  assert.equal(supervisor.status().level, 0);
  deliver(0.25);
  assert.deepEqual(activeRuns(), ["less"]);
  assert.equal(supervisor.status().level, 1);
  deliver(1);
  assert.equal(fragments.length, before + 10, "one quarter of a second is there twice, and none is missing");
  assert.deepEqual([supervisor.status().lostSeconds, supervisor.status().restarts], [0, 0]);
});

test("pictures of the new run wait until the old run has reached them", () => {
  const { supervisor, deliver, runs, fragments, clock } = superviseFakeRuns();
  supervisor.capture(config("a"));
  deliver(1);
  supervisor.capture(config("b", 0, 2));
  clock.pass(250);
  const endMs = clock.wallMs() - 30;
  const quarter = { startMs: endMs - 200, endMs, frames: 6, deltaBytes: 9_000 };
  runs[1]?.events.onFragment(quarter);
  assert.equal(fragments.includes(quarter), false);
  const old = { ...quarter, startMs: endMs - 260, endMs: endMs - 10 };
  runs[0]?.events.onFragment(old);
  assert.deepEqual(fragments.slice(-2), [old, quarter]);
  assert.equal(runs[0]?.hasEnded, true);
  assert.equal(supervisor.status().choiceId, 2);
});

test("a new run without footage for five seconds is ended, and the old run continues", () => {
  const { supervisor, deliver, activeRuns, failedChoices, ended } = superviseFakeRuns();
  supervisor.capture(config("a"));
  deliver(1);
  supervisor.capture(config("b", 0, 2));
  deliver(4.75, { mute: "b" });
  assert.deepEqual(activeRuns(), ["a", "b"]);
  deliver(0.5, { mute: "b" });
  assert.deepEqual(activeRuns(), ["a"]);
  assert.equal(failedChoices(), 1, "the choice is reported as failed");
  assert.deepEqual(ended.at(-1), { reason: "no footage came for 5 s", restartInMs: null });
  const { phase, choiceId: choice, lostSeconds } = supervisor.status();
  assert.deepEqual({ phase, choice, lostSeconds }, { phase: "recording", choice: 1, lostSeconds: 0 });
  supervisor.capture(config("b", 0, 3));
  deliver(1);
  assert.deepEqual(activeRuns(), ["b"]);
  assert.equal(supervisor.status().choiceId, 3);
});

test("an old run that ends before its successor delivers is replaced by it without a pause", () => {
  const { supervisor, deliver, runs, activeRuns } = superviseFakeRuns();
  supervisor.capture(config("a"));
  deliver(1);
  supervisor.capture(config("b", 0, 2));
  runs[0]?.end("ffmpeg ended with 1");
  assert.deepEqual(activeRuns(), ["b"]);
  assert.equal(supervisor.status().phase, "starting");
  deliver(1);
  const { phase, restarts } = supervisor.status();
  assert.deepEqual({ phase, restarts }, { phase: "recording", restarts: 1 });
});

test("stop ends both runs of a handover", async () => {
  const { supervisor, deliver, activeRuns } = superviseFakeRuns();
  supervisor.capture(config("a"));
  deliver(1);
  supervisor.capture(config("b", 0, 2));
  assert.deepEqual(activeRuns(), ["a", "b"]);
  await supervisor.stop();
  assert.deepEqual(activeRuns(), []);
  assert.equal(supervisor.status().phase, "idle");
});

test("a higher quality is tried again after a healthy minute, one level at a time", () => {
  const { supervisor, deliver, activeRuns } = superviseFakeRuns();
  supervisor.capture(config("best less least", 2));
  deliver(minute - 1);
  assert.deepEqual(activeRuns(), ["least"]);
  deliver(2);
  assert.deepEqual(activeRuns(), ["less"]);
  deliver(minute + 1);
  assert.deepEqual(activeRuns(), ["best"]);
  assert.equal(supervisor.status().level, 0);
  deliver(3 * minute);
  assert.deepEqual(activeRuns(), ["best"]);
  assert.deepEqual([supervisor.status().lostSeconds, supervisor.status().restarts], [0, 0]);
});

test("a higher quality is not tried while footage is held, the machine is busy, or frames are missing", () => {
  const { supervisor, deliver, activeRuns, machine } = superviseFakeRuns();
  supervisor.capture(config("best less", 1));
  machine.isHeld = true;
  deliver(2 * minute);
  machine.isHeld = false;
  machine.load = 0.85;
  deliver(minute);
  deliver(8, { frames: 7 });
  machine.load = 0.1;
  deliver(minute, { frames: 7 });
  assert.deepEqual(activeRuns(), ["less"]);
  deliver(8);
  assert.deepEqual(activeRuns(), ["best"]);
});

test("after each failed raise, the pause doubles", () => {
  const { supervisor, deliver, activeRuns } = superviseFakeRuns();
  supervisor.capture(config("best less", 1));
  for (const minutes of [1, 2, 4]) {
    deliver(minutes * minute - 3);
    assert.deepEqual(activeRuns(), ["less"], `before ${minutes} min`);
    deliver(4);
    assert.deepEqual(activeRuns(), ["best"], `after ${minutes} min`);
    deliver(7.5, slow);
    assert.deepEqual(activeRuns(), ["less"]);
  }
});

test("the pause grows to half an hour, and is short again after a lasting success", () => {
  let nowMs = 0;
  const climb = new QualityRecovery({ recoveryFirstMs: 60_000, recoveryMaxMs: 1_800_000 }, () => nowMs);
  const pause = () => {
    const beganMs = nowMs;
    while (!climb.isDue()) nowMs += 1_000;
    return (nowMs - beganMs) / 60_000;
  };
  const pauses: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    pauses.push(pause());
    climb.markRaised();
    nowMs += 10_000;
    climb.markReduced();
  }
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 30, 30]);
  climb.markRaised();
  nowMs += 1_800_000;
  climb.markReduced();
  assert.equal(pause(), 1);
  climb.markFailed();
  assert.equal(pause(), 2);
});
