// Tests of a game's name: the demo game has a fixed one, other games their own, and hidden characters are visible.
import assert from "node:assert/strict";
import { test } from "node:test";
import { demoGame } from "@kit/contract";
import { gameName } from "./game-name.ts";

test("only the demo game is called Demo, and events without a game are called Unsorted", () => {
  assert.equal(gameName(demoGame), "Demo");
  assert.equal(gameName(`${demoGame}s`), "kit_demos");
  assert.deepEqual([gameName(null), gameName("unsorted")], ["Unsorted", "Unsorted"]);
});

test("a long name is cut, and hidden characters in a name are visible", () => {
  assert.equal(gameName("abcdef", 3), "abc…");
  assert.equal(gameName("a\u202eb"), "a⟨U+202E⟩b");
  assert.equal(gameName(" "), "Unnamed");
});
