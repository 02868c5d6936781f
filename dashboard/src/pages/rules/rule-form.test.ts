// A rule being written: what is wrong with it is said at its field, and only what changed is sent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { recordingRuleDefaults } from "@kit/contract";
import { isChanged, labelChangeOf, problemsOf, type RuleDraft, recordingChangeOf, withDraft } from "./rule-form.ts";
import { rowsOf } from "./rule-rows.ts";

const look = { label: "Won", icon: "star", postText: null, similarTo: null };
const [row] = rowsOf(
  [
    {
      kind: "recording",
      eventId: "saga_won",
      game: "saga",
      assigned: false,
      enabled: true,
      firstSeenAt: "",
      lastSeenAt: null,
      count: 0,
      ...look,
    },
  ],
  [{ ...recordingRuleDefaults, eventId: "saga_won", changed: false }],
);
assert.ok(row);
const own = row;
const problems = (draft: RuleDraft, bufferSeconds = 90) => problemsOf(withDraft(own, draft), bufferSeconds);

test("a rule as it is kept has no problem, and nothing of it is sent", () => {
  assert.deepEqual(problems({}), {});
  assert.deepEqual(recordingChangeOf(own, withDraft(own, {})), {});
  assert.deepEqual(labelChangeOf(own, withDraft(own, {})), {});
  assert.equal(isChanged(own, {}), false);
  assert.equal(isChanged(own, { preSeconds: "12", label: "Won" }), false);
});

test("numbers may be typed with a comma, and what is none or out of bounds is said where it stands", () => {
  assert.deepEqual(recordingChangeOf(own, withDraft(own, { preSeconds: " 2,5 " })), { preSeconds: 2.5 });
  assert.deepEqual(problems({ preSeconds: "soon", postSeconds: "61" }), {
    preSeconds: "A number is needed.",
    postSeconds: "0 to 60 seconds.",
  });
});

test("what does not go together is said at the field that is to be changed", () => {
  assert.deepEqual(Object.keys(problems({ preSeconds: "0,4", postSeconds: "0" })), ["preSeconds"]);
  assert.deepEqual(problems({ preSeconds: "60", longestSeconds: "30" }), {
    longestSeconds: "One moment alone asks for 65 seconds.",
  });
  assert.deepEqual(problems({ preSeconds: "40" }, 30), { preSeconds: "The recorder keeps 30 seconds." });
});

test("an empty label makes the words of the id again, and blanks around one are not kept", () => {
  assert.deepEqual(labelChangeOf(own, withDraft(own, { label: "  " })), { label: null });
  assert.deepEqual(labelChangeOf(own, withDraft(own, { label: " Sieg ", icon: null })), { label: "Sieg", icon: null });
});

test("an id that is only told has a label and a picture, and nothing to record", () => {
  const told = { ...own, recording: undefined };
  assert.deepEqual(problemsOf(withDraft(told, { label: "x" }), 90), {});
  assert.deepEqual(recordingChangeOf(told, withDraft(told, { label: "x" })), {});
});
