// Tests of drafts of post rules: examples, variables and changes.
import assert from "node:assert/strict";
import type { PostRule } from "@kit/contract";
import { test } from "vitest";
import { changedMembers, createPostRuleDraft, exampleEvent, insertVariable, toPostRuleDraft } from "./rule-draft.ts";

test("a preview uses a known event id that matches the pattern, else one made from the pattern", () => {
  assert.deepEqual(exampleEvent("saga_*", ["other_x", "saga_won"]), { eventId: "saga_won" });
  assert.deepEqual(exampleEvent("saga_level_*", ["saga_won"]), { eventId: "saga_level_boss_defeated" });
  assert.deepEqual(exampleEvent("my_game_*", []), { eventId: "my_game_boss_defeated", game: "my_game" });
  assert.deepEqual(exampleEvent("*_won", []), { eventId: "my_game_won", game: "my_game" });
  assert.deepEqual(exampleEvent("saga_won", []), { eventId: "saga_won" });
  assert.deepEqual(exampleEvent("*", []), {});
});

test("a variable is inserted at the caret and replaces the selection", () => {
  assert.deepEqual(insertVariable("Now: !", "event", 5, 5), { text: "Now: {{event}}!", at: 14 });
  assert.deepEqual(insertVariable("Now", "game", 0, 3), { text: "{{game}}", at: 8 });
});

test("only changed fields are sent, and a rule's counts are not part of a draft", () => {
  const rule = {
    ...createPostRuleDraft("saga_*", ["a"]),
    id: "1",
    posts: 3,
    held: 1,
    createdAt: "",
    lastPostAt: null,
  } as PostRule;
  const before = toPostRuleDraft(rule);
  assert.ok(!("posts" in before));
  assert.deepEqual(changedMembers(before, { ...before, accounts: ["a", "b"] }), { accounts: ["a", "b"] });
  assert.deepEqual(changedMembers(before, toPostRuleDraft(rule)), {});
});
