// Tests that the benchmark of the pages works. It is too short for meaningful figures.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { benched } from "../benched.ts";
import { pages } from "./pages.ts";
import { places } from "./visit.ts";

test("npm run bench -- pages visits every page with little and with much data, and judges what a person notices", {
  skip: skipWithout("Chromium", "ffmpeg"),
}, async () => {
  const { visits, clipList, targets, report } = await benched("pages", pages);
  assert.deepEqual(
    visits.map(({ page, amount }) => `${page} ${amount}`).toSorted(),
    places.flatMap(({ page }) => [`${page} few`, `${page} many`]).toSorted(),
  );
  assert.ok(visits.every(({ contentMs, slowestMs, shift }) => contentMs > 0 && slowestMs > 0 && shift >= 0));
  assert.ok(clipList.every(({ firstVisitKib, longestTaskMs }) => firstVisitKib > 100 && longestTaskMs >= 0));
  assert.equal(targets.length, 4 * places.length + 2);
  assert.match(report, /(reached|MISSED) +Clips: first content/);
});
