// Tests of the Rules page's address: it is parsed into the same view, and unknown values are ignored.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isRulesViewFiltered, parseRulesView, toRulesFragment } from "./rules-view.ts";

test("a view survives a round trip through its address", () => {
  const view = { game: "saga & co", kind: "social", text: "boss won", open: "saga_boss#1" } as const;
  assert.deepEqual(parseRulesView(toRulesFragment(view)), view);
  assert.equal(toRulesFragment({}), "#/rules");
  assert.equal(isRulesViewFiltered(parseRulesView("#/rules?open=x")), false);
});

test("kinds without event ids, and blank texts, filter nothing", () => {
  assert.deepEqual(parseRulesView("#/rules?kind=monitor&text=%20&game="), {});
});
