// A correction says as much as it can: all events of a prefix where the name allows it, else this one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { correctionOf } from "./correction.ts";

test("a game the event's name begins with is a prefix", () => {
  assert.deepEqual(correctionOf(" my_game ", "my_game_boss", false), { by: "prefix", game: "my_game" });
  assert.deepEqual(correctionOf("my_game_", "my_game_boss", false), { by: "prefix", game: "my_game" });
});

test("any other game is for this event alone", () => {
  assert.deepEqual(correctionOf("other", "my_game_boss", false), { by: "event", game: "other" });
  assert.deepEqual(correctionOf("my_gam", "my_game_boss", false), { by: "event", game: "my_gam" });
});

test("an event filed by hand is filed by hand again", () => {
  assert.deepEqual(correctionOf("my_game", "my_game_boss", true), { by: "event", game: "my_game" });
});

test("nothing, blanks and control characters are no game", () => {
  for (const typed of ["", "  ", "___", "a\u0007b"]) assert.equal(correctionOf(typed, "x_y", false), undefined);
});
