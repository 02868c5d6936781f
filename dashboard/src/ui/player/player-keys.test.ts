// Tests of the player's keys: every key stays within the clip.
import assert from "node:assert/strict";
import { test } from "vitest";
import { chapterIndexAt, edgeOfKey, isSingleKey, moveOfKey, nextSpeed, positionAfter } from "./player-keys.ts";

const footage = { at: 8, duration: 17, frameSeconds: 1 / 60, chapters: [3, 8, 12] };

/** The position that a key moves to. */
function positionBy(key: string, at = footage.at): number | undefined {
  const move = moveOfKey(key);
  assert.ok(move, `${key} does nothing`);
  return positionAfter(move, { ...footage, at });
}

test("arrows, J and L move by seconds, comma and full stop by one frame", () => {
  assert.deepEqual(
    [positionBy("ArrowLeft"), positionBy("ArrowRight"), positionBy("j"), positionBy("L")],
    [6, 10, 3, 13],
  );
  assert.deepEqual([positionBy(","), positionBy(".")], [8 - 1 / 60, 8 + 1 / 60]);
});

test("no key moves before the start or past the end of the clip", () => {
  assert.deepEqual([positionBy("j", 1), positionBy(",", 0), positionBy("l", 16), positionBy(".", 17)], [0, 0, 17, 17]);
});

test('brackets move from moment to moment, and "[" just after a moment moves to the one before it', () => {
  assert.deepEqual([positionBy("]", 0), positionBy("]", 3), positionBy("]", 12)], [3, 8, undefined]);
  assert.deepEqual([positionBy("[", 16), positionBy("[", 12.5), positionBy("[", 2)], [12, 8, 0]);
});

test("space and K play or pause without a move", () => {
  assert.equal(positionBy(" "), undefined);
  assert.equal(positionBy("k"), undefined);
});

test("letters and signs count as single keys, which can be switched off; space, arrows and Home do not", () => {
  assert.deepEqual(["k", ",", "]", " ", "ArrowLeft", "Home"].map(isSingleKey), [true, true, true, false, false, false]);
});

test("speed keys choose the next speed, and stop at the slowest and the fastest", () => {
  assert.deepEqual([nextSpeed(1, 1), nextSpeed(1, -1), nextSpeed(2, 1), nextSpeed(0.25, -1)], [1.5, 0.5, 2, 0.25]);
  assert.deepEqual(
    ["<", ">"].map((key) => positionBy(key)),
    [undefined, undefined],
  );
});

test("I and O set the edges of a range, in upper and lower case", () => {
  assert.deepEqual(["i", "O", "p", "Insert"].map(edgeOfKey), ["from", "to", undefined, undefined]);
});

test("other keys do nothing", () => {
  for (const key of ["x", "Enter", "Tab", "__proto__", "constructor"]) assert.equal(moveOfKey(key), undefined, key);
});

test("the current chapter is the last one reached", () => {
  const { chapters } = footage;
  assert.deepEqual(
    [0, 3, 7.9, 17].map((at) => chapterIndexAt(chapters, at)),
    [-1, 0, 0, 2],
  );
});
