// Tests of the trim range: it stays within the clip and never gets too short, by mouse and keyboard.
import assert from "node:assert/strict";
import { test } from "vitest";
import {
  clipTiming,
  edgePositionByKey,
  moveTrimEdge,
  percentOf,
  setTrimEdge,
  type TrimRange,
  trimSecondsMin,
} from "./trim-range.ts";

const footage = clipTiming({ duration: 17.02, frameRate: 50 });
const range: TrimRange = { from: 3, to: 9 };
const shown = ({ from, to }: TrimRange) => [from, to].map((seconds) => Number(seconds.toFixed(3)));

test("an edge moves within the clip, and keeps the minimum length from the other edge", () => {
  assert.deepEqual(shown(moveTrimEdge(range, "from", 4.01, footage)), [4, 9]);
  assert.deepEqual(shown(moveTrimEdge(range, "from", -5, footage)), [0, 9]);
  assert.deepEqual(shown(moveTrimEdge(range, "from", 12, footage)), [9 - trimSecondsMin, 9]);
  assert.deepEqual(shown(moveTrimEdge(range, "to", 99, footage)), [3, 17.02]);
  assert.deepEqual(shown(moveTrimEdge(range, "to", 1, footage)), [3, 3 + trimSecondsMin]);
});

test("a clip without a frame rate is treated as 30 frames a second", () => {
  assert.deepEqual(clipTiming({ duration: 5, frameRate: null }), { duration: 5, frameSeconds: 1 / 30 });
});

test("an edge that is set beyond the other edge moves that one to the end of the clip", () => {
  assert.deepEqual(shown(setTrimEdge(range, "from", 5, footage)), [5, 9]);
  assert.deepEqual(shown(setTrimEdge(range, "from", 12, footage)), [12, 17.02]);
  assert.deepEqual(shown(setTrimEdge(range, "to", 2, footage)), [0, 2]);
  assert.deepEqual(shown(setTrimEdge(range, "from", 17.02, footage)), [16.52, 17.02]);
  assert.deepEqual(shown(setTrimEdge(range, "to", 0, footage)), [0, trimSecondsMin]);
});

test("an arrow key moves an edge by a frame, with shift by a second; Home and End move it as far as possible", () => {
  const moved = (edge: "from" | "to", key: string, shift = false) => {
    const position = edgePositionByKey(range, edge, { key, shift }, footage.frameSeconds);
    assert.ok(position !== undefined, key);
    return shown(moveTrimEdge(range, edge, position, footage));
  };
  assert.deepEqual(moved("from", "ArrowRight"), [Number((3 + 0.02).toFixed(3)), 9]);
  assert.deepEqual(moved("to", "ArrowLeft", true), [3, 8]);
  assert.deepEqual(
    [moved("from", "PageUp"), moved("to", "PageDown")],
    [
      [4, 9],
      [3, 8],
    ],
  );
  assert.deepEqual(
    [moved("from", "Home"), moved("from", "End")],
    [
      [0, 9],
      [8.5, 9],
    ],
  );
  assert.deepEqual(
    [moved("to", "Home"), moved("to", "End")],
    [
      [3, 3.5],
      [3, 17.02],
    ],
  );
  assert.equal(edgePositionByKey(range, "from", { key: "i", shift: false }, footage.frameSeconds), undefined);
});

test("a position is a percentage of the clip from 0 to 100, also if the clip has no length", () => {
  assert.deepEqual([percentOf(5, 20), percentOf(30, 20), percentOf(-1, 20), percentOf(1, 0)], [25, 100, 0, 0]);
});
