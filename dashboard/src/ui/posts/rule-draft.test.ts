// Drafts of rules: pattern matching, variables and changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PostRule } from "@kit/contract";
import {
  changedMembers,
  createRuleDraft,
  exampleEventId,
  insertVariable,
  matchesPattern,
  toRuleDraft,
} from "./rule-draft.ts";

test("each * stands for any text, and for none", () => {
  assert.ok(matchesPattern("my_game_*", "my_game_boss"));
  assert.ok(matchesPattern("*", ""));
  assert.ok(matchesPattern("a*b*c", "abxc"));
  assert.ok(matchesPattern("my.game", "my.game"));
  assert.ok(!matchesPattern("my.game", "my_game"));
  assert.ok(!matchesPattern("ab*b", "ab"));
  assert.ok(!matchesPattern("a*b*c", "acb"));
  assert.ok(!matchesPattern("", "x"));
});

test("previews are filled in with an event id that was seen, else with the pattern", () => {
  assert.equal(exampleEventId("saga_*", ["other_x", "saga_won"]), "saga_won");
  assert.equal(exampleEventId("saga_*", []), "saga_");
  assert.equal(exampleEventId("*", []), "my_game_boss_defeated");
});

test("a variable is put where the caret is, in place of what is selected", () => {
  assert.deepEqual(insertVariable("Now: !", "event", 5, 5), { text: "Now: {{event}}!", at: 14 });
  assert.deepEqual(insertVariable("Now", "game", 0, 3), { text: "{{game}}", at: 8 });
});

test("only what was changed is asked for, and what a rule counts is no part of it", () => {
  const rule = {
    ...createRuleDraft("saga_*", ["a"]),
    id: "1",
    posts: 3,
    held: 1,
    createdAt: "",
    lastPostAt: null,
  } as PostRule;
  const before = toRuleDraft(rule);
  assert.ok(!("posts" in before));
  assert.deepEqual(changedMembers(before, { ...before, accounts: ["a", "b"] }), { accounts: ["a", "b"] });
  assert.deepEqual(changedMembers(before, toRuleDraft(rule)), {});
});
