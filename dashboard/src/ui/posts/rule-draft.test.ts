// A rule being written: what fits it, what is filled in, what changed.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PostRule } from "@kit/contract";
import { changesOf, draftOf, exampleFor, fits, newDraft, withVariable } from "./rule-draft.ts";

test("each * stands for any text, and for none", () => {
  assert.ok(fits("my_game_*", "my_game_boss"));
  assert.ok(fits("*", ""));
  assert.ok(fits("a*b*c", "abxc"));
  assert.ok(fits("my.game", "my.game"));
  assert.ok(!fits("my.game", "my_game"));
  assert.ok(!fits("ab*b", "ab"));
  assert.ok(!fits("a*b*c", "acb"));
  assert.ok(!fits("", "x"));
});

test("previews are filled in with an event id that was seen, else with the pattern", () => {
  assert.equal(exampleFor("saga_*", ["other_x", "saga_won"]), "saga_won");
  assert.equal(exampleFor("saga_*", []), "saga_");
  assert.equal(exampleFor("*", []), "my_game_boss_defeated");
});

test("a variable is put where the caret is, in place of what is selected", () => {
  assert.deepEqual(withVariable("Now: !", "event", 5, 5), { text: "Now: {{event}}!", at: 14 });
  assert.deepEqual(withVariable("Now", "game", 0, 3), { text: "{{game}}", at: 8 });
});

test("only what was changed is asked for, and what a rule counts is no part of it", () => {
  const rule = {
    ...newDraft("saga_*", ["a"]),
    id: "1",
    posts: 3,
    held: 1,
    createdAt: "",
    lastPostAt: null,
  } as PostRule;
  const before = draftOf(rule);
  assert.ok(!("posts" in before));
  assert.deepEqual(changesOf(before, { ...before, accounts: ["a", "b"] }), { accounts: ["a", "b"] });
  assert.deepEqual(changesOf(before, draftOf(rule)), {});
});
