// Tests of the language that the command line uses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { namedLocale } from "../config.ts";
import { languageOf } from "./say.ts";

test("the environment names the language, and LC_ALL precedes LANG", () => {
  assert.equal(languageOf(namedLocale({ LC_ALL: "ja_JP.UTF-8", LANG: "de_DE.UTF-8" })), "ja");
  assert.equal(languageOf(namedLocale({ LC_ALL: "", LANG: "de_DE.UTF-8" })), "de");
  assert.equal(languageOf(namedLocale({ LANG: "C" })), "C");
});

test("if the environment names no language, the system's language is used", () => {
  assert.equal(languageOf(namedLocale({})), Intl.DateTimeFormat().resolvedOptions().locale.split("-", 1)[0]);
});
