// Tests of the length of a text at Bluesky.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RichText } from "@atproto/api";
import { blueskyTextLength, composeBlueskyText } from "./text-length.ts";

test("graphemes are counted as Bluesky's own library counts them", () => {
  for (const text of ["", "Boss defeated", "e\u0301🇩🇪👨‍👩‍👧‍👦", "நி한각가", "a\r\nb", "👍🏽 🏴‍☠️ ❤️", "क्षि", "#️⃣"])
    assert.equal(
      blueskyTextLength(text),
      Math.max(new RichText({ text }).graphemeLength, Math.ceil(Buffer.byteLength(text) / 10)),
      text,
    );
});

test("a text with too many bytes is too long", () => {
  const family = "👨‍👩‍👧‍👦";
  assert.ok(blueskyTextLength(family.repeat(120)) <= 300);
  assert.ok(blueskyTextLength(family.repeat(121)) > 300);
  assert.equal(Buffer.byteLength(family.repeat(120)), 3_000);
});

test("a content warning begins the text", () => {
  assert.deepEqual(
    [composeBlueskyText("Text", ""), composeBlueskyText("Text", "spiders")],
    ["Text", "CW: spiders\n\nText"],
  );
});
