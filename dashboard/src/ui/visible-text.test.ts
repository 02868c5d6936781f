// Tests of hidden characters: they become visible, except those that belong to scripts or emoji.
import assert from "node:assert/strict";
import { test } from "vitest";
import { visibleJson, visibleLine, visibleText } from "./visible-text.ts";

test("a bidi override is shown as its code point", () => {
  assert.equal(visibleText("boss\u202Egnp.exe"), "boss⟨U+202E⟩gnp.exe");
});

test("terminal escapes and other control characters are shown as their code points", () => {
  assert.equal(visibleText("\u001b[31mred\u0007\u009b"), "⟨U+001B⟩[31mred⟨U+0007⟩⟨U+009B⟩");
});

test("line breaks and tabs stay unchanged", () => {
  assert.equal(visibleText("one\n\ttwo"), "one\n\ttwo");
});

test("a joiner inside an emoji stays, and one between letters is shown as its code point", () => {
  assert.equal(visibleText("👩‍🚀"), "👩‍🚀");
  assert.equal(visibleText("my\u200Dgame"), "my⟨U+200D⟩game");
});

test("a lone surrogate and tag characters are shown as their code points", () => {
  assert.equal(visibleText("a\ud83d"), "a⟨U+D83D⟩");
  assert.equal(visibleText("a\u{E0041}"), "a⟨U+E0041⟩");
});

test("visibleLine returns the first line that is not blank", () => {
  assert.equal(visibleLine("\n\n  Null reference\n  at boss"), "Null reference");
  assert.equal(visibleLine(""), "");
});

test("a long line is cut at its limit, never inside a character", () => {
  assert.equal(visibleLine("👩".repeat(1000), 3), "👩👩👩…");
  assert.equal(visibleLine("x".repeat(1_000_000), 10), `${"x".repeat(10)}…`);
});

test("JSON keeps its own escapes, and other hidden characters are shown as their code points", () => {
  assert.equal(visibleJson({ a: "\u202E\u0000" }), '{\n  "a": "⟨U+202E⟩\\u0000"\n}');
});
