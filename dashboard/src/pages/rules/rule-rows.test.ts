// Tests of the rows of the Rules page: which exist, in which order, and what each contains; and of the page's address.
import assert from "node:assert/strict";
import { type EventIdRule, type PostRule, recordingRuleDefaults } from "@kit/contract";
import { test } from "vitest";
import { assertCostFollowsSize } from "../../../../tools/run-tests/cost.ts";
import { eventRuleOf } from "../../../test/rule-samples.ts";
import {
  createEventIdRows,
  createListItems,
  eventActivity,
  isRulesViewFiltered,
  matchesRulesView,
  matchingPostRules,
  parseRulesView,
  suggestedId,
  toRulesFragment,
} from "./rule-rows.ts";

const ruleOf = (eventId: string, members: Partial<EventIdRule> = {}): EventIdRule =>
  eventRuleOf(eventId, { game: "saga", ...members });
const recordingOf = (eventId: string) => ({ ...recordingRuleDefaults, eventId, changed: false });

test("an id that was sent with two kinds of event is one row, and an error report has none", () => {
  const both = [
    ruleOf("saga_won"),
    ruleOf("saga_won", { kind: "social", label: "Victory" }),
    ruleOf("", { kind: "monitor" }),
  ];
  const rows = createEventIdRows(both, [recordingOf("saga_won")]);
  assert.equal(rows.length, 1);
  assert.deepEqual(
    rows[0]?.rules.map(({ kind }) => kind),
    ["recording", "social"],
  );
  assert.equal(rows[0]?.words, "Victory");
  assert.equal(rows[0]?.recording?.action, "clip");
});

test("an id of social events only records nothing, even if a recording rule has its name", () => {
  const [row] = createEventIdRows([ruleOf("saga_won", { kind: "social" })], [recordingOf("saga_won")]);
  assert.equal(row?.recording, undefined);
  assert.equal(row?.words, "Won");
});

test("rows are sorted by game and by number, those without a game last, with one heading and count per game", () => {
  const rules = [
    ruleOf("loose", { game: null }),
    ruleOf("saga_level_10"),
    ruleOf("saga_level_9"),
    ruleOf("a_b", { game: "a" }),
  ];
  const items = createListItems(createEventIdRows(rules, []));
  assert.deepEqual(
    items.map((item) => (item.type === "game" ? `${item.game}: ${item.count}` : item.row.eventId)),
    ["a: 1", "a_b", "saga: 2", "saga_level_9", "saga_level_10", "null: 1", "loose"],
  );
});

test("filters match the game, kind, id and label", () => {
  const rows = createEventIdRows(
    [ruleOf("saga_won", { label: "Sieg" }), ruleOf("loose", { game: null, kind: "social" })],
    [],
  );
  const shown = (view: Parameters<typeof matchesRulesView>[1]) =>
    rows.filter((row) => matchesRulesView(row, view)).map((row) => row.eventId);
  assert.deepEqual(shown({ text: "SIEG saga" }), ["saga_won"]);
  assert.deepEqual(shown({ text: "sieg none" }), []);
  assert.deepEqual(shown({ game: "unsorted" }), ["loose"]);
  assert.deepEqual(shown({ kind: "social" }), ["loose"]);
  assert.deepEqual(shown({}), ["saga_won", "loose"]);
});

test("an id's count and last time include all kinds of event, and an id that was never received has no time", () => {
  const [row] = createEventIdRows(
    [
      ruleOf("saga_won", { count: 214_000, lastSeenAt: "2026-05-01T10:00:09.000Z" }),
      ruleOf("saga_won", { kind: "social", count: 3, lastSeenAt: "2026-05-01T10:00:12.000Z" }),
    ],
    [],
  );
  assert.ok(row);
  assert.deepEqual(eventActivity(row), { count: 214_003, lastAt: "2026-05-01T10:00:12.000Z" });
  const [other] = createEventIdRows([ruleOf("saga_lost", { count: 0, lastSeenAt: null })], []);
  assert.ok(other);
  assert.deepEqual(eventActivity(other), { count: 0, lastAt: null });
});

test("only social events have post rules, and a confirmed id has no suggestion", () => {
  const rules = [ruleOf("saga_won", { similarTo: "saga_own" }), ruleOf("saga_own", { kind: "social" })];
  const [own, won] = createEventIdRows(rules, []);
  assert.ok(own && won);
  const postRules = [{ pattern: "saga_*" }, { pattern: "other" }] as unknown as PostRule[];
  assert.deepEqual(matchingPostRules(own, postRules), [{ pattern: "saga_*" }]);
  assert.deepEqual(matchingPostRules(won, postRules), []);
  assert.equal(suggestedId(won, new Set()), "saga_own");
  assert.equal(suggestedId(won, new Set(["saga_won"])), undefined);
});

test("the cost of creating and filtering rows grows with their number, up to ten thousand ids", async () => {
  await assertCostFollowsSize("ten thousand ids", (share) => {
    const rules = Array.from({ length: 10_000 * share }, (_, n) => ruleOf(`saga_event_${n}`));
    const rows = createEventIdRows(
      rules,
      rules.map(({ eventId }) => recordingOf(eventId)),
    );
    assert.equal(rows.filter((row) => matchesRulesView(row, { text: "event_1234" })).length, 1);
  });
});

test("a view survives a round trip through its address", () => {
  const view = { game: "saga & co", kind: "social", text: "boss won", open: "saga_boss#1" } as const;
  assert.deepEqual(parseRulesView(toRulesFragment(view)), view);
  assert.equal(toRulesFragment({}), "#/rules");
  assert.equal(isRulesViewFiltered(parseRulesView("#/rules?open=x")), false);
});

test("kinds without event ids, and blank texts, filter nothing", () => {
  assert.deepEqual(parseRulesView("#/rules?kind=monitor&text=%20&game="), {});
});
