// Tests of tags: only tags that the launcher accepts are added, and none twice.
import assert from "node:assert/strict";
import { test } from "vitest";
import { applyTagChange, parseTag, suggestTags, uniqueTags } from "./tags.ts";

test("a tag is one line without a comma, of at most 40 characters, trimmed", () => {
  assert.deepEqual([" boss  fight ", "x", "Größe 🦊"].map(parseTag), ["boss fight", "x", "Größe 🦊"]);
  for (const typed of ["", "   ", "a,b", "a".repeat(41), "a\u0007b"]) assert.equal(parseTag(typed), undefined, typed);
});

test("tags are added and removed regardless of case, and none is added twice", () => {
  assert.deepEqual(applyTagChange(["Boss"], { add: ["boss", "fun", "FUN"] }), ["Boss", "fun"]);
  assert.deepEqual(applyTagChange(["Boss", "fun"], { remove: ["BOSS"] }), ["fun"]);
  assert.deepEqual(uniqueTags([{ tags: ["a", "b"] }, { tags: ["B", "c"] }]), ["a", "b", "c"]);
});

test("a clip gets at most as many tags as it may have", () => {
  const add = Array.from({ length: 30 }, (_, n) => `tag ${n}`);
  assert.equal(applyTagChange([], { add }).length, 20);
});

test("suggestions are the unused tags that contain the typed text, those that start with it first", () => {
  const known = ["final boss", "boss", "fun", "Boss rush"];
  assert.deepEqual(suggestTags(known, "BO", ["boss"]), ["Boss rush", "final boss"]);
  assert.deepEqual(suggestTags(known, "", ["fun"]), ["final boss", "boss", "Boss rush"]);
});
