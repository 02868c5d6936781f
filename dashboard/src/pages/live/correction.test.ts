// A correction applies to all events with the game's prefix if possible, otherwise to one event id.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCorrection } from "./correction.ts";

test("a game the event's name begins with is a prefix", () => {
  assert.deepEqual(parseCorrection(" my_game ", "my_game_boss", false), { by: "prefix", game: "my_game" });
  assert.deepEqual(parseCorrection("my_game_", "my_game_boss", false), { by: "prefix", game: "my_game" });
});

test("any other game is for this event alone", () => {
  assert.deepEqual(parseCorrection("other", "my_game_boss", false), { by: "event", game: "other" });
  assert.deepEqual(parseCorrection("my_gam", "my_game_boss", false), { by: "event", game: "my_gam" });
});

test("an event filed by hand is filed by hand again", () => {
  assert.deepEqual(parseCorrection("my_game", "my_game_boss", true), { by: "event", game: "my_game" });
});

test("nothing, blanks and control characters are no game", () => {
  for (const typed of ["", "  ", "___", "a\u0007b"]) assert.equal(parseCorrection(typed, "x_y", false), undefined);
});
