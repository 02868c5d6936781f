// That the bench of storms runs: so short that its figures mean nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { benched } from "../test/benched.ts";
import { stormReport } from "./report.ts";
import type { StormResults } from "./results.ts";
import { judgeStorm } from "./targets.ts";

test("npm run bench -- storm counts what it sent, and says which promise is broken", async () => {
  const results = await benched<StormResults>("storm");
  const { storm, flood, rare } = results.figures;
  assert.ok(storm.sent.acknowledged > 0 && storm.sent.p99Ms >= storm.sent.p50Ms && storm.sent.p50Ms > 0);
  assert.equal(flood.sent.acknowledged, 1_500);
  assert.ok(flood.newIssues > 1 && rare.reports > 0 && rare.moments > 0 && rare.p50Ms > 0);
  assert.ok(storm.usage.cpuPercent > 0 && storm.usage.databaseBytesMax > 0 && storm.usage.residentBytesMax > 1e7);
  assert.match(stormReport(results), /(reached|MISSED) +storm: reports a second/);

  const brokenBy = (figures: Partial<StormResults["figures"]>) =>
    judgeStorm({ ...results.figures, ...figures })
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
