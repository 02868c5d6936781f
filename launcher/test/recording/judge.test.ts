// Tests of the judge itself: it accepts correct footage and finds each kind of error.
import assert from "node:assert/strict";
import { test } from "vitest";
import type { ReadFrame } from "../../../tools/engines/clock-reader.ts";
import type { ClockFrame } from "../../../tools/engines/clock-window.ts";
import { expectedWindows, type Group, groupingFaults } from "./expected.ts";
import { judgeClip, repeatedFrames, type Screen, screenOf } from "./judge.ts";

const beginMs = 1_795_000_000_000;
const frameMs = 1_000 / 30;
const window = { fromMs: beginMs + 1_000, toMs: beginMs + 4_000 };

/** Ten seconds at 60 frames a second, each shown 4 ms after painting began. */
const painted: ClockFrame[] = Array.from({ length: 600 }, (_, frame) => {
  const clockMs = beginMs + Math.round((frame * 1_000) / 60);
  return { clockMs, shownMs: clockMs + 4, workMs: 4 };
});

/** What a capture of that screen contains between two times. */
function captured(fromMs: number, toMs: number, source: readonly ClockFrame[] = painted): ReadFrame[] {
  const count = Math.round((toMs - fromMs) / frameMs);
  return Array.from({ length: count }, (_, frame) => {
    const atMs = fromMs + frame * frameMs;
    const clockMs = source.findLast(({ shownMs }) => shownMs <= atMs)?.clockMs ?? 0;
    return { ptsMs: frame * frameMs, clockMs, ok: true };
  });
}

const judge = (frames: readonly ReadFrame[], screen: Screen = screenOf(painted), starvedMs = () => 0) =>
  judgeClip(frames, window, { screen, starvedMs });

test("the requested seconds pass, and seconds that are off by 150 ms do not", () => {
  const good = judge(captured(window.fromMs, window.toMs));
  assert.deepEqual(good.faults, []);
  assert.equal(good.frames, 90);
  for (const shiftMs of [-150, 150]) {
    const { faults } = judge(captured(window.fromMs + shiftMs, window.toMs + shiftMs));
    assert.equal(faults.length, 2, faults.join("\n"));
  }
  assert.match(judge([]).faults.join(), /first frame.*last frame/s);
});

test("gaps, frames in the wrong order, unreadable frames and foreign frames are found", () => {
  const good = captured(window.fromMs, window.toMs);
  assert.match(judge(good.toSpliced(40, 3)).faults.join(), /ms between two frames/);
  assert.match(judge(good.toSpliced(40, 0, ...good.slice(20, 30))).faults.join(), /comes after/);
  assert.match(
    judge(good.with(40, { ptsMs: 0, clockMs: 0, ok: false })).faults.join(),
    /1 of 90 frames cannot be read/,
  );
  const foreign = { ptsMs: 0, clockMs: (good[40]?.clockMs ?? 0) + 1, ok: true };
  assert.match(judge(good.with(40, foreign)).faults.join(), /never was on the screen/);
});

test("a frozen screen or a starved capture excuses a gap of its length and no longer one", () => {
  const stalled = painted.filter((_, frame) => frame < 120 || frame > 140);
  const seen = captured(window.fromMs, window.toMs, stalled);
  assert.deepEqual(judge(seen, screenOf(stalled)).faults, []);
  assert.equal(judge(seen, screenOf(stalled)).excused, 1);
  const lost = captured(window.fromMs, window.toMs).toSpliced(40, 10);
  assert.deepEqual(judge(lost, screenOf(painted), () => 320).faults, []);
  assert.equal(judge(lost, screenOf(painted), () => 200).faults.length, 1);
});

test("a picture in two clips is found, and two captures of a frozen picture are not a repetition", () => {
  const clip = (fromMs: number, toMs: number, source = painted) => ({
    startedMs: fromMs,
    frames: captured(fromMs, toMs, source),
  });
  const joint = window.toMs;
  const screen = screenOf(painted);
  assert.deepEqual(repeatedFrames([clip(window.fromMs, joint), clip(joint, joint + 2_000)], screen), []);
  assert.equal(repeatedFrames([clip(window.fromMs, joint), clip(joint - frameMs, joint + 2_000)], screen).length, 1);
  const still = painted.filter((_, frame) => frame < 230 || frame > 260);
  assert.deepEqual(
    repeatedFrames([clip(window.fromMs, joint, still), clip(joint, joint + 2_000, still)], screenOf(still)),
    [],
  );
});

test("each trigger must be in one clip, together with near ones, and apart from distant ones or in an overlong clip", () => {
  const rule = { preMs: 2_000, postMs: 1_000, mergeGapMs: 1_000, longestMs: 8_000 };
  const triggers = [0, 1_500, 3_400, 10_000, 11_900, 13_800, 15_700, 17_500].map((atMs, index) => ({
    id: String(index),
    eventId: `event ${index}`,
    atMs,
    arrivedMs: atMs,
  }));
  const faultsOf = (...groups: string[]) => {
    const made: Group[] = groups.map((events, index) => ({ clip: String(index), events: [...events] }));
    const windows = expectedWindows(triggers, made, rule);
    return { windows, faults: groupingFaults(triggers, windows, rule) };
  };
  const right = faultsOf("012", "3456", "7");
  assert.deepEqual(right.faults, []);
  assert.deepEqual(
    right.windows.map(({ fromMs, toMs }) => [fromMs, toMs]),
    [
      [-2_000, 4_400],
      [8_000, 16_000],
      [16_000, 18_500],
    ],
  );
  assert.match(faultsOf("01", "2", "3456", "7").faults.join(), /event 2 begins a clip .* which it had to join/);
  assert.match(faultsOf("0123456", "7").faults.join(), /clip 0 joins moments that are/);
  assert.match(faultsOf("012", "3456").faults.join(), /event 7 .* is listed in 0 clips/);
  assert.match(faultsOf("012", "3456", "67").faults.join(), /event 6 .* is listed in 2 clips/);
});
