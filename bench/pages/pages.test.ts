// That the bench of pages runs: so little and so short that its figures mean nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../tools/engines/locate.ts";
import { benched } from "../test/benched.ts";
import { places } from "./places.ts";
import { pagesReport } from "./report.ts";
import type { PageResults } from "./results.ts";
import { judgePages } from "./targets.ts";

test("npm run bench -- pages visits every page with little and with much, and judges what a person notices", {
  skip: skipWithout("Chromium", "ffmpeg"),
}, async () => {
  const results = await benched<PageResults>("pages");
  assert.deepEqual(
    results.visits.map(({ page, subject }) => `${page} ${subject}`).toSorted(),
    places.flatMap(({ page }) => [`${page} few`, `${page} many`]).toSorted(),
  );
  assert.ok(results.visits.every(({ contentMs, slowestMs, shift }) => contentMs > 0 && slowestMs > 0 && shift >= 0));
  assert.equal(judgePages(results).length, 4 * places.length);
  assert.match(pagesReport(results), /(reached|MISSED) +Clips: first content/);
});
