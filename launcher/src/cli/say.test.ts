// In which language the command line says what the launcher says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { namedLocale } from "../config.ts";
import { languageOf } from "./say.ts";

test("the language is that of the environment, the most particular variable first", () => {
  assert.equal(languageOf(namedLocale({ LC_ALL: "ja_JP.UTF-8", LANG: "de_DE.UTF-8" })), "ja");
  assert.equal(languageOf(namedLocale({ LC_ALL: "", LANG: "de_DE.UTF-8" })), "de");
  assert.equal(languageOf(namedLocale({ LANG: "C" })), "C");
});

test("where the environment names no language, it is that of the system", () => {
  assert.equal(languageOf(namedLocale({})), Intl.DateTimeFormat().resolvedOptions().locale.split("-", 1)[0]);
});
