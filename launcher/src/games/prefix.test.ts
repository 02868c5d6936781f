// Tests of prefixes: the game that an event id belongs to.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { gameFromId } from "./games.ts";

const rows: readonly (readonly [
  expected: string,
  eventId: string,
  registered: readonly string[],
  game: string | null,
  guessed: boolean,
])[] = [
  ["the part before the first underscore, as a guess", "my_game_boss", [], "my", true],
  ["a registered prefix with underscores", "my_game_boss", ["my_game"], "my_game", false],
  ["the longest registered prefix", "my_game_two_boss", ["my", "my_game", "my_game_two"], "my_game_two", false],
  [
    "the longest registered prefix, in any order of registration",
    "my_game_two_boss",
    ["my_game_two", "my"],
    "my_game_two",
    false,
  ],
  ["a registered prefix that is the whole id", "my_game", ["my_game"], "my_game", false],
  [
    "a guess, if a registered prefix is only the beginning of a word of the id",
    "my_gameplay_boss",
    ["my_game"],
    "my",
    true,
  ],
  ["no game, if there is no underscore", "boss", [], null, false],
  ["no game, if the underscore is the first character", "_boss", [], null, false],
  ["no game, if only blanks precede the underscore", "  _boss", [], null, false],
  ["a guess without the blanks around it", " my _boss", [], "my", true],
  ["no game, if the guess would be too long for a game", `${"g".repeat(101)}_boss`, [], null, false],
  ["a guess of the maximum length", `${"g".repeat(100)}_boss`, [], "g".repeat(100), true],
  ["a game with the name of a property of every object", "__proto___x", ["__proto__"], "__proto__", false],
  ["a game in another script", "ключ_событие", [], "ключ", true],
];
for (const [expected, eventId, registered, game, guessed] of rows) {
  test(`${JSON.stringify(eventId.slice(0, 30))} is assigned to ${expected}`, () => {
    assert.deepEqual(gameFromId(eventId, registered), { game, guessed });
  });
}

test("an id is always assigned to the longest registered prefix that it begins with, and to no other registered prefix", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "_"), minLength: 1, maxLength: 5 });
  const property = fc.property(word, fc.array(word, { maxLength: 5 }), (eventId, registered) => {
    const { game, guessed } = gameFromId(eventId, registered);
    const fitting = registered.filter((prefix) => eventId === prefix || eventId.startsWith(`${prefix}_`));
    const longest = fitting.toSorted((one, other) => other.length - one.length)[0];
    if (longest === undefined) assert.ok(guessed || game === null);
    else assert.deepEqual({ game, guessed }, { game: longest, guessed: false });
  });
  fc.assert(property, { numRuns: 2_000 });
});
