// Tests of the wait before the next attempt if the server does not name one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffMs } from "./outbox.ts";

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
