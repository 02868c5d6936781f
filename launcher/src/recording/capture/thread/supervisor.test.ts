// The supervisor with runs and a clock of the test's own: what ends a run, when the next begins, and what is counted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { offer, stage } from "./test/supervised.ts";

test("it says starting until footage came, and recording only while it comes", () => {
  const { supervisor, deliver, running, clock } = stage();
  assert.equal(supervisor.status().phase, "idle");
  supervisor.capture(offer("a"));
  assert.equal(supervisor.status().phase, "starting");
  running().events.onFragment({ startMs: 0, endMs: 0, frames: 0, deltaBytes: null });
  assert.equal(supervisor.status().phase, "starting", "sound alone is no recording");
  deliver(1);
  assert.equal(supervisor.status().phase, "recording");
  clock.pass(2_100);
  assert.equal(supervisor.status().phase, "starting");
  assert.equal(supervisor.status().why, "no footage came for 2 s");
});

test("a run that ends unasked is a failure, and the next begins a quarter of a second later", () => {
  const { supervisor, deliver, running, clock, runs, ended } = stage();
  supervisor.capture(offer("a"));
  deliver(1);
  running().end("ffmpeg ended with 0");
  assert.deepEqual(ended, [{ why: "ffmpeg ended with 0", againInMs: 250 }]);
  clock.pass(249);
  assert.equal(runs.length, 1);
  clock.pass(1);
  assert.equal(runs.length, 2);
  deliver(0.5);
  const { phase, restarts, lostSeconds } = supervisor.status();
  assert.deepEqual({ phase, restarts }, { phase: "recording", restarts: 1 });
  assert.ok(lostSeconds >= 0.2 && lostSeconds <= 0.5, `${lostSeconds} s lost`);
});

test("failures in a row wait ever longer, up to ten seconds, and a healthy minute forgets them", () => {
  const { supervisor, deliver, running, clock, ended, stale } = stage();
  supervisor.capture(offer("a"));
  for (let failure = 0; failure < 8; failure += 1) {
    running().end("ffmpeg ended with 1");
    clock.pass(ended.at(-1)?.againInMs ?? 0);
  }
  assert.deepEqual(
    ended.map(({ againInMs }) => againInMs),
    [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000],
  );
  assert.equal(supervisor.status().phase, "broken");
  assert.equal(stale(), 8, "each run without footage asks whether another command is wanted");
  deliver(61);
  assert.equal(supervisor.status().phase, "recording");
  running().end("ffmpeg ended with 1");
  assert.equal(ended.at(-1)?.againInMs, 250);
});

test("a run that never delivers is ended after eight seconds, and then the recorder is broken", () => {
  const { supervisor, clock, ended } = stage();
  supervisor.capture(offer("a"));
  clock.pass(8_100);
  assert.equal(ended[0]?.why, "no footage came for 8 s");
  assert.equal(supervisor.status().phase, "broken");
});

test("a launcher that was stopped itself does not blame ffmpeg for the silence", () => {
  const { supervisor, deliver, clock, ended } = stage();
  supervisor.capture(offer("a"));
  deliver(1);
  clock.sleep(20_000);
  clock.pass(10);
  assert.deepEqual(ended, []);
  deliver(1);
  assert.deepEqual(ended, []);
  clock.pass(2_100);
  assert.equal(ended.length, 1, "silence that goes on is noticed all the same");
});

test("a clock that was set begins a new run, and what the old one still sends is thrown away", () => {
  const { supervisor, deliver, clock, ended, kept } = stage();
  supervisor.capture(offer("a"));
  deliver(2);
  const before = kept.length;
  clock.set(-3_000);
  deliver(0.25);
  assert.equal(kept.length, before);
  assert.equal(ended[0]?.why, "the computer's clock was set");
  deliver(1);
  assert.equal(supervisor.status().phase, "recording");
  assert.ok(supervisor.status().lostSeconds < 1);
});

test("a machine that cannot keep up gives up one thing after the other, at once and without it being a restart", () => {
  const { supervisor, deliver, running } = stage();
  supervisor.capture(offer("best less least"));
  deliver(8, { frames: 5 });
  assert.deepEqual(running().args, ["less"]);
  deliver(8, { frames: 5 });
  assert.deepEqual(running().args, ["least"]);
  deliver(20, { frames: 5 });
  assert.deepEqual(running().args, ["least"]);
  const { level: at, restarts, phase } = supervisor.status();
  assert.deepEqual({ at, restarts, phase }, { at: 2, restarts: 0, phase: "recording" });
});

test("a picture that stands still while the game sends events is begun anew once, when nothing is held", () => {
  const { supervisor, deliver, runs } = stage();
  supervisor.capture(offer("a"));
  deliver(15, { deltaBytes: 40 });
  supervisor.nothingHeld();
  assert.equal(runs.length, 1, "a quiet scene without events is no matter");
  supervisor.eventArrived();
  assert.ok(supervisor.status().stillSeconds >= 10);
  supervisor.nothingHeld();
  deliver(15, { deltaBytes: 40 });
  supervisor.eventArrived();
  supervisor.nothingHeld();
  assert.equal(runs.length, 2, "once is enough: the scene is what it is");
  deliver(1, { deltaBytes: 9_000 });
  assert.equal(supervisor.status().stillSeconds, 0);
});

test("other settings begin a new run at once, the same ones change nothing", () => {
  const { supervisor, deliver, runs, running } = stage();
  supervisor.capture(offer("a"));
  deliver(1);
  supervisor.capture(offer("a"));
  assert.equal(runs.length, 1);
  supervisor.capture(offer("b", 0, 2));
  deliver(1);
  assert.deepEqual(running().args, ["b"]);
  assert.equal(supervisor.status().restarts, 0);
});

test("rest ends the run, resolves when it is gone, and nothing begins again", async () => {
  const { supervisor, deliver, runs, clock } = stage();
  supervisor.capture(offer("a"));
  deliver(1);
  await supervisor.rest();
  assert.equal(runs[0]?.isOver, true);
  clock.pass(60_000);
  assert.equal(runs.length, 1);
  assert.equal(supervisor.status().phase, "idle");
  supervisor.capture(offer("a"));
  deliver(1);
  assert.equal(supervisor.status().phase, "recording");
});
