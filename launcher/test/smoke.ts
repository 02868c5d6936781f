// `npm run smoke`: starts the built launcher like `npm start`, sends the three operations like a game, lists them, asks `kit doctor`,
// ends the launcher with `kit stop`, and says what happened.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createClient,
  ingestOperations,
  listEvents,
  reportError,
  triggerRecording,
  triggerSocial,
} from "@kit/contract";
import type { DoctorCheck } from "../src/cli/commands/doctor/check.ts";
import { exitCodes } from "../src/cli/exit-codes.ts";
import { kitOn } from "./support/kit-command.ts";
import { type OwnLauncher, startLauncherProcess, timestamp } from "./support/own-launcher.ts";
import { until } from "./support/until.ts";

/** Checks of `kit doctor` that fail on a computer without ffmpeg or a screen, where Kit has to run all the same. */
const mayFail: readonly string[] = ["ffmpeg", "recorder"];

async function sendEvents(port: number): Promise<readonly string[]> {
  // Without credentials, as games send.
  const { call } = createClient(`http://127.0.0.1:${port}`);
  const sent = [
    await call(triggerRecording, { body: { eventId: "smoke_boss_defeated", timestamp: timestamp() } }),
    await call(reportError, { body: { message: "Smoke test", stackTrace: "", timestamp: timestamp() } }),
    await call(triggerSocial, { body: { eventId: "smoke_level_finished", timestamp: timestamp() } }),
  ];
  return sent.map(({ id }) => id);
}

async function waitUntilListed({ port, secret }: OwnLauncher, ids: readonly string[]): Promise<void> {
  const owner = createClient(`http://127.0.0.1:${port}`, () => ({ authorization: `Bearer ${secret()}` }));
  await until("the list has the three events", async () => {
    const { events } = await owner.call(listEvents, { query: {} });
    return ids.every((id) => events.some((event) => event.id === id));
  });
}

/** Prints what `kit doctor` says. Throws if a check fails that must pass on every computer. */
function judge(checks: readonly DoctorCheck[]): void {
  for (const { name, ok, detail, fix } of checks) console.log(`  ${ok ? "✔" : "✖"} ${name}: ${detail} ${fix}`);
  const failed = checks.filter(({ name, ok }) => !ok && !mayFail.includes(name)).map(({ name }) => name);
  if (failed.length > 0) throw new Error(`kit doctor finds a problem with: ${failed.join(", ")}`);
}

async function smoke(dataDir: string): Promise<void> {
  await using launcher = await startLauncherProcess({ dataDir });
  console.log(`The launcher runs on port ${launcher.port}, with its data in ${dataDir}.`);
  const kit = kitOn(launcher);
  await waitUntilListed(launcher, await sendEvents(launcher.port));
  console.log(
    `It accepted and lists: ${Object.values(ingestOperations)
      .map(({ path }) => path)
      .join(", ")}.`,
  );

  const doctor = await kit.run("doctor", "--json");
  if (doctor.code !== exitCodes.ok && doctor.code !== exitCodes.unwell) throw new Error(`kit doctor: ${doctor.stderr}`);
  console.log("kit doctor says:");
  judge(doctor.json<{ checks: DoctorCheck[] }>().checks);

  await kit.succeeds("stop");
  await until("the launcher's process ends", () => !launcher.process().isRunning());
  console.log("kit stop ended it.");
}

// A space, as in the names of many users of Windows and macOS.
const folder = mkdtempSync(join(tmpdir(), "kit smoke "));
try {
  await smoke(join(folder, "data"));
  console.log("The smoke test passed.");
} catch (error) {
  console.error(`The smoke test failed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  // Windows releases the files of a process some time after its end.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}
