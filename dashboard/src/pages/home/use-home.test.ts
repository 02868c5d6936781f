// Tests of which sessions belong to the last evening.
import assert from "node:assert/strict";
import type { GameSession } from "@kit/contract";
import { test } from "vitest";
import { sessionOf } from "../../../test/session-samples.ts";
import { lastEvening } from "./use-home.ts";

const hourMs = 3_600_000;
/** The nth session, from one hour to another. */
const between = (n: number, from: number, to: number | null, members: Partial<GameSession> = {}) =>
  sessionOf(n, {
    startedAt: new Date(from * hourMs).toISOString(),
    endedAt: to === null ? null : new Date(to * hourMs).toISOString(),
    ...members,
  });

test("sessions belong to one evening until a pause of more than six hours", () => {
  const third = between(1, 30, 31);
  const second = between(2, 25, 26);
  const first = between(3, 18, 19);
  const before = between(4, 10, 11.9);
  assert.deepEqual(lastEvening([third, second, first, before, between(5, 10, 11)]), [third, second, first]);
  assert.deepEqual(lastEvening([third]), [third]);
  assert.deepEqual(lastEvening([]), []);
});

test("the evening ends with the newest session that has a moment, and two games may run at once", () => {
  const empty = between(1, 41, 42, { moments: 0 });
  const last = between(2, 40, 41);
  const beside = between(3, 20, null, { moments: 0 });
  assert.deepEqual(lastEvening([empty, last, beside]), [last, beside]);
  assert.deepEqual(lastEvening([empty, beside]), [empty, beside]);
});
