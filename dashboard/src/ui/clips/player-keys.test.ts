// Every key moves within the clip.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chapterAt, edgeOfKey, isSingleKey, moveOfKey, nextSpeed, positionAfter } from "./player-keys.ts";

const footage = { at: 8, duration: 17, frameSeconds: 1 / 60, chapters: [3, 8, 12] };

/** The position that a key moves to. */
function placeBy(key: string, at = footage.at): number | undefined {
  const move = moveOfKey(key);
  assert.ok(move, `${key} does nothing`);
  return positionAfter(move, { ...footage, at });
}

test("arrows, J and L move by seconds, comma and full stop by one of its pictures", () => {
  assert.deepEqual([placeBy("ArrowLeft"), placeBy("ArrowRight"), placeBy("j"), placeBy("L")], [6, 10, 3, 13]);
  assert.deepEqual([placeBy(","), placeBy(".")], [8 - 1 / 60, 8 + 1 / 60]);
});

test("no key leads before the beginning or past the end", () => {
  assert.deepEqual([placeBy("j", 1), placeBy(",", 0), placeBy("l", 16), placeBy(".", 17)], [0, 0, 17, 17]);
});

test("brackets go from moment to moment; one just begun is not the one before", () => {
  assert.deepEqual([placeBy("]", 0), placeBy("]", 3), placeBy("]", 12)], [3, 8, undefined]);
  assert.deepEqual([placeBy("[", 16), placeBy("[", 12.5), placeBy("[", 2)], [12, 8, 0]);
});

test("space and K only play or pause", () => {
  assert.equal(placeBy(" "), undefined);
  assert.equal(placeBy("k"), undefined);
});

test("a person can switch off letters and signs, but neither space nor arrows", () => {
  assert.deepEqual(["k", ",", "]", " ", "ArrowLeft", "Home"].map(isSingleKey), [true, true, true, false, false, false]);
});

test("a speed goes to the next one, and no further than there are", () => {
  assert.deepEqual([nextSpeed(1, 1), nextSpeed(1, -1), nextSpeed(2, 1), nextSpeed(0.25, -1)], [1.5, 0.5, 2, 0.25]);
  assert.deepEqual(
    ["<", ">"].map((key) => placeBy(key)),
    [undefined, undefined],
  );
});

test("I and O mark a part, in whichever case", () => {
  assert.deepEqual(["i", "O", "p", "Insert"].map(edgeOfKey), ["from", "to", undefined, undefined]);
});

test("keys that are nobody's do nothing", () => {
  for (const key of ["x", "Enter", "Tab", "__proto__", "constructor"]) assert.equal(moveOfKey(key), undefined, key);
});

test("the moment that plays is the last one reached", () => {
  const { chapters } = footage;
  assert.deepEqual(
    [0, 3, 7.9, 17].map((at) => chapterAt(chapters, at)),
    [-1, 0, 0, 2],
  );
});
