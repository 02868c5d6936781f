// The demo game has a fixed name, other games their own, and hidden characters are visible.
import assert from "node:assert/strict";
import { test } from "node:test";
import { demoGame } from "@kit/contract";
import { gameName } from "./game-name.ts";

test("the made-up game is called Demo, no other is, and what belongs to none is unsorted", () => {
  assert.equal(gameName(demoGame), "Demo");
  assert.equal(gameName(`${demoGame}s`), "kit_demos");
  assert.deepEqual([gameName(null), gameName("unsorted")], ["Unsorted", "Unsorted"]);
});

test("a name is cut, and what hides in it is seen", () => {
  assert.equal(gameName("abcdef", 3), "abc…");
  assert.equal(gameName("a\u202eb"), "a⟨U+202E⟩b");
  assert.equal(gameName(" "), "Unnamed");
});
