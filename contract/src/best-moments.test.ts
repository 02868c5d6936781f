// Tests of which clips a list of the best moments has.
import assert from "node:assert/strict";
import { test } from "vitest";
import { oneClipPerMoment } from "./best-moments.ts";
import type { Clip } from "./clip.ts";

const clipOf = (id: string, from: number, to: number, members: Partial<Clip> = {}) =>
  ({
    id,
    game: "saga",
    startedAt: new Date(from * 1_000).toISOString(),
    duration: to - from,
    priority: 500,
    missing: false,
    trimmedFrom: null,
    events: [{ kind: "recording" }],
    ...members,
  }) as Clip;
const whole = clipOf("whole", 0, 30);
const trim = (id: string, from: number, to: number, members: Partial<Clip> = {}) =>
  clipOf(id, from, to, { trimmedFrom: "whole", ...members });
const keptOf = (...clips: Clip[]) => oneClipPerMoment(clips).map(({ id }) => id);

test("a trim replaces its original, and of two attempts the newest counts", () => {
  assert.deepEqual(keptOf(trim("second", 12, 20), trim("first", 10, 22), whole), ["second"]);
  assert.deepEqual(keptOf(trim("of a trim", 13, 19, { trimmedFrom: "gone" }), whole), ["of a trim"]);
});

test("two trims of different moments are two moments, also if they share a frame", () => {
  assert.deepEqual(keptOf(trim("second", 14.97, 30), trim("first", 0, 15), whole), ["second", "first"]);
});

test("a trim without the best moment does not replace its original", () => {
  assert.deepEqual(keptOf(whole, trim("lesser", 0, 5, { priority: 100, pinned: true })), ["whole"]);
  assert.deepEqual(keptOf(trim("what came after", 20, 30, { events: [] }), whole), ["whole"]);
});

test("reels, what was cut from them, and clips without a file are left out", () => {
  const reel = clipOf("reel", 0, 60, { parts: [] });
  const missing = clipOf("missing", 100, 120, { missing: true });
  assert.deepEqual(keptOf(reel, trim("of the reel", 0, 8, { trimmedFrom: "reel" }), missing, whole), ["whole"]);
});

test("clips of two games at the same time are both kept, in the order of the list", () => {
  const other = clipOf("other", 5, 25, { game: "skyhook", priority: 900 });
  assert.deepEqual(keptOf(whole, other), ["whole", "other"]);
});
