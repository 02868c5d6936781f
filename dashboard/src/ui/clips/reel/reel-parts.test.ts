// Tests of the parts of a reel as the dialog edits them: order, seconds and titles.
import assert from "node:assert/strict";
import { test } from "vitest";
import { clipOf } from "../../../../test/clip-samples.ts";
import { draftOf, lengthOf, movePart, rangeAround, reelRequest, secondsOf } from "./reel-parts.ts";

const clips = [3, 1, 2].map((n) =>
  clipOf(n, { title: `clip ${n}`, duration: 12.34, startedAt: `2026-05-03T10:0${n}:00.000Z`, events: [] }),
);
const [first, second, third] = draftOf(clips);

test("a reel begins with whole clips in the order in which they were recorded", () => {
  const parts = draftOf(clips);
  assert.deepEqual(
    parts.map(({ title, from, to }) => [title, from, to]),
    [1, 2, 3].map((n) => [`clip ${n}`, "0", "12.3"]),
  );
  assert.deepEqual(reelRequest(" night ", parts, true), {
    title: "night",
    fade: true,
    parts: parts.map(({ clip, title }) => ({ clip: clip.id, title })),
  });
});

test("a part moves to another place, but not beyond the ends", () => {
  assert.ok(first && second && third);
  const parts = [first, second, third];
  assert.deepEqual(movePart(parts, first.clip.id, 2), [second, third, first]);
  assert.equal(movePart(parts, first.clip.id, -1), parts);
  assert.equal(movePart(parts, third.clip.id, 3), parts);
});

test("seconds around a moment stay inside the clip, and without a moment they are its last", () => {
  assert.ok(first);
  const { from, to } = rangeAround(first, 5);
  assert.deepEqual([from, to], ["7.3", "12.3"]);
  const long = rangeAround(first, 30);
  assert.deepEqual([long.from, long.to], ["0", "12.3"]);
});

test("a range that is no range of its clip makes the length unknown", () => {
  assert.ok(first && second);
  for (const [from, to] of [
    ["", "3"],
    ["x", "3"],
    ["3", "3.2"],
    ["4", "3"],
    ["0", "13"],
    ["-1", "3"],
  ] as const) {
    assert.equal(secondsOf({ ...first, from, to }), undefined, `${from}–${to}`);
    assert.equal(lengthOf([second, { ...first, from, to }]), undefined);
  }
  assert.equal(
    lengthOf([
      { ...second, from: "1,5", to: "3" },
      { ...first, from: "2", to: "4" },
    ]),
    3.5,
  );
});
