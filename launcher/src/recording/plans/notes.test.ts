// Tests of notes: they are true and short, without control characters, and name all missing seconds.

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
  const shortBefore = message("clip.has_part_before", { seconds: "8", wanted: "12" });
  assert.equal(textOf(describeSavedClip(17_000, plan, [])), "17.0 s, saga boss");
  assert.equal(
    textOf(describeSavedClip(13_040, { game: null, title: "boss" }, [shortBefore])),
    "13.0 s, boss; 8 of 12 s before",
  );
});

const short: readonly [name: string, footage: Parameters<typeof footageNotes>[1], notes: string[]][] = [
  ["complete footage", whole, []],
  ["footage that lacks a few frames", { ...whole, fromMs: 100_200, toMs: 116_800 }, []],
  ["footage with a late start", { ...whole, fromMs: 104_000 }, ["8 of 12 s before"]],
  ["footage with an early end", { ...whole, toMs: 113_500 }, ["1.5 of 5 s after"]],
  [
    "footage that begins after the moment",
    { ...whole, fromMs: 113_000 },
    ["it starts 1 s after the moment: nothing was recorded before that"],
  ],
  [
    "footage that ends before the moment",
    { ...whole, toMs: 110_000 },
    ["it ends 2 s before the moment: nothing was recorded after"],
  ],
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

test("a clip planned shorter than its rule gets a note about missing footage, without a second number of seconds before", () => {
  const why = message("clip.rest_in_previous");
  const planned = { ...plan, notes: [message("clip.short_before", { seconds: "12", wanted: "20", why })] };
  assert.deepEqual(footageNotes(planned, { ...whole, fromMs: 104_000 }).map(textOf), [
    "the first 4 s were not recorded",
  ]);
});
