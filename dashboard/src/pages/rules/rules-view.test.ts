// The page's address: what it says is read back, and what it does not know is left out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentOf, isNarrowed, rulesViewIn } from "./rules-view.ts";

test("a view is read back from its address", () => {
  const view = { game: "saga & co", kind: "social", text: "boss won", open: "saga_boss#1" } as const;
  assert.deepEqual(rulesViewIn(fragmentOf(view)), view);
  assert.equal(fragmentOf({}), "#/rules");
  assert.equal(isNarrowed(rulesViewIn("#/rules?open=x")), false);
});

test("kinds without event ids, and blanks, filter nothing", () => {
  assert.deepEqual(rulesViewIn("#/rules?kind=monitor&text=%20&game="), {});
});
