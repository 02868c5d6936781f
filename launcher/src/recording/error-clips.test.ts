// Tests of clips for error reports: a requested report gets a clip, and a flood of errors gets few.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ErrorClipLimiter, type ErrorReport } from "./recording.ts";

let number = 0;
function report(message: string, game: string | null = null): ErrorReport {
  number += 1;
  return { event: `event-${number}`, seq: number, game, message, atMs: 1_000_000 };
}

test("a report gets a clip of 20 s before and 3 s after, titled with its first line", () => {
  const request = new ErrorClipLimiter(() => 0).requestFor(report("No key at door.gd:41\nstack", "saga"));
  assert.deepEqual([request?.rule.preMs, request?.rule.postMs, request?.game], [20_000, 3_000, "saga"]);
  assert.deepEqual([request?.moment.kind, request?.moment.label], ["monitor", "No key at door.gd:41"]);
});

test("a report that is dispatched twice gets the same request, and counts once", () => {
  const clips = new ErrorClipLimiter(() => 0);
  const one = report("No key");
  for (let time = 0; time < 40; time += 1) assert.ok(clips.requestFor(one));
  assert.ok(clips.requestFor(report("No door")));
});

test("at most 20 reports an hour get a clip, and after an hour the next ones do", () => {
  let nowMs = 0;
  const clips = new ErrorClipLimiter(() => nowMs);
  const got = Array.from({ length: 30 }, () => clips.requestFor(report("No key"))).filter(
    (request) => request !== undefined,
  );
  assert.equal(got.length, 20);
  nowMs = 3_600_000;
  assert.ok(clips.requestFor(report("No key")));
});
