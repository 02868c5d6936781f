// Tests of the headers of a forwarding target: typed text is parsed or rejected.
import assert from "node:assert/strict";
import { test } from "vitest";
import { parseHeaders } from "./target-text.ts";

test("each line is parsed as one header, and anything else is rejected", () => {
  assert.deepEqual(parseHeaders(""), {});
  assert.deepEqual(parseHeaders("Authorization: Basic a:b==\n\n  x-key:1 "), {
    Authorization: "Basic a:b==",
    "x-key": "1",
  });
  assert.deepEqual(parseHeaders("x-empty:"), { "x-empty": "" });
  assert.equal(parseHeaders("just a key"), undefined);
  assert.equal(parseHeaders("two words: x"), undefined);
});
