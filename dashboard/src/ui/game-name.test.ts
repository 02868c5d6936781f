// What a game is called: the made-up one by what it is, others as they are, and nothing hides.
import assert from "node:assert/strict";
import { test } from "node:test";
import { demoGame } from "@kit/contract";
import { gameWord } from "./game-name.ts";

test("the made-up game is called Demo, no other is, and what belongs to none is unsorted", () => {
  assert.equal(gameWord(demoGame), "Demo");
  assert.equal(gameWord(`${demoGame}s`), "kit_demos");
  assert.deepEqual([gameWord(null), gameWord("unsorted")], ["Unsorted", "Unsorted"]);
});

test("a name is cut, and what hides in it is seen", () => {
  assert.equal(gameWord("abcdef", 3), "abc…");
  assert.equal(gameWord("a\u202eb"), "a⟨U+202E⟩b");
  assert.equal(gameWord(" "), "Unnamed");
});
