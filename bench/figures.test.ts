// Tests of ratios and targets.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { type Figure, judge, median, readTargets } from "./figures.ts";

const measure = "events a second, 1 connection";
const figures = (subject: string, ...values: readonly number[]): Figure[] =>
  values.map((value, index) => ({ measure, subject, round: index + 1, value }));

test("a target compares two subjects in the same round, and the median of the rounds counts", () => {
  const [target] = readTargets(`| launcher | ${measure} | Kit | bare | ≥ 0.6 × |`);
  assert.ok(target);
  // The second round was disturbed for both, the third for one.
  const { ratio, reached } = judge(target, [...figures("Kit", 70, 7, 1), ...figures("bare", 100, 10, 100)]);
  assert.deepEqual([ratio, reached], [0.7, true]);
  assert.equal(judge(target, [...figures("Kit", 50), ...figures("bare", 100)]).reached, false);
  assert.equal(judge(target, figures("Kit", 50)).reached, false, "nothing to compare with reaches no target");
});

test("the median of an even number of values is between the two in the middle", () => {
  assert.deepEqual([median([4, 1, 2, 100]), median([3, 1, 2])], [3, 2]);
});

test("every row of the table of targets is read", () => {
  const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
  assert.equal(readTargets(readme).length, readme.match(/[≤≥]/gu)?.length);
});
