// What a person is told is true and short: names without control characters, and every second that is missing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { describeRange, describeSavedClip, errorLabel, footageNotes } from "./notes.ts";
import type { ClipPlan, Moment } from "./plan.ts";

const at = (atMs: number): Moment => ({
  event: `e${atMs}`,
  seq: 1,
  kind: "recording",
  eventId: "a_b",
  label: "b",
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

test("an error is named by its first line", () => {
  assert.equal(errorLabel("No key\nat door.gd:3"), "No key");
  assert.equal(errorLabel("\n"), "an error");
});

test("what waits says how much lies around it, and with how many it shares a clip", () => {
  assert.equal(textOf(describeRange(plan, at(112_000))), "12 s before, 5 s after");
  const shared = { ...plan, toMs: 122_500, moments: [at(112_000), at(117_500)] };
  assert.equal(
    textOf(describeRange(shared, at(117_500))),
    "17.5 s before, 5 s after, with 1 more in one clip of 22.5 s",
  );
});

test("what was saved says its length, its name and what is not as it was asked for", () => {
  const shortBefore = message("clip.has_part_before", { seconds: "8", wanted: "12" });
  assert.equal(textOf(describeSavedClip(17_000, plan, [])), "17.0 s, saga boss");
  assert.equal(
    textOf(describeSavedClip(13_040, { game: null, title: "boss" }, [shortBefore])),
    "13.0 s, boss; 8 of 12 s before",
  );
});

const short: readonly [says: string, footage: Parameters<typeof footageNotes>[1], notes: string[]][] = [
  ["nothing of a whole one", whole, []],
  ["nothing of a few frames", { ...whole, fromMs: 100_200, toMs: 116_800 }, []],
  ["what is missing before", { ...whole, fromMs: 104_000 }, ["8 of 12 s before"]],
  ["what is missing after", { ...whole, toMs: 113_500 }, ["1.5 of 5 s after"]],
  [
    "that the moment is not in it",
    { ...whole, fromMs: 113_000 },
    ["it starts 1 s after the moment: nothing was recorded before that"],
  ],
  [
    "that it ends too early",
    { ...whole, toMs: 110_000 },
    ["it ends 2 s before the moment: nothing was recorded after"],
  ],
  [
    "what is missing inside",
    { ...whole, gaps: [{ fromMs: 101_000, toMs: 102_200 }] },
    ["1.2 s in between were not recorded: the picture freezes"],
  ],
];
for (const [says, footage, notes] of short) {
  test(`of footage it says ${says}`, () => assert.deepEqual(footageNotes(plan, footage).map(textOf), notes));
}

test("of a clip that has fewer seconds by plan it names what is missing, and never two different numbers of before", () => {
  const why = message("clip.rest_in_previous");
  const planned = { ...plan, notes: [message("clip.short_before", { seconds: "12", wanted: "20", why })] };
  assert.deepEqual(footageNotes(planned, { ...whole, fromMs: 104_000 }).map(textOf), [
    "the first 4 s were not recorded",
  ]);
});
