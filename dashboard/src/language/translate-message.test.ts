// Launcher sentences are found by their form, including nested ones; unknown text stays unchanged, and the search is
// bounded.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { KitError } from "@kit/contract";
import { assertCostFollowsSize } from "../../../tools/run-tests/cost.ts";
import { translateMessage } from "./language.ts";
import { translateError } from "./translate-errors.ts";
import { createMessageTranslator } from "./translate-message.ts";

const japanese: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dirname, "launcher.ja.json"), "utf8"),
);
const inJapanese = createMessageTranslator(japanese);

test("in English a sentence is the one that was sent", () => {
  assert.equal(
    translateMessage("it could not be saved: the launcher ends"),
    "it could not be saved: the launcher ends",
  );
  assert.equal(
    (translateError(new KitError("not_found", "There is no such clip.")) as Error).message,
    "There is no such clip.",
  );
});

test("a sentence is found with the values in it, in the order of the other language", () => {
  const swapped = createMessageTranslator({ "{{size}} of {{all}} bytes": "{{all}} 中 {{size}}" });
  assert.equal(swapped("3 of 10 bytes"), "10 中 3");
  assert.equal(inJapanese("There is no game saga."), "saga というゲームはありません。");
  assert.equal(inJapanese("is unknown: did you mean timestamp?"), "知られていません。timestamp のことですか？");
});

test("what a sentence holds is said too, however deep it lies", () => {
  assert.equal(
    inJapanese("it could not be saved: the disk is nearly full: 1.2 GB free, and clips leave 2.0 GB free"),
    "保存できませんでした：ディスクがほぼいっぱいです。空きは 1.2 GB で、クリップは 2.0 GB を空けておきます",
  );
  assert.equal(
    inJapanese("10.0 s before, 5.0 s after, with 3 more in one clip of 30.0 s"),
    "前 10.0 秒、後 5.0 秒、ほか 3 件とともに 30.0 秒の 1 本のクリップに",
  );
});

test("of several sentences each is said, and an unknown one stays between them", () => {
  assert.equal(
    inJapanese("No footage came for 5 s. The capture is restarting."),
    "5 秒間、映像が届きませんでした。録画をやり直しています。",
  );
  assert.equal(
    inJapanese("There is no game saga. Zorb the blit. Use POST."),
    "saga というゲームはありません。Zorb the blit. POST を使ってください。",
  );
});

test("each broken member is said behind its place", () => {
  assert.equal(
    inJapanese("/timestamp is missing: expected a value; /eventId contains control characters."),
    "/timestamp：ありません。値が必要です；/eventId：制御文字が含まれています。",
  );
});

test("what the launcher never says stays as it is, markup and braces as well", () => {
  for (const text of [
    "",
    "saga",
    "Zorb the blit.",
    "a name, with a comma",
    "<b>{{name}} & co</b> (of them)",
    "x: y z",
    "/home/kit, own",
  ])
    assert.equal(inJapanese(text), text);
  assert.equal(inJapanese("There is no game {{name}} $& $1."), "{{name}} $& $1 というゲームはありません。");
  const long = `it could not be saved: ${"x".repeat(1_000)}`;
  assert.equal(inJapanese(long), long);
});

test("a text that is made to fit in many ways is done with at a cost that follows its length", async () => {
  const parts = [
    "a: b ",
    "x y; ",
    "A b. ",
    "it could not be saved: ",
    "it is, ",
    "/a b ",
    "(a b) ",
    "0 s before, ",
    " ",
  ];
  let texts = 0;
  for (const part of parts) {
    await assertCostFollowsSize(part, (share) => {
      // Every text is new: what was said once is remembered.
      texts += 1;
      inJapanese(`${part.repeat((1_000 * share) / part.length)}${texts}`);
    });
  }
});

test("every member of a refusal is said, and its code stays", () => {
  const error = new KitError("payload_invalid", "No.", [{ path: "/on", message: "expected a value" }]);
  const same = translateError(error) as KitError;
  assert.deepEqual([same.code, same.errors, same.cause], ["payload_invalid", error.errors, error]);
  const other = new TypeError("Failed to fetch");
  assert.equal(translateError(other), other);
});

test("each sentence is translated with the same values in it", () => {
  const valuesOf = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/gu)].map(([, name]) => name).toSorted();
  for (const [english, other] of Object.entries(japanese)) {
    assert.notEqual(other.trim(), "", english);
    assert.deepEqual(valuesOf(other), valuesOf(english), english);
  }
});
