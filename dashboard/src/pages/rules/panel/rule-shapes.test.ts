// Tests of the drawings of a rule: its seconds, and the clips it would have made, in percent of the width.
import assert from "node:assert/strict";
import { type RulePreview, recordingRuleDefaults } from "@kit/contract";
import { test } from "vitest";
import { clipShape, previewStrip, rulePreviewItems } from "./rule-shapes.ts";

const at = (second: number) => new Date(Date.UTC(2026, 4, 1) + second * 1_000).toISOString();

test("a clip is drawn to scale, and a moment without pre-roll and post-roll still has a position", () => {
  const shape = clipShape({ ...recordingRuleDefaults, preSeconds: 10, postSeconds: 5, mergeGapSeconds: 5 });
  assert.deepEqual(shape, {
    pre: { from: 0, to: 50 },
    post: { from: 50, to: 75 },
    gap: { from: 75, to: 100 },
    moment: 50,
  });
  const none = clipShape({ ...recordingRuleDefaults, preSeconds: 0, postSeconds: 0, mergeGapSeconds: 0 });
  assert.equal(none.moment, 0);
});

const clipAt = (from: number, seconds: number) => ({
  from: at(from),
  to: at(from + seconds),
  seconds,
  moments: 1,
  others: 0,
});
const momentAt = (second: number, clip: number | null): RulePreview["moments"][number] => ({
  id: String(second),
  at: at(second),
  became: clip === null ? "marker" : "clip",
  reason: null,
  clip,
});

test("clips are drawn side by side, as wide as they are long, with their moments in position", () => {
  const clips = [clipAt(0, 10), clipAt(5_000, 30)];
  const strip = previewStrip({ clips, moments: [momentAt(5, 0), momentAt(5_030, 1)] });
  assert.equal(strip.length, 2);
  const [first, second] = strip;
  assert.ok(first && second);
  assert.ok(Math.abs((second.to - second.from) / (first.to - first.from) - 3) < 1e-9);
  assert.equal(first.from, 0);
  assert.ok(Math.abs(second.to - 100) < 1e-9);
  assert.ok(Math.abs((first.moments[0] ?? 0) - (first.from + first.to) / 2) < 1e-9);
  assert.ok(Math.abs((second.moments[0] ?? 0) - second.to) < 1e-9);
});

test("only the newest clips are drawn, each with its own moments", () => {
  const clips = Array.from({ length: 12 }, (_, n) => clipAt(n * 100, 10));
  const strip = previewStrip({ clips, moments: [momentAt(3, 0), momentAt(1_105, 11)] });
  assert.equal(strip.length, 8);
  assert.deepEqual(
    strip.map(({ moments }) => moments.length),
    [0, 0, 0, 0, 0, 0, 0, 1],
  );
  assert.deepEqual(previewStrip({ clips: [], moments: [] }), []);
});

test("results are listed newest first, and moments inside a clip are not listed separately", () => {
  const made = rulePreviewItems({
    clips: [clipAt(0, 10), clipAt(100, 10)],
    moments: [momentAt(5, 0), momentAt(50, null)],
  });
  assert.deepEqual(
    made.map(({ type, at: when }) => [type, when]),
    [
      ["clip", at(100)],
      ["moment", at(50)],
      ["clip", at(0)],
    ],
  );
});
