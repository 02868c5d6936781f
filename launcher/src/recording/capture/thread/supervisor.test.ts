// Tests of the supervisor with fake runs and a fake clock: what ends a run, when the next one starts, and what is counted.

import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { test } from "vitest";
import { config, superviseFakeRuns } from "./test/supervised.ts";

test("the phase is starting until footage arrives, and recording only while it arrives", () => {
  const { supervisor, deliver, running, clock } = superviseFakeRuns();
  assert.equal(supervisor.status().phase, "idle");
  supervisor.capture(config("a"));
  assert.equal(supervisor.status().phase, "starting");
  running().events.onFragment({ startMs: 0, endMs: 0, frames: 0, deltaBytes: null });
  assert.equal(supervisor.status().phase, "starting", "sound alone does not count as recording");
  deliver(1);
  assert.equal(supervisor.status().phase, "recording");
  clock.pass(2_100);
  assert.equal(supervisor.status().phase, "starting");
  assert.equal(textOf(supervisor.status().why ?? ""), "no footage came for 2 s");
});

test("an unexpected end is a failure, and the next run starts a quarter of a second later", () => {
  const { supervisor, deliver, running, clock, runs, ended } = superviseFakeRuns();
  supervisor.capture(config("a"));
  deliver(1);
  running().end("ffmpeg ended with 0");
  assert.deepEqual(ended, [{ reason: "ffmpeg ended with 0", restartInMs: 250 }]);
  clock.pass(249);
  assert.equal(runs.length, 1);
  clock.pass(1);
  assert.equal(runs.length, 2);
  deliver(0.5);
  const { phase, restarts, lostSeconds } = supervisor.status();
  assert.deepEqual({ phase, restarts }, { phase: "recording", restarts: 1 });
  assert.ok(lostSeconds >= 0.2 && lostSeconds <= 0.5, `${lostSeconds} s lost`);
});

test("consecutive failures wait longer, up to ten seconds, and a healthy minute resets the backoff", () => {
  const { supervisor, deliver, running, clock, ended, failedChoices } = superviseFakeRuns();
  supervisor.capture(config("a"));
  for (let failure = 0; failure < 8; failure += 1) {
    running().end("ffmpeg ended with 1");
    clock.pass(ended.at(-1)?.restartInMs ?? 0);
  }
  assert.deepEqual(
    ended.map(({ restartInMs }) => restartInMs),
    [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000],
  );
  assert.equal(supervisor.status().phase, "broken");
  assert.equal(failedChoices(), 8, "each run without footage is reported as a failed choice");
  deliver(61);
  assert.equal(supervisor.status().phase, "recording");
  running().end("ffmpeg ended with 1");
  assert.equal(ended.at(-1)?.restartInMs, 250);
});

test("a run that never delivers is ended after eight seconds, and then the recorder is broken", () => {
  const { supervisor, clock, ended } = superviseFakeRuns();
  supervisor.capture(config("a"));
  clock.pass(8_100);
  assert.equal(ended[0]?.reason, "no footage came for 8 s");
  assert.equal(supervisor.status().phase, "broken");
});

test("silence is no failure of ffmpeg if the launcher itself was suspended", () => {
  const { supervisor, deliver, clock, ended } = superviseFakeRuns();
  supervisor.capture(config("a"));
  deliver(1);
  clock.sleep(20_000);
  clock.pass(10);
  assert.deepEqual(ended, []);
  deliver(1);
  assert.deepEqual(ended, []);
  clock.pass(2_100);
  assert.equal(ended.length, 1, "silence after the suspension is noticed");
});

test("after the computer slept, a new run starts, and the time asleep is not lost", () => {
  const { supervisor, deliver, clock, ended } = superviseFakeRuns();
  supervisor.capture(config("a"));
  deliver(2);
  clock.wake(8 * 3_600_000);
  assert.equal(ended.length, 0, "it was no silence of ffmpeg");
  deliver(0.25);
  assert.equal(ended[0]?.reason, "the computer slept, or its clock was set");
  deliver(1);
  assert.equal(supervisor.status().phase, "recording");
  assert.ok(supervisor.status().lostSeconds < 1, `${supervisor.status().lostSeconds} s`);
});

