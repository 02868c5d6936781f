// Tests of a correction of the game: it applies to a prefix of event ids if possible, otherwise to one event id.
import assert from "node:assert/strict";
import { test } from "vitest";
import { parseCorrection } from "./correction.ts";

test("a game that is a prefix of the event id is corrected by prefix", () => {
  assert.deepEqual(parseCorrection(" my_game ", "my_game_boss", false), { by: "prefix", game: "my_game" });
  assert.deepEqual(parseCorrection("my_game_", "my_game_boss", false), { by: "prefix", game: "my_game" });
});

test("any other game is corrected for this event id only", () => {
  assert.deepEqual(parseCorrection("other", "my_game_boss", false), { by: "event", game: "other" });
  assert.deepEqual(parseCorrection("my_gam", "my_game_boss", false), { by: "event", game: "my_gam" });
});

test("an event id that was assigned by hand is assigned by hand again", () => {
  assert.deepEqual(parseCorrection("my_game", "my_game_boss", true), { by: "event", game: "my_game" });
});

test("empty, blank and control characters are not a game", () => {
  for (const typed of ["", "  ", "___", "a\u0007b"]) assert.equal(parseCorrection(typed, "x_y", false), undefined);
});
