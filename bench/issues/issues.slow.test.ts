// Tests that the benchmark of issues works. It uses too little data for meaningful figures.
import assert from "node:assert/strict";
import { test } from "vitest";
import { benched } from "../benched.ts";
import { makeUp, reportsPerIssue } from "./fill.ts";
import { callNames, issues } from "./issues.ts";

test("npm run bench -- issues calls both launchers for every list and page, and judges each by the ratio", async () => {
  const { runs, filled, targets, report } = await benched("issues", issues);
  assert.equal(runs.length, 2 * callNames.length);
  assert.ok(runs.every(({ p50Ms, p99Ms }) => p50Ms > 0 && p99Ms >= p50Ms));
  assert.equal(filled.many.issues, 2_000);
  assert.equal(targets.length, callNames.length);
  assert.match(report, /(reached|MISSED) +p99 of list, last seen first/);
});

test("generated issues have a hundred reports each, all in a span, and none old enough to be rolled up", () => {
  const nowMs = Date.UTC(2026, 4, 3, 10, 20, 30);
  const made = Array.from({ length: 1_000 }, (_, index) => makeUp(1_000, nowMs)(index));
  const reports = made.reduce((sum, { total }) => sum + total, 0);
  assert.ok(Math.abs(reports / (1_000 * reportsPerIssue) - 1) < 0.01, `${reports}`);
  for (const { counts, total, lastSeenMs } of made) {
    assert.equal(
      counts.reduce((sum, { n }) => sum + n, 0),
      total,
    );
    const newest = Math.max(...counts.map(({ atMs }) => atMs));
    assert.ok(newest <= lastSeenMs);
    for (const { atMs, span } of counts) {
      if (span === "minute") assert.ok(atMs > nowMs - 4 * 3_600_000);
      if (span === "hour") assert.ok(atMs > nowMs - 31 * 86_400_000);
    }
  }
});
