// Tests of the check of translations: missing ones are listed; stale ones and messages without a use are errors.
import assert from "node:assert/strict";
import { test } from "vitest";
import { compareTexts, quotedDescriptions, unusedCodes } from "./check-translations.ts";

const english = { "clip.gone": "The clip is gone.", "clip.short": "only {{seconds}} s" };

test("a message without a translation is listed, and is no error", () => {
  const { untranslated, wrong } = compareTexts({
    path: "ja.json",
    english,
    other: { "clip.gone": "クリップがありません。" },
  });
  assert.deepEqual([untranslated.join(), wrong], ["ja.json: no translation of clip.short: only {{seconds}} s", []]);
});

test("a translation of a missing message is an error, and so is one with other placeholders", () => {
  const other = { "clip.gone": "ありません。", "clip.short": "{{second}} 秒だけ", "clip.old": "古い" };
  assert.deepEqual(compareTexts({ path: "ja.json", english, other }).wrong, [
    "ja.json: translates clip.old, which nothing says",
    "ja.json: the translation of clip.short has other values in it: {{second}} 秒だけ",
  ]);
});

test("a message that no source uses is reported", () => {
  assert.deepEqual(unusedCodes(english, ['message("clip.gone")']), ["clip.short"]);
});

test("a description in the contract that an error may quote is its own code", () => {
  const quoted = quotedDescriptions();
  assert.equal(
    quoted["the event's label, e.g. Boss defeated; 1 to 80 characters in one line, at least one not blank"] !==
      undefined,
    true,
  );
});
