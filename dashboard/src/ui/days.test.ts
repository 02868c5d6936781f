// Tests of grouping by day: days are local and have readable names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleEventRow } from "../api/feed.samples.ts";
import { groupByDay } from "./days.ts";

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
