// Tests of receipts: how a clip ended, also for events that come long after.

import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "@kit/contract";
import { ClipReceipts } from "./receipts.ts";

test("an event of a clip that is no longer in memory fails with the reason", () => {
  const receipts = new ClipReceipts(() => []);
  const moment = { event: "event", seq: 1, kind: "recording", eventId: "saga_boss", label: "boss", atMs: 1 } as const;
  const { state, reason } = receipts.outcomeFor("long over", moment);
  assert.equal(state, "failed");
  assert.match(textOf(reason), /long after its clip was finished/);
});
