// Tests that no text of a game can control the terminal or hide itself, and of the language that the command line uses.
import assert from "node:assert/strict";
import { message } from "@kit/contract/messages";
import fc from "fast-check";
import { test } from "vitest";
import { namedLocale, readConfig } from "../config.ts";
import { languageOf } from "../reader-language.ts";
import { escapeInvisible, printCommandsFor, say, stringifyVisible } from "./output.ts";
import { runIn } from "./terminal.ts";

/** No control, format, surrogate, private or unassigned character except tabs and line feeds. */
const harmless =
  /^(?:[\P{C}\t\n]|(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic}))*$/u;
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes)),
  fc
    .array(
      fc.constantFrom(
        "\u001b[31m",
        "\u009b2J",
        "\u202e",
        "\u200b",
        "\ud800",
        "\u0007",
        "\r",
        "\u2028",
        "\ufeff",
        "\u{e0041}",
        "a",
      ),
    )
    .map((parts) => parts.join("")),
);
const property = (holds: (text: string) => void) => fc.assert(fc.property(anyText, holds), { numRuns: 20_000 });

test("text from a game cannot control the terminal, and no character is invisible", () =>
  property((text) => assert.match(escapeInvisible(text), harmless)));

test("any text stays on one line", () =>
  property((text) => assert.doesNotMatch(escapeInvisible(text), /[\r\n\u0085\u2028\u2029\v\f]/)));

test("harmless text is unchanged", () => {
  for (const text of ["boss defeated", "ключ 日本 é", "😀", "👩‍🚀 👩🏽‍🚀 🏳️‍🌈 👨‍👩‍👧", '{"a": "b\\n"}', ""])
    assert.equal(escapeInvisible(text), text);
});

const shown: readonly (readonly [text: string, shown: string])[] = [
  ["\u001b[2J", "\\u{1b}[2J"],
  ["a\nb", "a\\u{a}b"],
  ["\u009b", "\\u{9b}"],
  ["\u202e", "\\u{202e}"],
  ["\u200b", "\\u{200b}"],
  ["a\u200db \u200d😀 😀\u200d", "a\\u{200d}b \\u{200d}😀 😀\\u{200d}"],
  ["\ud800", "\\u{d800}"],
  ["\u{e0041}", "\\u{e0041}"],
  ["\0", "\\u{0}"],
];
for (const [text, expected] of shown) {
  test(`${JSON.stringify(text)} is shown as ${expected}`, () => assert.equal(escapeInvisible(text), expected));
}

test("JSON for a terminal is harmless, and the same value", () => {
  const value = fc.dictionary(anyText, fc.oneof(anyText, fc.array(anyText), fc.constant(null), fc.integer()));
  const holds = fc.property(value, fc.constantFrom(undefined, 2), (given, indent) => {
    const text = stringifyVisible(given, indent);
    assert.match(text, harmless);
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(given)));
  });
  fc.assert(holds, { numRuns: 5_000 });
});

test("JSON on one line is one line", () => {
  property((text) => assert.doesNotMatch(stringifyVisible({ text }), /[\r\n\u2028\u2029]/));
});

test("the environment names the language, and LC_ALL precedes LANG", () => {
  assert.equal(languageOf(namedLocale({ LC_ALL: "ja_JP.UTF-8", LANG: "de_DE.UTF-8" })), "ja");
  assert.equal(languageOf(namedLocale({ LC_ALL: "", LANG: "de_DE.UTF-8" })), "de");
  assert.equal(languageOf(namedLocale({ LANG: "C" })), "C");
});

test("if the environment names no language, the system's language is used", () => {
  assert.equal(languageOf(namedLocale({})), Intl.DateTimeFormat().resolvedOptions().locale.split("-", 1)[0]);
});

test("commands in messages of the launcher name the data folder", async () => {
  const { stdin, stdout, stderr } = process;
  await runIn({ env: { LC_ALL: "en_GB.UTF-8" }, stdin, stdout, stderr }, async () => {
    printCommandsFor(readConfig({ dataDir: "/srv/my kit" }));
    assert.equal(
      say(message("storage.restart")),
      'Restart Kit. If that does not help, run `npx kit doctor --data-dir "/srv/my kit"`.',
    );
  });
});
