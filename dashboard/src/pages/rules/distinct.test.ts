// What a browser remembers of a person's answers: bounded, and never trusted to be what was written.
import assert from "node:assert/strict";
import { test } from "node:test";
import { distinctIn, withId } from "./distinct.ts";

test("what something else wrote there is no answer", () => {
  for (const kept of [null, "", "{", '{"a":1}', "[1,null]"]) assert.deepEqual(distinctIn(kept), []);
  assert.deepEqual(distinctIn('["a",1,"b"]'), ["a", "b"]);
});

test("an answer stands once, and beyond a thousand the oldest goes", () => {
  assert.deepEqual(withId(["a", "b"], "a"), ["b", "a"]);
  const many = Array.from({ length: 1_000 }, (_, n) => String(n));
  assert.deepEqual(withId(many, "x").slice(0, 1), ["1"]);
  assert.equal(distinctIn(JSON.stringify([...many, "x"])).length, 1_000);
});
