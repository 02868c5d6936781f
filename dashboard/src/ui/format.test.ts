// Tests of the formats of durations, sizes and times, including edge cases, and of grouping by day.
import assert from "node:assert/strict";
import { test } from "vitest";
import { sampleEventRow } from "../../test/feed-samples.ts";
import {
  formatBytes,
  formatClock,
  formatDateAndMinute,
  formatDateTime,
  formatDay,
  formatDuration,
  formatExactClock,
  formatMinute,
  formatRelativeTime,
  groupByDay,
  spokenDuration,
  spokenPosition,
} from "./format.ts";

test("a duration is shown as in a video player", () => {
  const shown = [0, 0.4, 17, 59.6, 125, 3_725].map(formatClock);
  assert.deepEqual(shown, ["0:00", "0:00", "0:17", "1:00", "2:05", "1:02:05"]);
});

test("an unknown or negative duration is shown as zero", () => {
  assert.deepEqual([Number.NaN, -3, Number.POSITIVE_INFINITY].map(formatClock), ["0:00", "0:00", "0:00"]);
});

test("a duration is spoken in words, with the singular for one", () => {
  const spoken = [1, 17, 60, 61, 125].map(spokenDuration);
  assert.deepEqual(spoken, ["1 second", "17 seconds", "1 minute", "1 minute 1 second", "2 minutes 5 seconds"]);
});

test("a position is shown and spoken to the hundredth of a second", () => {
  assert.deepEqual([0, 3.0333, 59.999, 125.5].map(formatExactClock), ["0:00.00", "0:03.03", "1:00.00", "2:05.50"]);
  assert.deepEqual([3.0333, 125.5].map(spokenPosition), ["3.03 seconds", "2 minutes 5.50 seconds"]);
});

test("bytes are shown in the largest unit that fits, never as a thousand of a smaller one", () => {
  const texts = [0, 999, 1_000, 999_600, 4_200_000, 12_345_678, 123_456_789, 20_000_000_000, 5e15].map(formatBytes);
  assert.deepEqual(texts, ["0 B", "999 B", "1 kB", "1 MB", "4.2 MB", "12.3 MB", "123 MB", "20 GB", "5000 TB"]);
});

test("every time of day is of 24 hours, and a day is written in one way, with and without the time", () => {
  const afternoon = new Date(2026, 4, 10, 15, 4, 5).toISOString();
  assert.equal(formatMinute(afternoon), "15:04");
  assert.equal(formatMinute(new Date(2026, 4, 10).toISOString()), "00:00");
  assert.equal(formatDateAndMinute(afternoon), `${formatDay(afternoon)}, 15:04`);
  assert.deepEqual(
    [formatMinute, formatDay, formatDateAndMinute].map((format) => format("soon")),
    ["soon", "soon", "soon"],
  );
});

test("a date and time has milliseconds and a clock of 24 hours", () => {
  const afternoon = new Date(2026, 4, 10, 15, 4, 5, 60).toISOString();
  assert.match(formatDateTime(afternoon), /2026.*\b15:04:05[.,]060$/u);
  assert.match(formatDateTime(new Date(2026, 4, 10).toISOString()), /\b00:00:00[.,]000$/u);
  assert.equal(formatDateTime("yesterday"), "yesterday");
});

test("a duration is shown in at most two units", () => {
  const texts = [0, 35_400, 59_600, 2_880_000, 3_600_000, 4_320_000].map(formatDuration);
  assert.deepEqual(texts, ["0 s", "35 s", "1 min", "48 min", "1 h", "1 h 12 min"]);
});

test("a relative time has one unit, and a time in the future is now", () => {
  const nowMs = Date.UTC(2026, 4, 1, 12);
  const ago = (seconds: number) => formatRelativeTime(new Date(nowMs - seconds * 1_000).toISOString(), nowMs);
  assert.deepEqual([-60, 59, 60, 3_599, 7_200, 86_400, 40 * 86_400].map(ago), [
    "just now",
    "just now",
    "1 minute ago",
    "59 minutes ago",
    "2 hours ago",
    "1 day ago",
    "1 month ago",
  ]);
  assert.equal(formatRelativeTime("yesterday", nowMs), "yesterday");
});

/** A row at a local time, so that the test passes in every time zone. */
const at = (day: number, hour: number) => {
  const receivedAt = new Date(2026, 4, day, hour).toISOString();
  return sampleEventRow({ id: receivedAt, receivedAt });
};
const atOf = (row: { readonly at: string }) => row.at;

test("rows are grouped under today, yesterday and older dates, in order", () => {
  const days = groupByDay([at(9, 23), at(9, 0), at(8, 23), at(1, 12)], new Date(2026, 4, 9, 23, 30), atOf);
  assert.deepEqual(
    days.map((day) => day.rows.length),
    [2, 1, 1],
  );
  assert.deepEqual(
    days.slice(0, 2).map((day) => day.says),
    ["Today", "Yesterday"],
  );
  assert.match(days[2]?.says ?? "", /1/);
});

test("on the first of a month, the last day of the month before is yesterday", () => {
  const row = sampleEventRow({ receivedAt: new Date(2026, 3, 30, 12).toISOString() });
  assert.equal(groupByDay([row], new Date(2026, 4, 1, 1), atOf)[0]?.says, "Yesterday");
});
