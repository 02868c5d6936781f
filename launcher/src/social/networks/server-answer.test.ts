// Tests of texts from servers: they are shown short, on one line, and without anything that could open an account.
import assert from "node:assert/strict";
import { test } from "vitest";
import { plainServerMessage, saysTooLarge } from "./server-answer.ts";

test("a server's message is short, on one line, and contains no address", () => {
  assert.equal(plainServerMessage("  Must be\n2000\u0007 or \u202efewer.\t"), "Must be 2000 or fewer.");
  assert.equal(plainServerMessage("See https://discord.com/api/webhooks/1/secret-token, please"), "See … please");
  assert.equal(plainServerMessage("at HTTPS://a.example/x"), "at …");
  assert.equal(plainServerMessage("x".repeat(5_000)), `${"x".repeat(200)}…`);
  assert.ok(plainServerMessage("💥".repeat(500)).isWellFormed());
  for (const page of ["<!DOCTYPE html><html>…", "Sorry! <h1>Access denied</h1>", "<p>No</p>"])
    assert.equal(plainServerMessage(page), "");
  assert.equal(plainServerMessage("must be < 500 and > 3"), "must be < 500 and > 3");
  for (const nothing of [undefined, null, 5, {}, ["a"]]) assert.equal(plainServerMessage(nothing), "");
});

test("what servers say about a file that is too large is recognised, and other refusals are not", () => {
  for (const words of [
    "Request entity too large",
    "file_too_large",
    "Validation failed: File file size must be less than 99 MB",
    "The file may not be greater than 15000 kilobytes.",
    "media file size 48MiB greater than limit 40MiB",
    "This file is too large. It is 2.1MB but the maximum size is 1.9MB.",
  ])
    assert.ok(saysTooLarge(words), words);
  for (const words of ["Validation failed: Description is too long", "File content type is invalid", "", "No."])
    assert.ok(!saysTooLarge(words), words);
});
