// What a server says is shown short, on one line, and without what may open an account.
import assert from "node:assert/strict";
import { test } from "node:test";
import { plainMessage } from "./plain-message.ts";

test("words of a server are short, on one line, and hold no address", () => {
  assert.equal(plainMessage("  Must be\n2000\u0007 or \u202efewer.\t"), "Must be 2000 or fewer.");
  assert.equal(plainMessage("See https://discord.com/api/webhooks/1/secret-token, please"), "See … please");
  assert.equal(plainMessage("at HTTPS://a.example/x"), "at …");
  assert.equal(plainMessage("x".repeat(5_000)), `${"x".repeat(200)}…`);
  assert.ok(plainMessage("💥".repeat(500)).isWellFormed());
  for (const nothing of [undefined, null, 5, {}, ["a"]]) assert.equal(plainMessage(nothing), "");
});
