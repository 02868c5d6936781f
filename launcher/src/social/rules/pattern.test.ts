// Which rule an event goes by: as a person reads the patterns, and never in more time than the id is long.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertCostFollowsSize } from "../../../../tools/run-tests/cost.ts";
import { compareSpecificity, matchesPattern } from "./rules.ts";

test("each * stands for any text, also for none; all else is itself", () => {
  for (const [pattern, eventId, isSo] of [
    ["saga_boss", "saga_boss", true],
    ["saga_boss", "saga_boss2", false],
    ["saga_*", "saga_", true],
    ["saga_*", "saga_boss", true],
    ["saga_*", "other_boss", false],
    ["*", "", true],
    ["*boss*", "saga_boss_3", true],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["*ab*ab", "ab", false],
    ["*ab*ab", "abab", true],
    ["a.c", "abc", false],
    ["a**c", "abc", true],
    ["saga_*_end", "saga_end", false],
  ] as const)
    assert.equal(matchesPattern(pattern, eventId), isSo, `${pattern} ${eventId}`);
});

test("it agrees with the expression that says the same", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 12 });
  const id = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  fc.assert(
    fc.property(text, id, (pattern, eventId) => {
      const same = new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
      assert.equal(matchesPattern(pattern, eventId), same.test(eventId));
    }),
    { numRuns: 500 },
  );
});

test("a pattern made to be slow is not", async () => {
  await assertCostFollowsSize("200 letters against 99 stars", (share) => {
    const pattern = `${"a*".repeat(99)}b`;
    const eventId = "a".repeat(200 * share);
    for (let times = 0; times < 100; times += 1) matchesPattern(pattern, eventId);
  });
});

test("an id itself comes first, then whatever names more of it", () => {
  const patterns = ["*", "saga_*", "saga_boss_*_hard_mode", "saga_boss", "saga_boss_*"].map((pattern) => ({ pattern }));
  assert.deepEqual(
    patterns.toSorted(compareSpecificity).map(({ pattern }) => pattern),
    ["saga_boss", "saga_boss_*_hard_mode", "saga_boss_*", "saga_*", "*"],
  );
});