test("setting the clock starts a new run, and later footage of the old run is discarded", () => {
  const { supervisor, deliver, clock, ended, fragments } = superviseFakeRuns();
  supervisor.capture(config("a"));
  deliver(2);
  const before = fragments.length;
  clock.set(-3_000);
  deliver(0.25);
  assert.equal(fragments.length, before);
  assert.equal(ended[0]?.reason, "the computer slept, or its clock was set");
  deliver(1);
  assert.equal(supervisor.status().phase, "recording");
  assert.ok(supervisor.status().lostSeconds < 1);
});

test("on a slow machine, quality is reduced step by step, at once and without counting restarts", () => {
  const { supervisor, deliver, running } = superviseFakeRuns();
  supervisor.capture(config("best less least"));
  deliver(8, { frames: 5 });
  assert.deepEqual(running().args, ["less"]);
  deliver(8, { frames: 5 });
  assert.deepEqual(running().args, ["least"]);
  deliver(20, { frames: 5 });
  assert.deepEqual(running().args, ["least"]);
  const { level: at, restarts, phase } = supervisor.status();
  assert.deepEqual({ at, restarts, phase }, { at: 2, restarts: 0, phase: "recording" });
});

test("a picture that never changed is mentioned when the game sends events, and its capture goes on", () => {
  const { supervisor, deliver, runs } = superviseFakeRuns();
  supervisor.capture(config("a"));
  deliver(15, { deltaBytes: 40 });
  assert.equal(supervisor.status().unchangedSeconds, 0, "without events, nobody expects a change");
  supervisor.noteGameEvent();
  assert.ok(supervisor.status().unchangedSeconds >= 10);
  deliver(15, { deltaBytes: 40 });
  supervisor.noteGameEvent();
  assert.deepEqual([runs.length, runs[0]?.hasEnded], [1, false], "a game may show a still picture");
  deliver(1, { deltaBytes: 9_000 });
  assert.equal(supervisor.status().unchangedSeconds, 0);
});

test("changed settings start a new run at once, equal settings change nothing", () => {
  const { supervisor, deliver, runs, running } = superviseFakeRuns();
  supervisor.capture(config("a"));
  deliver(1);
  supervisor.capture(config("a"));
  assert.equal(runs.length, 1);
  supervisor.capture(config("b", 0, 2));
  deliver(1);
  assert.deepEqual(running().args, ["b"]);
  assert.equal(supervisor.status().restarts, 0);
});

test("a size that ffmpeg would not notice starts a new run of the same command", () => {
  const { supervisor, deliver, runs } = superviseFakeRuns();
  const ofSize = (width: number) => {
    const { levels, ...rest } = config("a");
    return { ...rest, levels: levels.map((one) => ({ ...one, listedSize: { width, height: 480 } })) };
  };
  supervisor.capture(ofSize(640));
  deliver(1);
  supervisor.capture(ofSize(640));
  assert.equal(runs.length, 1);
  supervisor.capture(ofSize(800));
  assert.deepEqual([runs.length, runs[0]?.hasEnded], [2, false]);
  deliver(1);
  assert.equal(runs[0]?.hasEnded, true);
  assert.equal(supervisor.status().restarts, 0);
});

test("stop ends the run, resolves after its exit, and starts no other run", async () => {
  const { supervisor, deliver, runs, clock } = superviseFakeRuns();
  supervisor.capture(config("a"));
  deliver(1);
  await supervisor.stop();
  assert.equal(runs[0]?.hasEnded, true);
  clock.pass(60_000);
  assert.equal(runs.length, 1);
  assert.equal(supervisor.status().phase, "idle");
  supervisor.capture(config("a"));
  deliver(1);
  assert.equal(supervisor.status().phase, "recording");
});
