// Tests of patterns of post rules: which events they match, and that no pattern is slow.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertCostFollowsSize } from "../../../../tools/run-tests/cost.ts";
import { comparePatternSpecificity, matchesEventIdPattern } from "./rules.ts";

test("each * matches any text, even none, and everything else matches itself", () => {
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
    assert.equal(matchesEventIdPattern(pattern, eventId), isSo, `${pattern} ${eventId}`);
});

test("a pattern matches like the equivalent regular expression", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 12 });
  const id = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  fc.assert(
    fc.property(text, id, (pattern, eventId) => {
      const same = new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
      assert.equal(matchesEventIdPattern(pattern, eventId), same.test(eventId));
    }),
    { numRuns: 500 },
  );
});

test("a hostile pattern takes linear time", async () => {
  await assertCostFollowsSize("200 letters against 99 stars", (share) => {
    const pattern = `${"a*".repeat(99)}b`;
    const eventId = "a".repeat(200 * share);
    for (let times = 0; times < 100; times += 1) matchesEventIdPattern(pattern, eventId);
  });
});

test("an exact id comes first, then the pattern that names the most of it", () => {
  const patterns = ["*", "saga_*", "saga_boss_*_hard_mode", "saga_boss", "saga_boss_*"].map((pattern) => ({ pattern }));
  assert.deepEqual(
    patterns.toSorted(comparePatternSpecificity).map(({ pattern }) => pattern),
    ["saga_boss", "saga_boss_*_hard_mode", "saga_boss_*", "saga_*", "*"],
  );
});
