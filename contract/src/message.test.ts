// Tests of messages: each has an English sentence, and its code selects the sentence in another language.
import assert from "node:assert/strict";
import { test } from "vitest";
import { createMessages, detailOf, hasCode, MessageError, translate } from "./message.ts";

const message = createMessages({
  "clip.short": "only {{seconds}} s: {{why}}",
  "footage.gone": "the footage is gone",
} as const);
const short = message("clip.short", { seconds: 3, why: message("footage.gone") });

test("a message has text, a code and values, and a value may be another message", () => {
  assert.deepEqual(short, {
    text: "only 3 s: the footage is gone",
    code: "clip.short",
    values: { seconds: 3, why: { text: "the footage is gone", code: "footage.gone" } },
  });
});

test("a translation fills in its own template, and nested messages are translated too", () => {
  const japaneseTexts = { "clip.short": "{{why}}（{{seconds}} 秒）", "footage.gone": "映像がありません" };
  assert.equal(translate(short, japaneseTexts), "映像がありません（3 秒）");
});

test("a message without a translation is shown in English, also when it is nested", () => {
  assert.equal(translate(short, {}), short.text);
  assert.equal(translate(short, { "clip.short": "{{seconds}} 秒：{{why}}" }), "3 秒：the footage is gone");
});

test("a value that ends a sentence keeps its own full stop, and gets no second one", () => {
  const stopped = createMessages({ "post.none": "No clip: {{reason}}. Post without it, or skip." } as const);
  const why = (reason: string) => stopped("post.none", { reason });
  assert.equal(why("the recorder is off").text, "No clip: the recorder is off. Post without it, or skip.");
  assert.equal(why("A session is open.").text, "No clip: A session is open. Post without it, or skip.");
  assert.equal(why("Is it on?").text, "No clip: Is it on? Post without it, or skip.");
  const japaneseTexts = { "post.none": "クリップなし：{{reason}}。なしで投稿できます。" };
  assert.equal(translate(why("止まっています。"), japaneseTexts), "クリップなし：止まっています。なしで投稿できます。");
});

test("braces and dollar signs in a value are plain text", () => {
  const { text } = message("clip.short", { seconds: 1, why: "{{seconds}} $& $1" });
  assert.equal(text, "only 1 s: {{seconds}} $& $1");
});

test("hasCode finds the code of a message and of a message nested in it", () => {
  assert.deepEqual([hasCode(short, "clip.short"), hasCode(short, "footage.gone")], [true, true]);
  assert.equal(hasCode(short, "clip.long"), false);
});

test("detailOf returns the message of a MessageError, and the plain text of any other error", () => {
  assert.equal(detailOf(new MessageError(short)), short);
  assert.equal(detailOf(new Error("ENOENT")), "ENOENT");
});
