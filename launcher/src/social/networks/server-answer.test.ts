// Tests of texts from servers: they are shown short, on one line, and without anything that could open an account.
import assert from "node:assert/strict";
import { test } from "vitest";
import { plainServerMessage } from "./server-answer.ts";

test("a server's message is short, on one line, and contains no address", () => {
  assert.equal(plainServerMessage("  Must be\n2000\u0007 or \u202efewer.\t"), "Must be 2000 or fewer.");
  assert.equal(plainServerMessage("See https://discord.com/api/webhooks/1/secret-token, please"), "See … please");
  assert.equal(plainServerMessage("at HTTPS://a.example/x"), "at …");
  assert.equal(plainServerMessage("x".repeat(5_000)), `${"x".repeat(200)}…`);
  assert.ok(plainServerMessage("💥".repeat(500)).isWellFormed());
  for (const nothing of [undefined, null, 5, {}, ["a"]]) assert.equal(plainServerMessage(nothing), "");
});
