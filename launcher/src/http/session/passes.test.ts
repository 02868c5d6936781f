// Tests of the lifetime of passes and links: it is measured by elapsed time, not by the computer's clock.
import assert from "node:assert/strict";
import { linkParameter, passParameter } from "@kit/contract";
import { test } from "vitest";
import { createUrlCredentials } from "./passes.ts";

const secret = "3".repeat(64);
const cookie = "c".repeat(43);
const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;
const began = Date.UTC(2026, 0, 1);

/** Passes with a clock that can be set, and a time that only passes. */
function start(clockMs = began) {
  const time = { clock: clockMs, passed: 5_000.25 };
  const passes = createUrlCredentials(
    secret,
    () => time.clock,
    () => time.passed,
  );
  const pass = (ms: number) => {
    time.clock += ms;
    time.passed += ms;
  };
  const holds = (shown: string) => passes.isValidPass(cookie, `/api/clips/x/video?${passParameter}=${shown}`);
  return { ...passes, time, pass, holds };
}

for (const [label, jump] of [
  ["on", 10 * yearMs],
  ["back", -10 * yearMs],
] as const) {
  test(`a clock that jumps ${label} neither shortens nor extends the hour of a pass`, () => {
    const { createPass, holds, time, pass } = start();
    const shown = createPass(cookie).pass;
    time.clock += jump;
    assert.ok(holds(shown), "right after the jump");
    pass(hourMs - 1);
    assert.ok(holds(shown), "a moment before the hour is over");
    pass(1);
    assert.ok(!holds(shown), "after an hour");
  });

  test(`a clock that jumps ${label} neither shortens nor extends the minute of a link`, () => {
    const { createLink, spendLink, time, pass } = start();
    const first = createLink(cookie, "/api/export");
    const second = createLink(cookie, "/api/export");
    time.clock += jump;
    assert.ok(spendLink(cookie, first.address), "right after the jump");
    pass(60_000);
    assert.ok(!spendLink(cookie, second.address), "after a minute");
  });
}

test("the expiry is given in the current time of the clock", () => {
  const { createPass, createLink, time } = start();
  time.clock += yearMs;
  assert.equal(createPass(cookie).expiresAtMs, began + yearMs + hourMs);
  assert.equal(createLink(cookie, "/api/export").expiresAtMs, began + yearMs + 60_000);
});

test("a pass survives a restart of the launcher, but not its hour", () => {
  const shown = start().createPass(cookie).pass;
  const next = start(began + hourMs / 2);
  assert.ok(next.holds(shown), "half an hour later");
  next.pass(hourMs / 2);
  assert.ok(!next.holds(shown), "after an hour");
});

test("a clock that was set back between two runs does not extend a pass", () => {
  const shown = start().createPass(cookie).pass;
  const next = start(began - yearMs);
  for (const ms of [0, hourMs, yearMs - hourMs - 1]) {
    next.pass(ms);
    assert.ok(!next.holds(shown), `${ms} ms later`);
  }
});

test("a link is invalid after a restart of the launcher", () => {
  const { address } = start().createLink(cookie, "/api/export");
  assert.ok(address.includes(`${linkParameter}=`));
  assert.ok(!start().spendLink(cookie, address));
});
