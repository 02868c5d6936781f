// Tests of the usage bar: it shows every category that is not empty, in proportion.
import assert from "node:assert/strict";
import { test } from "vitest";
import { estimateExportBytes, totalBytes, usageSegments } from "./storage-usage.ts";

const nothing = { clips: 0, bin: 0, copies: 0, database: 0, backups: 0, aside: 0 };
const counts = { clips: 0, clipBytes: 0, pinned: 0, issues: 0, posts: 0, sessions: 0 };

test("the segments fill the bar from start to end, without a gap", () => {
  const parts = usageSegments({ ...nothing, clips: 600, database: 300, backups: 100 });
  assert.deepEqual(
    parts.map(({ name, from, width }) => [name, Math.round(from), Math.round(width)]),
    [
      ["clips", 0, 60],
      ["database", 60, 30],
      ["backups", 90, 10],
    ],
  );
});

test("a small category stays visible, and the segments still fill exactly the bar", () => {
  const parts = usageSegments({ ...nothing, clips: 20_000_000_000, bin: 1, database: 5_000 });
  assert.ok(parts.every(({ width }) => width > 0.7));
  assert.ok(Math.abs(parts.reduce((sum, { width }) => sum + width, 0) - 100) < 1e-9);
});

test("without any stored bytes there is no segment", () => {
  assert.deepEqual(usageSegments(nothing), []);
  assert.equal(totalBytes(nothing), 0);
});

test("the export size of a game is estimated from its share of the events and its own files", () => {
  const bytes = { ...nothing, clips: 900, bin: 100, database: 1_000 };
  const games = [
    { ...counts, game: "a", events: 75, clipBytes: 800 },
    { ...counts, game: null, events: 25, clipBytes: 200 },
  ];
  assert.deepEqual(estimateExportBytes({ bytes, games }, undefined), { without: 1_000, files: 1_000 });
  assert.deepEqual(estimateExportBytes({ bytes, games }, "a"), { without: 750, files: 800 });
  assert.deepEqual(estimateExportBytes({ bytes, games }, null), { without: 250, files: 200 });
});
