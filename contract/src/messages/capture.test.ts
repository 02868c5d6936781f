// Tests of the recorder's messages: a sentence about what is missing is followed by one about what to do.
import assert from "node:assert/strict";
import { test } from "vitest";
import { captureMessages } from "./capture.ts";
import japanese from "./ja.json" with { type: "json" };

const missing = [
  "sound.no_microphone",
  "sound.gone",
  "window.no_composite",
  "window.of_game_not_found",
  "source.display_not_opened",
  "source.no_window",
  "source.no_monitor",
] as const;

test("the recorder says what to do about what is missing, in both languages", () => {
  const sentences = missing.map((code) => [
    code,
    captureMessages[code].split(/\.(?:\s|$)/u).filter(Boolean).length,
    japanese[code].split("。").filter(Boolean).length,
  ]);
  assert.deepEqual(
    sentences.filter(([, english, inJapanese]) => Number(english) < 2 || Number(inJapanese) < 2),
    [],
  );
});
