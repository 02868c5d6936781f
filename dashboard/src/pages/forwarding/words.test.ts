// What a person typed becomes headers, or is said to be none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { headersIn } from "./words.ts";

test("headers are read a line each, and anything else is none", () => {
  assert.deepEqual(headersIn(""), {});
  assert.deepEqual(headersIn("Authorization: Basic a:b==\n\n  x-key:1 "), {
    Authorization: "Basic a:b==",
    "x-key": "1",
  });
  assert.deepEqual(headersIn("x-empty:"), { "x-empty": "" });
  assert.equal(headersIn("just a key"), undefined);
  assert.equal(headersIn("two words: x"), undefined);
});
