// Tests of the choice of the language, of the fallback to English, and of the launcher's errors in the page's language.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { engineDescriptions, fieldError, KitError, networkDescriptions } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { japaneseTexts } from "@kit/contract/messages/ja";
import { test } from "vitest";
import { preferredLanguage, t, translateError } from "./language.ts";

test("the chosen language is used, else the first supported language of the browser, else English", () => {
  assert.equal(preferredLanguage("ja", ["en-GB"]), "ja");
  assert.equal(preferredLanguage(null, ["fr", "ja-JP", "en"]), "ja");
  assert.equal(preferredLanguage("tlh", ["fr"]), "en");
  assert.equal(preferredLanguage(null, []), "en");
});

test("a text is its own key, markup in it is plain text, and a count of one has its own form", () => {
  assert.equal(t("Kept: a.b, nothing else."), "Kept: a.b, nothing else.");
  assert.equal(t("{{count}} clips", { count: 1, defaultValue_one: "{{count}} clip" }), "1 clip");
  assert.equal(t("{{count}} clips", { count: 2, defaultValue_one: "{{count}} clip" }), "2 clips");
  assert.equal(t("Copy: {{text}}", { text: "<b>&{{x}}" }), "Copy: <b>&{{x}}");
});

const catalogue = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"));

test("texts of networks and engines have a Japanese translation, except names and programming languages", () => {
  const texts = { ...japaneseTexts, ...catalogue("ja.json") };
  const networks = Object.values(networkDescriptions).flatMap(({ about, fields, testSays = about }) => [
    about,
    testSays,
    ...fields.flatMap(({ label, help }) => [label, help]),
  ]);
  const engines = Object.values(engineDescriptions).flatMap(({ steps, lineStep, portStep }) => [
    ...steps,
    lineStep,
    portStep,
  ]);
  const untranslated = [...networks, ...engines].filter((text) => texts[text] === undefined);
  assert.deepEqual(untranslated, []);
});

test("every text has a Japanese translation with the same placeholders and elements", () => {
  const texts = catalogue("ja.json");
  const partsOf = (text: string) => [...new Set(text.match(/\{\{\s*\w+|<\/?\w+/gu) ?? [])].toSorted();
  const wrong = Object.entries(texts).filter(
    ([english, other]) => other.trim() === "" || partsOf(english).join() !== partsOf(other).join(),
  );
  assert.deepEqual(wrong, []);
  assert.ok(Object.keys(texts).length > 1_000);
});

test("in English an error keeps its message, its code and its cause", () => {
  const error = new KitError("not_found", message("event.unknown", { id: "x" }));
  const shown = translateError(error) as KitError;
  assert.deepEqual([shown.code, shown.message, shown.cause], ["not_found", "There is no event x.", error]);
});

test("every invalid field is named as developers write it if there are several", () => {
  const expected = message("field.expected_value");
  const error = new KitError("payload_invalid", message("field.several", { problems: "…" }), [
    fieldError("/on", expected),
    fieldError("/part/toSeconds", expected),
    fieldError("", expected),
  ]);
  const shown = translateError(error) as KitError;
  assert.equal(shown.message, "on: expected a value; part.toSeconds: expected a value; body: expected a value");
  assert.deepEqual(
    shown.errors.map(({ path }) => path),
    ["/on", "/part/toSeconds", ""],
  );
});

test("an error of another type is returned unchanged", () => {
  const other = new TypeError("Failed to fetch");
  assert.equal(translateError(other), other);
});
