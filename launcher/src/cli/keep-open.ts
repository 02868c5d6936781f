// A launcher that closes and opens anew when it has to: a backup takes the database's place, or a game is wiped.
import { setTimeout as pause } from "node:timers/promises";
import type { Launcher } from "../launcher.ts";
import { DataDirInUse } from "../storage/failure.ts";

/** The port was the launcher's a moment ago: whoever holds it now is asked to be brief. */
const tries = 20;
const againMs = 250;

export type OpenWindow = { stop(): Promise<void> };

async function openAgain(open: () => Promise<Launcher>): Promise<Launcher> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await open();
    } catch (error) {
      // A launcher that was started meanwhile may have looked whether the data's lock is free.
      const isBrief = error instanceof DataDirInUse || (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isBrief || tried === tries) throw error;
      await pause(againMs);
    }
  }
}

/** `onFailure`: it closed, and could not be opened any more. */
export function keepOpen(
  first: Launcher,
  open: () => Promise<Launcher>,
  onFailure: (error: unknown) => void,
): OpenWindow {
  let current = Promise.resolve(first);
  let isStopping = false;
  const reopen = async (launcher: Launcher): Promise<Launcher> => {
    await launcher.stop();
    return openAgain(open);
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
