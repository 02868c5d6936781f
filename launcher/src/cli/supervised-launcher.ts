// Keeps a launcher running in this process, also across the restarts that it plans.
import { setTimeout as pause } from "node:timers/promises";
import type { Launcher } from "../launcher.ts";
import { DataDirInUse } from "../storage/failure.ts";

// Opening is tried several times, because another process may hold the port or the lock of the data for a moment.
const attemptsMax = 20;
const retryMs = 250;

export type SupervisedLauncher = { stop(): Promise<void> };

async function openWithRetries(open: () => Promise<Launcher>): Promise<Launcher> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      // A second launcher that starts holds the lock for a moment, while it finds out whether the data is in use.
      const isTemporary = error instanceof DataDirInUse || (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isTemporary || attempt === attemptsMax) throw error;
      await pause(retryMs);
    }
  }
}

type SupervisorEvents = {
  /** Called if the launcher cannot be opened again. */
  readonly onFailure: (error: unknown) => void;
  readonly onStopRequested: () => void;
};

/** Holds the launcher that currently runs in this process, also across restarts. */
export function superviseLauncher(
  first: Launcher,
  open: () => Promise<Launcher>,
  { onFailure, onStopRequested }: SupervisorEvents,
): SupervisedLauncher {
  let current = Promise.resolve(first);
  let isStopping = false;
  const reopen = async (launcher: Launcher): Promise<Launcher> => {
    await launcher.stop();
    return openWithRetries(open);
  };
  const follow = async (launcher: Launcher): Promise<void> => {
    void launcher.stopRequested.then(onStopRequested);
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
