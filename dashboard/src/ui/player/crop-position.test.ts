// Tests of the frame of upright copies: its position by keys and by the pointer.
import assert from "node:assert/strict";
import { uprightPart } from "@kit/contract";
import { test } from "vitest";
import { cropPositionAt, cropPositionByKey } from "./crop-position.ts";

test("arrow keys move the frame by one percent, with Shift by ten, and never beyond the picture", () => {
  const by = (position: number, key: string, shift = false) => cropPositionByKey(position, { key, shift });
  assert.deepEqual([by(0.5, "ArrowLeft"), by(0.5, "ArrowDown"), by(0.5, "ArrowRight", true)], [0.49, 0.51, 0.6]);
  assert.deepEqual([by(0, "ArrowLeft"), by(0.95, "ArrowRight", true), by(0.3, "Home"), by(0.3, "End")], [0, 1, 0, 1]);
  assert.equal(by(0.5, "k"), undefined);
});

test("a dragged frame follows the pointer in the direction in which there is room", () => {
  const wide = { width: 1920, height: 1080 };
  const at = (x: number, y: number, picture = wide) => cropPositionAt(picture, uprightPart(picture, 0), { x, y });
  assert.deepEqual([at(656, 500), at(-50, 0), at(5_000, 0)], [0.5, 0, 1]);
  assert.equal(at(300, 144, { width: 400, height: 1_000 }), 0.5);
  assert.equal(at(300, 144, { width: 1080, height: 1920 }), 0);
});
