// Tests of patterns of event ids.
import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesPattern } from "./event-pattern.ts";

test("each * matches any text, also an empty one", () => {
  assert.ok(matchesPattern("my_game_*", "my_game_boss"));
  assert.ok(matchesPattern("*", ""));
  assert.ok(matchesPattern("a*b*c", "abxc"));
  assert.ok(matchesPattern("my.game", "my.game"));
  assert.ok(!matchesPattern("my.game", "my_game"));
  assert.ok(!matchesPattern("ab*b", "ab"));
  assert.ok(!matchesPattern("a*b*c", "acb"));
  assert.ok(!matchesPattern("", "x"));
});
