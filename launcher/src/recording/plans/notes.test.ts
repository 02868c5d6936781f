// Tests of notes: they are true and short, without control characters, and name all missing seconds.

import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import { describeRange, describeSavedClip, errorLabel, footageNotes } from "./notes.ts";
import type { ClipPlan, Moment } from "./plan.ts";

const at = (atMs: number): Moment => ({
  event: `e${atMs}`,
  seq: 1,
  kind: "recording",
  eventId: "a_b",
  label: "b",
  priority: 500,
  atMs,
});
const plan: ClipPlan = {
  id: "p",
  kind: "clip",
  game: "saga",
  title: "boss",
  fromMs: 100_000,
  toMs: 117_000,
  moments: [at(112_000)],
  priority: 500,
  notes: [],
};
const whole = { fromMs: 100_000, toMs: 117_000, gaps: [] };

test("an error is labelled with its first line", () => {
  assert.equal(errorLabel("No key\nat door.gd:3"), "No key");
  assert.equal(errorLabel("\n"), "an error");
});

test("a pending clip is described by the seconds around the moment, and by the number of other moments in it", () => {
  assert.equal(textOf(describeRange(plan, at(112_000))), "12 s before, 5 s after");
  const shared = { ...plan, toMs: 122_500, moments: [at(112_000), at(117_500)] };
  assert.equal(
    textOf(describeRange(shared, at(117_500))),
    "17.5 s before, 5 s after, with 1 more in one clip of 22.5 s",
  );
});

test("a saved clip is described by its length, its name and what differs from its plan", () => {
  const startsLate = message("clip.starts_late", { seconds: "4" });
  assert.equal(textOf(describeSavedClip(17_000, plan, [])), "17.0 s, boss");
  assert.equal(
    textOf(describeSavedClip(13_040, plan, [startsLate])),
    "13.0 s, boss; starts 4 s late: nothing was recorded before that",
  );
});

const short: readonly [name: string, footage: Parameters<typeof footageNotes>[1], notes: string[]][] = [
  ["complete footage", whole, []],
  ["footage that lacks less than a second", { ...whole, fromMs: 100_900, toMs: 116_100 }, []],
  ["footage with a late start", { ...whole, fromMs: 101_200 }, ["starts 1.2 s late: nothing was recorded before that"]],
  ["footage with an early end", { ...whole, toMs: 113_500 }, ["ends 3.5 s early: nothing was recorded after that"]],
  [
    "footage with a gap",
    { ...whole, gaps: [{ fromMs: 101_000, toMs: 102_200 }] },
    ["1.2 s in between were not recorded: the picture freezes"],
  ],
];
for (const [name, footage, notes] of short) {
  test(`${name} gets these notes: ${JSON.stringify(notes)}`, () =>
    assert.deepEqual(footageNotes(plan, footage).map(textOf), notes));
}
