// Tests of stack traces: the game's own calls are grouped apart from engine calls, at any depth.
import assert from "node:assert/strict";
import type { IssueFrame } from "@kit/contract";
import { test } from "vitest";
import { groupFrames, ownersOf, sourceLocation } from "./stack-frames.ts";

const frame = (name: string, inApp: boolean, members: Partial<IssueFrame> = {}): IssueFrame => ({
  function: name,
  file: null,
  line: null,
  column: null,
  inApp,
  owner: null,
  text: name,
  ...members,
});

test("adjacent engine calls are grouped between the game's own calls, in order", () => {
  const runs = groupFrames([
    frame("a", false),
    frame("b", true),
    frame("c", false),
    frame("d", false),
    frame("e", true),
  ]);
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

test("if no call is the game's own, all calls are shown", () => {
  assert.deepEqual(
    groupFrames([frame("a", false), frame("b", false)]).map(({ inApp }) => inApp),
    [true],
  );
});

test("folded calls name each owner once, and leave out calls whose owner is unknown", () => {
  const frames = ["Unity", ".NET", null, "Unity"].map((owner) => frame("a", false, { owner }));
  assert.deepEqual(ownersOf(frames), ["Unity", ".NET"]);
});

test("a location is formatted so that editors can open it", () => {
  assert.equal(sourceLocation(frame("a", true, { file: "res://x.gd", line: 7 })), "res://x.gd:7");
  assert.equal(sourceLocation(frame("a", true, { file: "x.js", line: 7, column: 3 })), "x.js:7:3");
  assert.equal(sourceLocation(frame("a", true)), undefined);
});
