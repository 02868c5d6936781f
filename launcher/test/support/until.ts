// Waits for a condition instead of a fixed time.
import { setTimeout as pause } from "node:timers/promises";
import { patienceMs } from "../../../tools/engines/patience.ts";

export { patienceMs };

type Looked<T> = T | undefined | false;

const soonMs = 20;
const latestMs = 100;

/**
 * Repeats `look` until it finds something, and returns that. Throws after the maximum wait. Unless told how often to look, it looks
 * less often the longer it waits, because looking costs processor time that what it waits for needs.
 */
export async function until<T>(
  what: string | (() => string),
  look: () => Looked<T> | Promise<Looked<T>>,
  everyMs?: number,
): Promise<T> {
  const beganMs = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const waitedMs = performance.now() - beganMs;
    if (waitedMs > patienceMs) throw new Error(`timed out: ${typeof what === "string" ? what : what()}`);
    await pause(everyMs ?? Math.min(latestMs, Math.max(soonMs, waitedMs / 20)));
  }
}
