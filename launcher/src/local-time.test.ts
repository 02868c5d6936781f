// Tests of local dates and times of day.
import assert from "node:assert/strict";
import { test } from "vitest";
import { localDate, timeOfDay } from "./local-time.ts";

test("Local dates and times are written as Intl writes them in Swedish", () => {
  for (const at of [new Date(2026, 0, 1), new Date(2026, 10, 27, 9, 5), new Date(1999, 11, 31, 23, 59, 59, 999)]) {
    assert.equal(localDate(at.getTime()), at.toLocaleDateString("sv-SE"));
    assert.equal(timeOfDay(at.getTime()), at.toLocaleTimeString("sv-SE", { hour: "2-digit", minute: "2-digit" }));
  }
});
