// Tests of the wait before the next attempt if the server does not name one.
import assert from "node:assert/strict";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import { openStorageFolder } from "../../test/support/storage-folder.ts";
import { until } from "../../test/support/until.ts";
import { insertTarget, restartTarget, updateTargetEnabled } from "../monitor/forwarding/forwarding-store.ts";
import { sql } from "../storage/sql.ts";
import { backoffMs, createOutbox } from "./outbox.ts";

test("the wait grows with each failure from a second to ten minutes, with randomness", () => {
  const many = (failures: number) => Array.from({ length: 200 }, () => backoffMs(failures));
  const middle = (failures: number) => many(failures).sort((a, b) => a - b)[100] ?? 0;
  for (const failures of [0, 1, 2, 5, 50, 1_000_000])
    assert.ok(many(failures).every((ms) => ms >= 1_000 && ms <= 600_000 && Number.isInteger(ms)));
  assert.ok(middle(3) > middle(1) && middle(6) > middle(3) && middle(9) > middle(6));
  assert.equal(backoffMs(40), 600_000);
  assert.ok(new Set(many(6)).size > 50);
});

test("a server that is down for a week costs one request in ten minutes", () => {
  const weekMs = 7 * 86_400_000;
  let requests = 0;
  for (let ms = 0; ms < weekMs; ms += backoffMs(requests)) requests += 1;
  assert.ok(requests >= weekMs / 600_000 && requests < weekMs / 600_000 + 30, `${requests} requests`);
});

test("attempts of which nothing can be stored, on a full disk, wait as long as failures do", async () => {
  await using folder = await openStorageFolder();
  const { storage } = folder;
  const target = { id: "target", kind: "sentry", game: null, host: "x", project: "1", access: "a" } as const;
  await storage.write(
    insertTarget(target, 0, message("target.no_credentials")),
    restartTarget("target"),
    updateTargetEnabled("target", true),
  );
  const clock = { ms: Date.now() };
  const failures: unknown[] = [];
  let attempts = 0;
  const onFailure = (error: unknown) => void failures.push(error);
  const outbox = createOutbox({
    table: "forward_target",
    storage,
    write: storage.write,
    now: () => clock.ms,
    onFailure,
  });
  outbox.start("target", {
    says: { missing: message("target.no_credentials"), unreadable: () => message("target.no_credentials") },
    idempotentForMs: Number.POSITIVE_INFINITY,
    next: async () => ({ committedMs: null, failingMs: null }),
    open: async () => true,
    async attempt() {
      attempts += 1;
      throw new Error("The disk is full");
    },
    record: async () => undefined,
  });
  await until("the first attempt failed", () => failures.length === 1);
  const hours = 6;
  for (let minute = 0; minute < hours * 60; minute += 1) {
    clock.ms += 60_000;
    outbox.wake();
    // The reader answers in order, so a woken step has read its target.
    for (let n = 0; n < 2; n += 1) await storage.read(sql`SELECT 1`);
  }
  // A clock that was set back by a year does not end the attempts for a year.
  clock.ms -= 365 * 86_400_000;
  const before = attempts;
  outbox.wake();
  await until("another attempt", () => attempts > before);
  await outbox.stop();
  assert.ok(before > 6 && before <= hours * 6 + 16, `${before} attempts`);
});
