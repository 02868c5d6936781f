// The rows of the Rules page: which there are, in which order, and what is said of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type PostRule, type Rule, recordingRuleDefaults } from "@kit/contract";
import { assertCostFollowsSize } from "../../../tools/run-tests/cost.ts";
import { isShown, itemsOf, meantBy, postRulesOf, rowsOf, seenOf } from "./rule-rows.ts";

const ruleOf = (eventId: string, members: Partial<Rule> = {}): Rule => ({
  kind: "recording",
  eventId,
  game: "saga",
  assigned: false,
  enabled: true,
  firstSeenAt: "2026-05-01T10:00:00.000Z",
  lastSeenAt: "2026-05-01T10:00:00.000Z",
  count: 1,
  label: null,
  icon: null,
  postText: null,
  similarTo: null,
  ...members,
});
const recordingOf = (eventId: string) => ({ ...recordingRuleDefaults, eventId, changed: false });

test("an id that was sent under two kinds is one row, and an error report is none", () => {
  const both = [
    ruleOf("saga_won"),
    ruleOf("saga_won", { kind: "social", label: "Victory" }),
    ruleOf("", { kind: "monitor" }),
  ];
  const rows = rowsOf(both, [recordingOf("saga_won")]);
  assert.equal(rows.length, 1);
  assert.deepEqual(
    rows[0]?.rules.map(({ kind }) => kind),
    ["recording", "social"],
  );
  assert.equal(rows[0]?.words, "Victory");
  assert.equal(rows[0]?.recording?.action, "clip");
});

test("an id that is only told makes nothing of the screen, whatever a rule of that name says", () => {
  const [row] = rowsOf([ruleOf("saga_won", { kind: "social" })], [recordingOf("saga_won")]);
  assert.equal(row?.recording, undefined);
  assert.equal(row?.words, "won");
});

test("rows stand by game and by number, what belongs to none last, each game once with its count", () => {
  const rules = [
    ruleOf("loose", { game: null }),
    ruleOf("saga_level_10"),
    ruleOf("saga_level_9"),
    ruleOf("a_b", { game: "a" }),
  ];
  const items = itemsOf(rowsOf(rules, []));
  assert.deepEqual(
    items.map((item) => (item.type === "game" ? `${item.game}: ${item.count}` : item.row.eventId)),
    ["a: 1", "a_b", "saga: 2", "saga_level_9", "saga_level_10", "null: 1", "loose"],
  );
});

test("filters look at game, kind, id and label", () => {
  const rows = rowsOf([ruleOf("saga_won", { label: "Sieg" }), ruleOf("loose", { game: null, kind: "social" })], []);
  const shown = (view: Parameters<typeof isShown>[1]) =>
    rows.filter((row) => isShown(row, view)).map((row) => row.eventId);
  assert.deepEqual(shown({ text: "SIEG saga" }), ["saga_won"]);
  assert.deepEqual(shown({ text: "sieg none" }), []);
  assert.deepEqual(shown({ game: "unsorted" }), ["loose"]);
  assert.deepEqual(shown({ kind: "social" }), ["loose"]);
  assert.deepEqual(shown({}), ["saga_won", "loose"]);
});

test("an id has its count and its newest time, all kinds together, and one that never came says so", () => {
  const [row] = rowsOf(
    [
      ruleOf("saga_won", { count: 214_000, lastSeenAt: "2026-05-01T10:00:09.000Z" }),
      ruleOf("saga_won", { kind: "social", count: 3, lastSeenAt: "2026-05-01T10:00:12.000Z" }),
    ],
    [],
  );
  assert.ok(row);
  assert.deepEqual(seenOf(row), { count: 214_003, lastAt: "2026-05-01T10:00:12.000Z" });
  const [other] = rowsOf([ruleOf("saga_lost", { count: 0, lastSeenAt: null })], []);
  assert.ok(other);
  assert.deepEqual(seenOf(other), { count: 0, lastAt: null });
});

test("only what is told has rules for posts, and a person's answer ends the question what was meant", () => {
  const rules = [ruleOf("saga_won", { similarTo: "saga_own" }), ruleOf("saga_own", { kind: "social" })];
  const [own, won] = rowsOf(rules, []);
  assert.ok(own && won);
  const postRules = [{ pattern: "saga_*" }, { pattern: "other" }] as unknown as PostRule[];
  assert.deepEqual(postRulesOf(own, postRules), [{ pattern: "saga_*" }]);
  assert.deepEqual(postRulesOf(won, postRules), []);
  assert.equal(meantBy(won, new Set()), "saga_own");
  assert.equal(meantBy(won, new Set(["saga_won"])), undefined);
});

test("ten thousand ids are rows, and filtered, at a cost that follows their number", async () => {
  await assertCostFollowsSize("ten thousand ids", (share) => {
    const rules = Array.from({ length: 10_000 * share }, (_, n) => ruleOf(`saga_event_${n}`));
    const rows = rowsOf(
      rules,
      rules.map(({ eventId }) => recordingOf(eventId)),
    );
    assert.equal(rows.filter((row) => isShown(row, { text: "event_1234" })).length, 1);
  });
});
