// Durations, sizes and times are formatted correctly, including edge cases.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAgo, formatBytes, formatClock, formatExactClock, spokenDuration, spokenPosition } from "./format.ts";

test("a length is shown as players show it", () => {
  const shown = [0, 0.4, 17, 59.6, 125, 3_725].map(formatClock);
  assert.deepEqual(shown, ["0:00", "0:00", "0:17", "1:00", "2:05", "1:02:05"]);
});

test("a length nobody measured is zero", () => {
  assert.deepEqual([Number.NaN, -3, Number.POSITIVE_INFINITY].map(formatClock), ["0:00", "0:00", "0:00"]);
});

test("a length is spoken in words, one second as one", () => {
  const spoken = [1, 17, 60, 61, 125].map(spokenDuration);
  assert.deepEqual(spoken, ["1 second", "17 seconds", "1 minute", "1 minute 1 second", "2 minutes 5 seconds"]);
});

test("a place to the frame is shown and spoken to the hundredth of a second", () => {
  assert.deepEqual([0, 3.0333, 59.999, 125.5].map(formatExactClock), ["0:00.00", "0:03.03", "1:00.00", "2:05.50"]);
  assert.deepEqual([3.0333, 125.5].map(spokenPosition), ["3.03 seconds", "2 minutes 5.50 seconds"]);
});

test("bytes are said in the unit that keeps them short, and never as a thousand of one", () => {
  const said = [0, 999, 1_000, 999_600, 4_200_000, 12_345_678, 123_456_789, 20_000_000_000, 5e15].map(formatBytes);
  assert.deepEqual(said, ["0 B", "999 B", "1 kB", "1 MB", "4.2 MB", "12.3 MB", "123 MB", "20 GB", "5000 TB"]);
});

test("a time is said as how long ago it was, a clock that runs ahead as now", () => {
  const nowMs = Date.parse("2026-05-10T12:00:00.000Z");
  const ago = (seconds: number) => formatAgo(new Date(nowMs - seconds * 1_000).toISOString(), nowMs);
  assert.deepEqual(
    [ago(-90), ago(59), ago(60), ago(3_599)],
    ["just now", "just now", "1 minute ago", "59 minutes ago"],
  );
  assert.deepEqual([ago(3_600), ago(86_399)], ["1 hour ago", "23 hours ago"]);
  assert.match(ago(2 * 86_400), /^\d\d:\d\d$/);
  assert.match(ago(30 * 86_400), /2026/);
  assert.equal(formatAgo("yesterday", nowMs), "yesterday");
});
