// The marks of a part stay within the clip and apart from one another, by mouse and by key.
import assert from "node:assert/strict";
import { test } from "node:test";
import { footageOf, markedAt, type PartRange, partSecondsMin, percentOf, placeByKey, withEdge } from "./trim-range.ts";

const footage = footageOf({ duration: 17.02, frameRate: 50 });
const range: PartRange = { from: 3, to: 9 };
const shown = ({ from, to }: PartRange) => [from, to].map((seconds) => Number(seconds.toFixed(3)));

test("a handle moves by frames, to the clip's ends and no nearer to the other than a clip is long", () => {
  assert.deepEqual(shown(withEdge(range, "from", 4.01, footage)), [4, 9]);
  assert.deepEqual(shown(withEdge(range, "from", -5, footage)), [0, 9]);
  assert.deepEqual(shown(withEdge(range, "from", 12, footage)), [9 - partSecondsMin, 9]);
  assert.deepEqual(shown(withEdge(range, "to", 99, footage)), [3, 17.02]);
  assert.deepEqual(shown(withEdge(range, "to", 1, footage)), [3, 3 + partSecondsMin]);
});

test("a clip that does not say its rate has the recorder's usual one", () => {
  assert.deepEqual(footageOf({ duration: 5, frameRate: null }), { duration: 5, frameSeconds: 1 / 30 });
});

test("a mark set behind the other one moves that one out of the way", () => {
  assert.deepEqual(shown(markedAt(range, "from", 5, footage)), [5, 9]);
  assert.deepEqual(shown(markedAt(range, "from", 12, footage)), [12, 17.02]);
  assert.deepEqual(shown(markedAt(range, "to", 2, footage)), [0, 2]);
  assert.deepEqual(shown(markedAt(range, "from", 17.02, footage)), [16.52, 17.02]);
  assert.deepEqual(shown(markedAt(range, "to", 0, footage)), [0, partSecondsMin]);
});

test("an arrow is a frame, with shift a second; Home and End go as far as it goes", () => {
  const moved = (edge: "from" | "to", key: string, shift = false) => {
    const place = placeByKey(range, edge, { key, shift }, footage.frameSeconds);
    assert.ok(place !== undefined, key);
    return shown(withEdge(range, edge, place, footage));
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
  assert.equal(placeByKey(range, "from", { key: "i", shift: false }, footage.frameSeconds), undefined);
});

test("a place is per cent of the clip, also of one without length", () => {
  assert.deepEqual([percentOf(5, 20), percentOf(30, 20), percentOf(-1, 20), percentOf(1, 0)], [25, 100, 0, 0]);
});
