// Tests that the benchmark of forwarding works. It runs too briefly for meaningful figures.
import assert from "node:assert/strict";
import { test } from "vitest";
import { benched } from "./benched.ts";
import { forwarding } from "./forwarding.ts";

test("npm run bench -- forwarding compares answers with and without forwarding, and counts the tracker's requests", async () => {
  const { runs, delivered, report } = await benched("forwarding", forwarding);
  assert.deepEqual(
    runs.map(({ subject }) => subject),
    ["off", "on"],
  );
  assert.ok(
    delivered > 0 && runs.every(({ acknowledged, p99Ms, failed }) => acknowledged > 0 && p99Ms > 0 && failed === 0),
  );
  assert.match(report, /(reached|MISSED) +p99 of the answers, to that without it/);
});
