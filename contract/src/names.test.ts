// Tests of the names that event ids and game ids are shown as.
import assert from "node:assert/strict";
import { test } from "vitest";
import { demoGame } from "./demo.ts";
import { createNames, eventInWords, gameInWords } from "./names.ts";

test("an event id is shown without its game prefix, in words that begin with a capital letter", () => {
  assert.equal(eventInWords("my_game_boss_defeated", "my_game"), "Boss defeated");
  assert.equal(eventInWords("victory", null), "Victory");
  assert.equal(eventInWords("saga_bossDefeated", "saga"), "Boss defeated");
  assert.equal(eventInWords("SAGA_BOSS_DEFEATED", "SAGA"), "Boss defeated");
  assert.equal(eventInWords("saga_NPC", "saga"), "NPC");
  assert.equal(eventInWords("saga_level2Done", "saga"), "Level2 done");
  assert.equal(eventInWords("saga_ボスを倒した", "saga"), "ボスを倒した");
});

test("the name of an event is one line of printable characters, and never empty", () => {
  assert.equal(eventInWords("saga_a\u0000b\r\nc\u2028d", "saga"), "A b c d");
  assert.equal(eventInWords("saga_", "saga"), "Saga_");
  assert.equal(eventInWords("___", null), "___");
  assert.equal(eventInWords("", null), "A moment");
  assert.equal([...eventInWords("x".repeat(5_000), null)].length, 101);
});

test("a game id is shown in words that each begin with a capital letter", () => {
  assert.deepEqual(["lanternwood", "my_game", "skyHook", demoGame].map(gameInWords), [
    "Lanternwood",
    "My Game",
    "Sky Hook",
    "Kit's demo",
  ]);
});

test("a name that somebody gave takes the place of the words of the id", () => {
  const { gameName, eventName } = createNames({
    games: [{ game: "saga", name: "The Saga II" }],
    rules: [
      { eventId: "saga_won", label: "Victory!" },
      { eventId: "saga_lost", label: null },
    ],
  });
  assert.deepEqual([gameName("saga"), gameName("other_game")], ["The Saga II", "Other Game"]);
  assert.deepEqual([eventName("saga_won", "saga"), eventName("saga_lost", "saga")], ["Victory!", "Lost"]);
});
