// Tests that the benchmark of a storm works. It is too short for meaningful figures.
import assert from "node:assert/strict";
import { test } from "vitest";
import { benched } from "../benched.ts";
import type { StormFigures } from "./measure.ts";
import { storm as bench, stormTargets } from "./storm.ts";

test("npm run bench -- storm counts what it sent, and reports which promise is broken", async () => {
  const figures = await benched("storm", bench);
  const { storm, flood, rare, report } = figures;
  assert.ok(storm.sent.acknowledged > 0 && storm.sent.p99Ms >= storm.sent.p50Ms && storm.sent.p50Ms > 0);
  assert.equal(flood.sent.acknowledged, 1_500);
  assert.ok(flood.newIssues > 1 && rare.reports > 0 && rare.moments > 0 && rare.p50Ms > 0);
  assert.ok(storm.usage.cpuPercent > 0 && storm.usage.databaseBytesMax > 0 && storm.usage.residentBytesMax > 1e7);
  assert.match(report, /(reached|MISSED) +storm: reports a second/);

  const brokenBy = (changed: Partial<StormFigures>) =>
    stormTargets({ ...figures, ...changed })
      .filter(({ isPromise, reached }) => isPromise && !reached)
      .map(({ says }) => says);
  assert.deepEqual(brokenBy({}), []);
  assert.deepEqual(brokenBy({ storm: { ...storm, counted: storm.counted + 1 } }), [
    "storm: reports counted, to those acknowledged",
  ]);
  const refused = { ...flood, sent: { ...flood.sent, refused: { 429: 2 } } };
  assert.deepEqual(brokenBy({ flood: refused }), ["flood: answers other than 202, and none"]);
  assert.deepEqual(brokenBy({ rare: { ...rare, handedOn: rare.handedOn - 1 } }), [
    "rare: reports and moments handed on",
  ]);
});
