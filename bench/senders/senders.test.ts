// That the bench of senders runs: so few that its figures of cost mean nothing. Whose a report is has to be right each time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { benched } from "../test/benched.ts";
import { sendersReport } from "./report.ts";
import type { SenderResults } from "./results.ts";
import { judgeSenders } from "./targets.ts";

test("of three games that send at once no report is another's, and what that costs is judged", {
  skip: process.platform === "linux" ? false : "only Linux tells who sent an event",
}, async () => {
  const results = await benched<SenderResults>("senders");
  assert.equal(results.games.length, 3);
  assert.ok(results.games.every(({ reports, wrong }) => reports === 15 && wrong === 0));
  // A machine that does much else may not find each sender in time: those reports are of nobody.
  assert.ok(results.games.some(({ right }) => right > 0));
  assert.ok(results.costs.every(({ p50Ms, p99Ms }) => p50Ms > 0 && p99Ms >= p50Ms));
  assert.equal(judgeSenders(results).length, 3);
  assert.match(sendersReport(results), /(reached|MISSED) +runs of 3 with a report/);
});
