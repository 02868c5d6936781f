// Tests of the texts for an account's state and limits.
import assert from "node:assert/strict";
import type { Account } from "@kit/contract";
import { test } from "vitest";
import { accountState, accountStateText, networkLimitsText } from "./account-text.ts";

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

test("a switched-off account is shown as off, even if it is also stopped or waiting", () => {
  assert.equal(accountState({ ...account, enabled: false, stopped: "The key is refused." }), "off");
  assert.equal(accountState({ ...account, stopped: "The key is refused." }), "stopped");
  assert.equal(accountState({ ...account, waitsUntil: "2026-05-01T10:00:00.000Z" }), "waits");
  assert.equal(accountStateText(account), "Ready. Nothing sent yet.");
});

test("the limits of an account are one line of text", () => {
  assert.equal(networkLimitsText(account), "2,000 characters, pictures up to 1.5 MB, no video");
  const textOnly = { ...limits, imageBytesMax: 0 };
  assert.equal(networkLimitsText({ ...account, limits: textOnly }), "2,000 characters, no pictures, no video");
  const video = { ...limits, videoBytesMax: 100_000_000, videoSecondsMax: 180 };
  assert.match(networkLimitsText({ ...account, limits: video }), /video up to 100 MB and 180 s$/u);
});
