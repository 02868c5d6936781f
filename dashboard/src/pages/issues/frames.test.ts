// The game's own calls stand out, wherever they are on the stack.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { IssueFrame } from "@kit/contract";
import { frameRuns, placeOf } from "./frames.ts";

const frame = (name: string, inApp: boolean, members: Partial<IssueFrame> = {}): IssueFrame => ({
  function: name,
  file: null,
  line: null,
  column: null,
  inApp,
  text: name,
  ...members,
});

test("calls of the engine fold together between the game's own, in their order", () => {
  const runs = frameRuns([frame("a", false), frame("b", true), frame("c", false), frame("d", false), frame("e", true)]);
  assert.deepEqual(
    runs.map(({ inApp, frames }) => [inApp, frames.map((each) => each.function).join("")]),
    [
      [false, "a"],
      [true, "b"],
      [false, "cd"],
      [true, "e"],
    ],
  );
});

test("where no call is the game's own, all are shown", () => {
  assert.deepEqual(
    frameRuns([frame("a", false), frame("b", false)]).map(({ inApp }) => inApp),
    [true],
  );
});

test("a place is written as an editor takes it", () => {
  assert.equal(placeOf(frame("a", true, { file: "res://x.gd", line: 7 })), "res://x.gd:7");
  assert.equal(placeOf(frame("a", true, { file: "x.js", line: 7, column: 3 })), "x.js:7:3");
  assert.equal(placeOf(frame("a", true)), undefined);
});
