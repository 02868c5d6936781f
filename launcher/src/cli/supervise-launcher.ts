// Keeps a launcher running: restarts it in the same process after a restore or a wipe.
import { setTimeout as pause } from "node:timers/promises";
import type { Launcher } from "../launcher.ts";
import { DataDirInUse } from "../storage/failure.ts";

// Another process may hold the port or the data lock for a moment, so opening is retried.
const attemptsMax = 20;
const retryMs = 250;

export type SupervisedLauncher = { stop(): Promise<void> };

async function openWithRetries(open: () => Promise<Launcher>): Promise<Launcher> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      // Another launcher that starts may hold the lock briefly while it checks whether the data is in use.
      const isTemporary = error instanceof DataDirInUse || (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isTemporary || attempt === attemptsMax) throw error;
      await pause(retryMs);
    }
  }
}

/** Follows the launcher across restarts. Calls `onFailure` if it cannot be opened again. */
export function superviseLauncher(
  first: Launcher,
  open: () => Promise<Launcher>,
  onFailure: (error: unknown) => void,
): SupervisedLauncher {
  let current = Promise.resolve(first);
  let isStopping = false;
  const reopen = async (launcher: Launcher): Promise<Launcher> => {
    await launcher.stop();
    return openWithRetries(open);
  };
  const follow = async (launcher: Launcher): Promise<void> => {
    await launcher.reopening;
    if (isStopping) return;
    current = reopen(launcher);
    await follow(await current);
  };
  follow(first).catch(onFailure);
  return {
    async stop() {
      isStopping = true;
      await (await current).stop();
    },
  };
}
