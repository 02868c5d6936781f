// Which game an event id belongs to.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { gameFromId } from "./games.ts";

const rows: readonly (readonly [
  says: string,
  eventId: string,
  registered: readonly string[],
  game: string | null,
  guessed: boolean,
])[] = [
  ["the part before the first underscore, as a guess", "my_game_boss", [], "my", true],
  ["a registered prefix with underscores", "my_game_boss", ["my_game"], "my_game", false],
  ["the longest registered prefix", "my_game_two_boss", ["my", "my_game", "my_game_two"], "my_game_two", false],
  [
    "the longest one, in whatever order they are registered",
    "my_game_two_boss",
    ["my_game_two", "my"],
    "my_game_two",
    false,
  ],
  ["a registered prefix that is the whole id", "my_game", ["my_game"], "my_game", false],
  ["a guess, where a registered prefix only begins like the id", "my_gameplay_boss", ["my_game"], "my", true],
  ["nothing, where there is no underscore", "boss", [], null, false],
  ["nothing, where the underscore comes first", "_boss", [], null, false],
  ["nothing, where only blanks come before the underscore", "  _boss", [], null, false],
  ["a guess without the blanks around it", " my _boss", [], "my", true],
  ["nothing, where the guess would be too long for a game", `${"g".repeat(101)}_boss`, [], null, false],
  ["a guess of the greatest length", `${"g".repeat(100)}_boss`, [], "g".repeat(100), true],
  ["a game called like a property of every object", "__proto___x", ["__proto__"], "__proto__", false],
  ["a game in another script", "ключ_событие", [], "ключ", true],
];
for (const [says, eventId, registered, game, guessed] of rows) {
  test(`${JSON.stringify(eventId.slice(0, 30))} is filed under ${says}`, () => {
    assert.deepEqual(gameFromId(eventId, registered), { game, guessed });
  });
}

test("an id is never filed under a registered prefix it does not begin with, and always under one it does", () => {
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
