// Untranslated sentences of the launcher and stale translations are reported.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isSentence, textsIn } from "./check-translations/sentences.ts";
import { compareCatalogue } from "./check-translations.ts";

const path = "launcher/src/recording/telling.ts";
const sentencesIn = (text: string) => textsIn({ path, text }).filter(isSentence);

test("a sentence is found wherever it stands, with a place for each value", () => {
  const text =
    "throw new KitError('x', `There is no ${(error as Error).message} in ${seconds(it)} s.`, [{ message: 'is empty here' }])";
  assert.deepEqual(sentencesIn(text), ["There is no {{message}} in {{seconds}} s.", "is empty here"]);
  assert.deepEqual(sentencesIn("const said = 'what was kept ' + 'is gone';"), ["what was kept is gone"]);
});

test("a choice inside a sentence makes a sentence of each", () => {
  const text = "const said = `it lies ${ms} ms ${ms > 0 ? 'ahead' : 'back'} of ${name ?? 'the clock'}`;";
  assert.deepEqual(sentencesIn(text), [
    "it lies {{ms}} ms ahead of {{name}}",
    "it lies {{ms}} ms ahead of the clock",
    "it lies {{ms}} ms back of {{name}}",
    "it lies {{ms}} ms back of the clock",
  ]);
});

test("types, names of modules, logs, SQL and what is looked for are nothing that is said", () => {
  const text =
    "import x from 'a b'; type A = 'two words'; log('it ended now'); sql`SELECT all of it`; y.includes('in it'); z === 'two words';";
  assert.deepEqual(sentencesIn(text), []);
});

test("a sentence without a translation is named, and one that is said differently now", () => {
  const source = { path, text: "const says = [`the clip was gone after ${seconds} s`, `its ${attach} is here`];" };
  const none = { untranslated: [], stale: [] };
  assert.deepEqual(compareCatalogue([source], ["The clip was gone after {{time}} s.", "its clip is here"]), none);
  assert.match(
    compareCatalogue([source], ["its clip is here"]).untranslated.join("\n"),
    /telling\.ts: .*no translation.*"the clip was gone/u,
  );
  const { stale } = compareCatalogue(
    [source],
    ["the clip was gone after {{time}} s", "its {{it}} is here", "it went after {{time}} s"],
  );
  assert.match(stale.join("\n"), /^[^\n]*says this no longer: "it went after \{\{time\}\} s"$/u);
});

test("what a page never shows needs no translation", () => {
  const text = "const says = 'nobody reads this here';";
  assert.deepEqual(compareCatalogue([{ path: "launcher/src/cli/show.ts", text }], []).untranslated, []);
  assert.equal(compareCatalogue([{ path, text }], []).untranslated.length, 1);
});
