// Tests of confirmed ids: their number is limited, and stored values are never trusted.
import assert from "node:assert/strict";
import { test } from "vitest";
import { addConfirmedId, parseConfirmedIds } from "./confirmed-ids.ts";

test("stored values of another form are ignored", () => {
  for (const kept of [null, "", "{", '{"a":1}', "[1,null]"]) assert.deepEqual(parseConfirmedIds(kept), []);
  assert.deepEqual(parseConfirmedIds('["a",1,"b"]'), ["a", "b"]);
});

test("an id is stored once, and beyond a thousand the oldest is dropped", () => {
  assert.deepEqual(addConfirmedId(["a", "b"], "a"), ["b", "a"]);
  const many = Array.from({ length: 1_000 }, (_, n) => String(n));
  assert.deepEqual(addConfirmedId(many, "x").slice(0, 1), ["1"]);
  assert.equal(parseConfirmedIds(JSON.stringify([...many, "x"])).length, 1_000);
});
