// Tests that a launcher killed during a storm of errors has counted exactly the acknowledged reports.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "vitest";
import { allIssues, issuesOnceCounted, sumOf } from "../storm/count.ts";
import { stormReport, wordOf } from "../storm/reports.ts";
import { startSender } from "../storm/sender.ts";
import { type LauncherProcess, startLauncherProcess, timestamp } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { randomFrom } from "./cycles.ts";

/** More kills find rarer losses. KIT_STORM_KILL_CYCLES=50 takes minutes. */
const cycles = Number(process.env.KIT_STORM_KILL_CYCLES ?? 5);
/** KIT_STORM_KILL_SEED selects other moments of the kills. */
const seed = Number(process.env.KIT_STORM_KILL_SEED ?? 5);
const acknowledgementsMax = 3_000;
const extraMsMax = 40;

/** Sends until `enough` reports are acknowledged, then kills the launcher in the middle and restarts it. */
async function killInStorm(launcher: LauncherProcess, enough: number, extraMs: number) {
  const client = "StormEngine/1.0 (Linux)";
  const sender = startSender({ port: launcher.port, connections: 64, client, report: stormReport });
  await until(`${enough} acknowledgements`, () => sender.account().acknowledged >= enough);
  await pause(extraMs);
  assert.deepEqual([sender.account().refused, sender.account().unanswered], [{}, 0], "nothing failed before the kill");
  await launcher.restart("SIGKILL", sender.stop);
  return sender.account();
}

/** Reports are dispatched in order. When a report of a new issue is counted, all before it are counted too. */
async function caughtUp(launcher: LauncherProcess, cycle: number): Promise<void> {
  const message = `After the ${wordOf(cycle)} all was still`;
  const headers = { "content-type": "application/json", "user-agent": "StillEngine/1.0" };
  const sent = await launcher.send("monitor", { message, timestamp: timestamp() }, headers);
  assert.equal(sent.status, 202);
  await until(message, async () => (await allIssues(launcher)).some(({ title }) => title === message));
}

test("after each kill in a storm, the counts include every acknowledged report and at most the unanswered ones", async () => {
  await using launcher = await startLauncherProcess({ env: { DISPLAY: "", WAYLAND_DISPLAY: "" } });
  const random = randomFrom(seed);
  let acknowledged = 0;
  let unanswered = 0;
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const account = await killInStorm(launcher, 1 + random() * acknowledgementsMax, random() * extraMsMax);
    // The report at the end of each storm counts too.
    acknowledged += account.acknowledged;
    unanswered += account.unanswered;
    await issuesOnceCounted(launcher, acknowledged + cycle - 1);
    await caughtUp(launcher, cycle);
    const counted = sumOf(await allIssues(launcher)) - cycle;
    const result = `kill ${cycle} (seed ${seed}): ${counted} counted, ${acknowledged} acknowledged, ${unanswered} unanswered`;
    assert.ok(counted >= acknowledged && counted <= acknowledged + unanswered, result);
    if (cycle === cycles) console.log(result);
  }
  assert.ok(unanswered > 0, "the kills were in the middle of the storm");
});
