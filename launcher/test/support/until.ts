// Waits for a condition instead of a fixed time.
import { setTimeout as pause } from "node:timers/promises";

/** Spent only on what never happens, so there is enough of it for a machine that is busy with much else. */
export const patienceMs = 240_000;

type Looked<T> = T | undefined | false;

/** Looks until something is found, and returns what was found. Fails when patience ends. */
export async function until<T>(
  what: string | (() => string),
  look: () => Looked<T> | Promise<Looked<T>>,
  everyMs = 20,
): Promise<T> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadlineMs) throw new Error(`in vain: ${typeof what === "string" ? what : what()}`);
    await pause(everyMs);
  }
}
