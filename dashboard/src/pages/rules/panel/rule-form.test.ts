// Tests of a rule's form: it reports each problem at its field, and sends only changed values.
import assert from "node:assert/strict";
import { recordingRuleDefaults } from "@kit/contract";
import { test } from "vitest";
import { createEventIdRows } from "../rule-rows.ts";
import {
  applyRuleDraft,
  hasUnsavedChanges,
  labelChanges,
  type RuleDraft,
  recordingChanges,
  ruleFormProblems,
} from "./rule-form.ts";

const look = { label: "Won", icon: "star", postText: null, similarTo: null };
const [row] = createEventIdRows(
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
const problems = (draft: RuleDraft, bufferSeconds = 90) => ruleFormProblems(applyRuleDraft(own, draft), bufferSeconds);

test("a saved rule has no problems, and no changes to send", () => {
  assert.deepEqual(problems({}), {});
  assert.deepEqual(recordingChanges(own, applyRuleDraft(own, {})), {});
  assert.deepEqual(labelChanges(own, applyRuleDraft(own, {})), {});
  assert.equal(hasUnsavedChanges(own, {}), false);
  assert.equal(hasUnsavedChanges(own, { preSeconds: "12", label: "Won" }), false);
});

test("numbers may have a decimal comma, and invalid or out-of-range ones are reported at their field", () => {
  assert.deepEqual(recordingChanges(own, applyRuleDraft(own, { preSeconds: " 2,5 " })), { preSeconds: 2.5 });
  assert.deepEqual(problems({ preSeconds: "soon", postSeconds: "61" }), {
    preSeconds: "Enter a number.",
    postSeconds: "0 to 60 seconds.",
  });
});

test("a conflict between fields is reported at the field to change", () => {
  assert.deepEqual(Object.keys(problems({ preSeconds: "0,4", postSeconds: "0" })), ["preSeconds"]);
  assert.deepEqual(problems({ preSeconds: "60", longestSeconds: "30" }), {
    longestSeconds: "Must be at least 65 seconds, the time before and after the moment.",
  });
  assert.deepEqual(problems({ preSeconds: "40" }, 30), { preSeconds: "The replay buffer holds only 30 seconds." });
});

test("an empty label falls back to the words of the id, and surrounding spaces are removed", () => {
  assert.deepEqual(labelChanges(own, applyRuleDraft(own, { label: "  " })), { label: null });
  assert.deepEqual(labelChanges(own, applyRuleDraft(own, { label: " Sieg ", icon: null })), {
    label: "Sieg",
    icon: null,
  });
});

test("an id of social events has a label and an icon, but nothing to record", () => {
  const socialOnly = { ...own, recording: undefined };
  assert.deepEqual(ruleFormProblems(applyRuleDraft(socialOnly, { label: "x" }), 90), {});
  assert.deepEqual(recordingChanges(socialOnly, applyRuleDraft(socialOnly, { label: "x" })), {});
});
