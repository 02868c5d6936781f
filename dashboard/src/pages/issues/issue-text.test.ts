// Tests of the formats of an issue's counts and times, including edge cases.
import assert from "node:assert/strict";
import { test } from "vitest";
import { dayBars, formatShortCount, formatTimeBefore, hourBars, spokenBars } from "./issue-text.ts";

test("a count has at most three digits and a unit", () => {
  const shown = [0, 999, 1_000, 1_204, 9_949, 9_950, 45_210, 999_499, 999_500, 3_400_000, 2_000_000_000].map(
    formatShortCount,
  );
  assert.deepEqual(shown, ["0", "999", "1k", "1.2k", "9.9k", "10k", "45k", "999k", "1M", "3.4M", "2B"]);
});

test("the time before an error is shown in the unit that suits its length", () => {
  const at = "2026-05-01T12:00:00.000Z";
  const after = (ms: number) => formatTimeBefore(at, new Date(Date.parse(at) + ms).toISOString());
  assert.deepEqual([-1, 0, 999, 3_240, 300_000, 9_000_000].map(after), [
    "",
    "0 ms before",
    "999 ms before",
    "3.2 s before",
    "5 min before",
    "3 h before",
  ]);
});

test("the last bar is the current hour or the current day in UTC, and the bars are spoken as a sum", () => {
  const nowMs = Date.UTC(2026, 4, 1, 12, 34);
  assert.equal(hourBars([0, 5], nowMs).at(-1)?.atMs, Date.UTC(2026, 4, 1, 12));
  const days = dayBars([1, 1_200, 0], nowMs);
  assert.deepEqual(
    days.map(({ says }) => says.match(/\d+/u)?.[0]),
    ["29", "30", "1"],
  );
  assert.equal(spokenBars(days), `1,201 reports, most at ${days[1]?.says}: 1,200`);
  assert.equal(spokenBars(dayBars([0, 1], nowMs)), "1 report, most of them now: 1");
  assert.equal(spokenBars(dayBars([0, 0], nowMs)), "none");
});
