// `kit stop`: ends the running launcher of a data folder.
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { stopLauncher } from "@kit/contract";
import { dataDirAt } from "../../storage/data-dir.ts";
import { answer, command } from "../command.ts";
import { identifyLauncher } from "../connection.ts";
import { print } from "../output.ts";
import { isLockFree } from "../running-launcher.ts";

const pollMs = 50;
/** A launcher ends itself after 10 seconds, even if a file system does not respond. */
const endsWithinMs = 20_000;

async function waitForEnd(lock: string): Promise<void> {
  for (const deadlineMs = performance.now() + endsWithinMs; performance.now() < deadlineMs; await pause(pollMs))
    if (isLockFree(lock)) return;
  throw new Error("Kit was asked to end, but it still uses its data.");
}

export const stopCommand = command("stop", "End the running launcher", {
  group: "everyday",
  async run({ client, config }) {
    const { lock } = dataDirAt(config.dataDir);
    // One that is starting holds the lock and does not answer yet.
    const isRunning = existsSync(lock) && !isLockFree(lock);
    if (!isRunning && (await identifyLauncher(config)).who === "nobody")
      return answer({ stopped: false, pid: null }, () => print("Kit does not run."));
    const { pid } = await client.call(stopLauncher);
    await waitForEnd(lock);
    return answer({ stopped: true, pid }, () => print("Kit has ended."));
  },
});
