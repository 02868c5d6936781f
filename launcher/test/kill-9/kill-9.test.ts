// Tests that no acknowledged event is lost, whenever the launcher is killed.
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "vitest";
import { launcherCommand } from "../support/launcher-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { audit, type KillPlan, killUnderLoad } from "./cycles.ts";

/** More cycles find rarer losses. `npm run test:nightly` kills 50 times, and KIT_KILL_CYCLES=200 takes minutes. */
const cycles = Number(process.env.KIT_KILL_CYCLES ?? 3);
/** KIT_KILL_SEED selects other moments of the kills. */
const seed = Number(process.env.KIT_KILL_SEED ?? 9);
const controlCycles = 4;

const earlyAcknowledging = (port: number, dataDir: string) => [
  process.execPath,
  "--disable-warning=ExperimentalWarning",
  join(import.meta.dirname, "early-acknowledging.ts"),
  String(port),
  dataDir,
];

async function killAndAudit(t: TestContext, plan: Pick<KillPlan, "command" | "cycles">) {
  const dataDir = temporaryFolder("kill9", t);
  const outcome = await killUnderLoad({ ...plan, dataDir, connections: 64, seed });
  const found = audit(dataDir, outcome.acknowledged);
  const counts = `${outcome.acknowledged.size} acknowledged, ${found.lost.length} lost, ${found.unacknowledged} stored without an answer`;
  console.log(`${plan.cycles} kills (seed ${seed}): ${counts}`);
  return { ...outcome, ...found };
}

test("no acknowledged event is lost or repeated when the launcher is killed under load", async (t) => {
  const outcome = await killAndAudit(t, { command: launcherCommand, cycles });
  assert.deepEqual(outcome.lost, []);
  assert.deepEqual(outcome.repeated, []);
  assert.equal(outcome.integrity, "ok");
  assert.deepEqual(outcome.failures, [], "no request failed before a kill");
  assert.ok(outcome.acknowledged.size > cycles, "the server took the load");

  const readyMs = outcome.readyMs.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(readyMs[Math.ceil(readyMs.length * share) - 1] ?? Number.NaN);
  console.log(`start to first acknowledgement: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`);
});

test("the same kills find the losses of a server that acknowledges before it commits", async (t) => {
  const outcome = await killAndAudit(t, { command: earlyAcknowledging, cycles: controlCycles });
  assert.ok(outcome.lost.length > 0, "kills that lose nothing here could not find a loss in the launcher");
});
