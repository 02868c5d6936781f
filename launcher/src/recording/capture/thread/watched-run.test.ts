// Tests of the watchdogs: their decisions, based on times and counts.

import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { test } from "vitest";
import { backoffMs, captureTimeouts } from "./timeouts.ts";
import { type FragmentArrival, StreamWatch } from "./watched-run.ts";

const pixels = 1280 * 720;
const startMs = 1_800_000_000_000;

type Feed = {
  readonly seconds: number;
  readonly framesASecond?: number;
  readonly latenessMs?: (atMs: number) => number;
  readonly deltaBytes?: (atMs: number) => number;
  readonly wallAheadMs?: (atMs: number) => number;
};

/** Judges four fragments a second of a healthy capture, with optional changes. Returns the verdicts that are not good. */
function feed(
  watch: StreamWatch,
  { seconds, framesASecond = 30, ...faults }: Feed,
): { atMs: number; is: string; why: string }[] {
  const { latenessMs = () => 40, deltaBytes = () => 9_000, wallAheadMs = () => 0 } = faults;
  const found: { atMs: number; is: string; why: string }[] = [];
  let frames = 0;
  for (let atMs = 250; atMs <= seconds * 1_000; atMs += 250) {
    const due = Math.floor((atMs * framesASecond) / 1_000);
    const wallMs = startMs + atMs + wallAheadMs(atMs);
    const endMs = wallMs - latenessMs(atMs);
    const arrival: FragmentArrival = {
      wallMs,
      monoMs: 5_000 + atMs,
      startMs: endMs - 250,
      endMs,
      frames: due - frames,
      deltaBytes: deltaBytes(atMs),
    };
    frames = due;
    const verdict = watch.judge(arrival);
    if (verdict.is !== "good") found.push({ ...verdict, atMs, why: textOf(verdict.why) });
  }
  return found;
}

const watchOf = (frameRate: number | null = 30) => new StreamWatch(frameRate, pixels, captureTimeouts);

test("a healthy capture is good, and its frame rate is measured", () => {
  const watch = watchOf();
  assert.deepEqual(feed(watch, { seconds: 60 }), []);
  assert.ok(Math.abs(watch.frameRate() - 30) < 1, `${watch.frameRate()} frames a second`);
});

test("setting the clock forward or back is detected at the next fragment, which is discarded", () => {
  for (const step of [3_600_000, 300, -3_000, -250]) {
    const watch = watchOf();
    const found = feed(watch, { seconds: 6, wallAheadMs: (atMs) => (atMs > 3_000 ? step : 0) });
    assert.equal(found[0]?.is, "renew", `a step of ${step} ms`);
    assert.equal(found[0]?.atMs, 3_250);
    assert.equal((found[0] as { keep?: boolean }).keep, false);
  }
});

test("a slowly adjusted clock does not count as set", () => {
  const found = feed(watchOf(), { seconds: 120, wallAheadMs: (atMs) => atMs / 200 });
  assert.deepEqual(found, []);
});

test("footage from the future is never kept", () => {
  const found = feed(watchOf(), { seconds: 1, latenessMs: () => -80 });
  assert.deepEqual(found[0], {
    atMs: 250,
    is: "renew",
    why: "the times of the footage are in the future",
    keep: false,
  });
});

test("lateness over three seconds counts only if it lasts, so that a late burst has no effect", () => {
  const burst = feed(watchOf(), { seconds: 6, latenessMs: (atMs) => (atMs > 2_000 && atMs <= 2_750 ? 4_000 : 40) });
  assert.deepEqual(burst, []);
  const lasting = feed(watchOf(), { seconds: 6, latenessMs: (atMs) => (atMs > 2_000 ? 4_000 : 40) });
  assert.equal(lasting[0]?.is, "renew");
  assert.equal(lasting[0]?.atMs, 3_250);
});

test("too few frames are an overload after five seconds, and not before the start has settled", () => {
  const found = feed(watchOf(), { seconds: 8, framesASecond: 24 });
  assert.equal(found[0]?.is, "overload");
  assert.ok((found[0]?.atMs ?? 0) >= 7_000 && (found[0]?.atMs ?? 0) <= 7_500, `at ${found[0]?.atMs} ms`);
  assert.match(found[0]?.why ?? "", /^2[34]\.\d of 30 frames a second arrived$/);
  assert.deepEqual(feed(watchOf(), { seconds: 20, framesASecond: 26 }), [], "26 of 30 are enough");
});

test("a source with a variable rate is never overloaded", () => {
  assert.deepEqual(feed(watchOf(null), { seconds: 20, framesASecond: 8 }), []);
});

test("a permanent queue before the encoder is an overload even if every frame arrives", () => {
  const found = feed(watchOf(), { seconds: 12, latenessMs: (atMs) => Math.min(1_500, 40 + atMs / 2) });
  assert.equal(found[0]?.is, "overload");
  assert.match(found[0]?.why ?? "", /^the encoder is 1\.\d s behind$/);
});

test("a pause of the whole machine is no overload", () => {
  const watch = watchOf();
  feed(watch, { seconds: 10 });
  const after = { wallMs: startMs + 14_000, monoMs: 19_000, startMs: startMs + 10_000, endMs: startMs + 13_960 };
  assert.deepEqual(watch.judge({ ...after, frames: 8, deltaBytes: 9_000 }), { is: "good" });
  const next = { wallMs: startMs + 14_250, monoMs: 19_250, startMs: startMs + 13_960, endMs: startMs + 14_210 };
  assert.deepEqual(watch.judge({ ...next, frames: 8, deltaBytes: 9_000 }), { is: "good" });
});

test("an unchanged picture is distinguished from one with small changes", () => {
  const still = watchOf();
  feed(still, { seconds: 12, deltaBytes: () => 60 });
  assert.equal(still.unchangedMs(), 11_750);
  assert.equal(still.hasMoved, false);
  const blinking = watchOf();
  feed(blinking, { seconds: 12, deltaBytes: (atMs) => (atMs % 1_000 === 0 ? 900 : 60) });
  assert.ok(blinking.unchangedMs() < 1_000);
  assert.equal(blinking.hasMoved, true);
});

test("the backoff doubles from a quarter of a second to ten seconds", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 50].map((failures) => backoffMs(failures, captureTimeouts));
  assert.deepEqual(waits, [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});
