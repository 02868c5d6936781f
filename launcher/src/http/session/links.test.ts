// Tests of the lifetime of download links: it is measured by elapsed time, not by the computer's clock.
import assert from "node:assert/strict";
import { linkParameter } from "@kit/contract";
import { test } from "vitest";
import { createDownloadLinks } from "./links.ts";

const cookie = "c".repeat(43);
const yearMs = 365 * 24 * 3_600_000;
const began = Date.UTC(2026, 0, 1);

/** Links with a clock that can be set, and a time that only passes. */
function start() {
  const time = { clock: began, passed: 5_000.25 };
  const links = createDownloadLinks(
    () => time.clock,
    () => time.passed,
  );
  return { ...links, time };
}

for (const [label, jump] of [
  ["on", 10 * yearMs],
  ["back", -10 * yearMs],
] as const) {
  test(`a clock that jumps ${label} neither shortens nor extends the minute of a link`, () => {
    const { create, spend, time } = start();
    const first = create(cookie, "/api/export");
    const second = create(cookie, "/api/export");
    time.clock += jump;
    assert.ok(spend(cookie, first.address), "right after the jump");
    time.passed += 60_000;
    assert.ok(!spend(cookie, second.address), "after a minute");
  });
}

test("the expiry is given in the current time of the clock", () => {
  const { create, time } = start();
  time.clock += yearMs;
  assert.equal(create(cookie, "/api/export").expiresAtMs, began + yearMs + 60_000);
});

test("a link is invalid after a restart of the launcher", () => {
  const { address } = start().create(cookie, "/api/export");
  assert.ok(address.includes(`${linkParameter}=`));
  assert.ok(!start().spend(cookie, address));
});
