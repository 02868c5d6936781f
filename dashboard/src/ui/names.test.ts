// Tests of the names of games and events: in words, or as somebody named them, with hidden characters visible.
import assert from "node:assert/strict";
import { demoGame } from "@kit/contract";
import { afterEach, test } from "vitest";
import { eventName, gameName, setListedNames } from "./names.ts";

afterEach(() => setListedNames({ games: [], rules: [] }));

test("a game without a name of its own is called by its id in words, and events without a game are Unsorted", () => {
  assert.deepEqual(
    ["lanternwood", "my_game", demoGame].map((game) => gameName(game)),
    ["Lanternwood", "My Game", "Kit's demo"],
  );
  assert.deepEqual([gameName(null), gameName("unsorted")], ["Unsorted", "Unsorted"]);
});

test("games and events have the names that the launcher lists", () => {
  setListedNames({ games: [{ game: "saga", name: "The Saga" }], rules: [{ eventId: "saga_won", label: "Victory!" }] });
  assert.deepEqual([gameName("saga"), eventName("saga_won", "saga")], ["The Saga", "Victory!"]);
  assert.equal(eventName("saga_boss_defeated", "saga"), "Boss defeated");
});

test("a long name is cut, and hidden characters in a name are visible", () => {
  assert.equal(gameName("abcdef", 3), "Abc…");
  assert.equal(gameName("a\u202eb"), "A⟨U+202E⟩b");
  assert.equal(gameName(" "), "A game");
});
