// An error report gets a clip when it is the first of its kind, and a flood of errors gets few.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createErrorClips, type ErrorReport } from "./error-clips.ts";

let number = 0;
function report(message: string, game: string | null = null): ErrorReport {
  number += 1;
  return { event: `event-${number}`, seq: number, game, message, atMs: 1_000_000 };
}

test("the first report of a kind gets a clip of 20 s before and 3 s after, and the next ones of that kind do not", () => {
  const clips = createErrorClips(() => 0);
  const wish = clips.wishFor(report("No key at door.gd:41\nstack"));
  assert.deepEqual([wish?.rule.preMs, wish?.rule.postMs], [20_000, 3_000]);
  assert.deepEqual([wish?.moment.kind, wish?.moment.label], ["monitor", "No key at door.gd:41"]);
  assert.equal(clips.wishFor(report("No key at door.gd:7\nstack")), undefined, "only a number differs");
  assert.ok(clips.wishFor(report("No door")));
  assert.ok(clips.wishFor(report("No door", "saga")), "the same of another game");
});

test("a report that is handed over twice is asked for twice", () => {
  const clips = createErrorClips(() => 0);
  const one = report("No key");
  assert.deepEqual(clips.wishFor(one), clips.wishFor(one));
});

test("no more than 20 an hour, however many kinds there are; those that got none may have one later", () => {
  let nowMs = 0;
  const clips = createErrorClips(() => nowMs);
  const kinds = Array.from({ length: 30 }, (_, index) => "x".repeat(index + 1));
  const got = kinds.filter((kind) => clips.wishFor(report(kind)) !== undefined);
  assert.equal(got.length, 20);
  nowMs = 3_600_000;
  assert.ok(clips.wishFor(report(kinds[25] ?? "")));
  assert.equal(clips.wishFor(report(kinds[3] ?? "")), undefined);
});

test("kinds without end are forgotten, the oldest first", () => {
  let nowMs = 0;
  const clips = createErrorClips(() => nowMs);
  for (let index = 0; index < 1_001; index += 1) {
    nowMs += 3_600_000;
    assert.ok(clips.wishFor(report("y".repeat(index % 500) + (index < 500 ? "a" : "b") + (index > 999 ? "c" : ""))));
  }
  assert.ok(clips.wishFor(report("a")) !== undefined, "the oldest kind");
});
