// What an account takes and how it fares, in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Account } from "@kit/contract";
import { accountStateOf, accountStateWords, limitWords } from "./words.ts";

const limits = {
  textMax: 2_000,
  counts: "characters",
  imageBytesMax: 1_500_000,
  videoBytesMax: 0,
  videoSecondsMax: null,
  videoPixelsMax: null,
  videoFrameRateMax: null,
} as Account["limits"];
const account = { enabled: true, stopped: null, waitsUntil: null, waiting: 0, lastSentAt: null, limits } as Account;

test("what a person switched off is off, whatever else holds of it", () => {
  assert.equal(accountStateOf({ ...account, enabled: false, stopped: "The key is refused." }), "off");
  assert.equal(accountStateOf({ ...account, stopped: "The key is refused." }), "stopped");
  assert.equal(accountStateOf({ ...account, waitsUntil: "2026-05-01T10:00:00.000Z" }), "waits");
  assert.equal(accountStateWords(account), "Ready. Nothing was sent yet.");
});

test("limits are said in one line", () => {
  assert.equal(limitWords(account), "2,000 characters, pictures to 1.5 MB, no video");
  const video = { ...limits, videoBytesMax: 100_000_000, videoSecondsMax: 180 };
  assert.match(limitWords({ ...account, limits: video }), /video to 100 MB, 180 s$/u);
});
