// From one run of the capture to another: no footage is lost between them, and a poor picture does not stay for ever.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createQualityRecovery } from "./quality-recovery.ts";
import { offer, stage } from "./test/supervised.ts";

const slow = { frames: 5 };
const minute = 60;

test("a step down begins the next run first, and ends the old one when the new one's pictures are in", () => {
  const { supervisor, deliver, underWay, kept } = stage();
  supervisor.capture(offer("best less"));
  deliver(7.25, slow);
  assert.deepEqual(underWay(), ["best", "less"]);
  const before = kept.length;
  deliver(1, { ...slow, mute: "less" });
  assert.equal(kept.length, before + 4, "the old one's footage is kept meanwhile");
  assert.equal(supervisor.status().level, 0);
  deliver(0.25);
  assert.deepEqual(underWay(), ["less"]);
  assert.equal(supervisor.status().level, 1);
  deliver(1);
  assert.equal(kept.length, before + 10, "one quarter of a second is there twice, none is missing");
  assert.deepEqual([supervisor.status().lostSeconds, supervisor.status().restarts], [0, 0]);
});

test("pictures of the new run wait until the old one's reach them, and come after those", () => {
  const { supervisor, deliver, runs, kept, clock } = stage();
  supervisor.capture(offer("a"));
  deliver(1);
  supervisor.capture(offer("b", 0, 2));
  clock.pass(250);
  const endMs = clock.wallMs() - 30;
  const quarter = { startMs: endMs - 200, endMs, frames: 6, deltaBytes: 9_000 };
  runs[1]?.events.onFragment(quarter);
  assert.equal(kept.includes(quarter), false);
  const old = { ...quarter, startMs: endMs - 260, endMs: endMs - 10 };
  runs[0]?.events.onFragment(old);
  assert.deepEqual(kept.slice(-2), [old, quarter]);
  assert.equal(runs[0]?.isOver, true);
  assert.equal(supervisor.status().choice, 2);
});

test("a new run that delivers nothing within five seconds is given up, and the old one goes on", () => {
  const { supervisor, deliver, underWay, stale, ended } = stage();
  supervisor.capture(offer("a"));
  deliver(1);
  supervisor.capture(offer("b", 0, 2));
  deliver(4.75, { mute: "b" });
  assert.deepEqual(underWay(), ["a", "b"]);
  deliver(0.5, { mute: "b" });
  assert.deepEqual(underWay(), ["a"]);
  assert.equal(stale(), 1, "another command may be wanted");
  assert.deepEqual(ended.at(-1), { why: "no footage came for 5 s", againInMs: null });
  const { phase, choice, lostSeconds } = supervisor.status();
  assert.deepEqual({ phase, choice, lostSeconds }, { phase: "recording", choice: 1, lostSeconds: 0 });
  supervisor.capture(offer("b", 0, 3));
  deliver(1);
  assert.deepEqual(underWay(), ["b"]);
  assert.equal(supervisor.status().choice, 3);
});

test("an old run that ends before its successor delivers is replaced by it without a pause", () => {
  const { supervisor, deliver, runs, underWay } = stage();
  supervisor.capture(offer("a"));
  deliver(1);
  supervisor.capture(offer("b", 0, 2));
  runs[0]?.end("ffmpeg ended with 1");
  assert.deepEqual(underWay(), ["b"]);
  assert.equal(supervisor.status().phase, "starting");
  deliver(1);
  const { phase, restarts } = supervisor.status();
  assert.deepEqual({ phase, restarts }, { phase: "recording", restarts: 1 });
});

test("rest ends both runs of a handover", async () => {
  const { supervisor, deliver, underWay } = stage();
  supervisor.capture(offer("a"));
  deliver(1);
  supervisor.capture(offer("b", 0, 2));
  assert.deepEqual(underWay(), ["a", "b"]);
  await supervisor.rest();
  assert.deepEqual(underWay(), []);
  assert.equal(supervisor.status().phase, "idle");
});

test("what was given up is tried again after a calm minute, one level at a time", () => {
  const { supervisor, deliver, underWay } = stage();
  supervisor.capture(offer("best less least", 2));
  deliver(minute - 1);
  assert.deepEqual(underWay(), ["least"]);
  deliver(2);
  assert.deepEqual(underWay(), ["less"]);
  deliver(minute + 1);
  assert.deepEqual(underWay(), ["best"]);
  assert.equal(supervisor.status().level, 0);
  deliver(3 * minute);
  assert.deepEqual(underWay(), ["best"]);
  assert.deepEqual([supervisor.status().lostSeconds, supervisor.status().restarts], [0, 0]);
});

test("nothing more is tried while a clip is under way, the machine is busy, or frames are missing", () => {
  const { supervisor, deliver, underWay, machine } = stage();
  supervisor.capture(offer("best less", 1));
  machine.isHeld = true;
  deliver(2 * minute);
  machine.isHeld = false;
  machine.load = 0.85;
  deliver(minute);
  deliver(8, { frames: 7 });
  machine.load = 0.1;
  deliver(minute, { frames: 7 });
  assert.deepEqual(underWay(), ["less"]);
  deliver(8);
  assert.deepEqual(underWay(), ["best"]);
});

test("a capture that has to step down again waits twice as long each time", () => {
  const { supervisor, deliver, underWay } = stage();
  supervisor.capture(offer("best less", 1));
  for (const minutes of [1, 2, 4]) {
    deliver(minutes * minute - 3);
    assert.deepEqual(underWay(), ["less"], `before ${minutes} min`);
    deliver(4);
    assert.deepEqual(underWay(), ["best"], `after ${minutes} min`);
    deliver(7.5, slow);
    assert.deepEqual(underWay(), ["less"]);
  }
});

test("the pause before more is tried grows to half an hour, and is short again after what lasted", () => {
  let nowMs = 0;
  const climb = createQualityRecovery({ climbFirstMs: 60_000, climbMostMs: 1_800_000 }, () => nowMs);
  const pause = () => {
    const beganMs = nowMs;
    while (!climb.isDue()) nowMs += 1_000;
    return (nowMs - beganMs) / 60_000;
  };
  const pauses: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    pauses.push(pause());
    climb.climbed();
    nowMs += 10_000;
    climb.stepped();
  }
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 30, 30]);
  climb.climbed();
  nowMs += 1_800_000;
  climb.stepped();
  assert.equal(pause(), 1);
  climb.failed();
  assert.equal(pause(), 2);
});
