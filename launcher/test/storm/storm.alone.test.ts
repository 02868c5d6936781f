// Tests of a game that throws as fast as it can beside one that sends rarely.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { startLauncherProcess } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { countsByTitle, issuesOnceCounted, sumOf } from "./count.ts";
import { generate } from "./generate.ts";
import { fateOf, startRare } from "./rare.ts";
import { kindsMax, rareTitle } from "./reports.ts";

/** The storm lasts longer on a busy machine, until it has sent the minimum number of reports. */
const stormSeconds = 5;
const reportsMin = 10_000;
/** Enough for an empty database and the reports that Kit stores whole. */
const databaseBytesMax = 12_000_000;
const idsChecked = 50;

const databaseBytes = (dataDir: string) =>
  ["kit.db", "kit.db-wal"].reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0);

test("a storm is counted exactly, does not fill the disk, and hides no reports or moments of others", async () => {
  await using launcher = await startLauncherProcess({ env: { DISPLAY: "", WAYLAND_DISPLAY: "" } });
  const { port, dataDir } = launcher;
  const rare = startRare(launcher);
  const client = "StormEngine/1.0 (Linux)";
  const storm = await generate({ port, connections: 32, client, seconds: stormSeconds, reportsMin });
  const rareAccount = await rare.stop();
  const { acknowledged, refused, unanswered, ids } = storm;
  console.log(`${acknowledged} reports acknowledged in ${Math.round(storm.lastedMs)} ms`);
  assert.deepEqual([refused, unanswered, rareAccount.failures], [{}, 0, []], "every request was answered with 202");

  const rareReports = [...rareAccount.reports.values()].flat().length;
  assert.ok(rareReports > 0 && rareAccount.moments.length > 0);
  const issues = await issuesOnceCounted(launcher, acknowledged + rareReports);
  assert.equal(sumOf(issues), acknowledged + rareReports);
  const counts = countsByTitle(issues);
  const kinds = [...counts.keys()].filter((title) => !title.startsWith("The rare"));
  assert.equal(kinds.length, 1 + kindsMax, "each kind of the storm has its own issue");
  for (const [kind, kindIds] of rareAccount.reports) assert.equal(counts.get(rareTitle(kind)), kindIds.length);

  const { handled, faults } = await fateOf(launcher, rareAccount);
  assert.deepEqual(faults, []);
  assert.equal(handled, rareReports + rareAccount.moments.length);
  for (const id of ids.slice(-idsChecked)) assert.equal((await launcher.receipt(id)).event.kind, "monitor");
  // A reader can keep the write-ahead log long. Kit shortens it when nothing is written.
  const bytes = await until(
    () => `a database of at most ${databaseBytesMax} bytes instead of ${databaseBytes(dataDir)}`,
    () => [databaseBytes(dataDir)].find((size) => size <= databaseBytesMax),
  );
  console.log(`${(bytes / 1e6).toFixed(1)} MB of database`);
});
