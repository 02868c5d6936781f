// Tests of the words that an event id is shown as.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventInWords } from "./event-words.ts";

test("an event id is shown without its game prefix, as one line of printable characters", () => {
  assert.equal(eventInWords("my_game_boss_defeated", "my_game"), "boss defeated");
  assert.equal(eventInWords("victory", null), "victory");
  assert.equal(eventInWords("saga_a\u0000b\r\nc\u2028d", "saga"), "a b c d");
  assert.equal(eventInWords("saga_", "saga"), "saga_");
  assert.equal(eventInWords("___", null), "___");
  assert.equal([...eventInWords("x".repeat(5_000), null)].length, 101);
});
