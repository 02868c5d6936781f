// Waits for a condition instead of a fixed time.
import { setTimeout as pause } from "node:timers/promises";
import { patienceMs } from "../../../tools/engines/patience.ts";

export { patienceMs };

type Looked<T> = T | undefined | false;

/** Repeats `look` until it finds something, and returns that. Throws after the maximum wait. */
export async function until<T>(
  what: string | (() => string),
  look: () => Looked<T> | Promise<Looked<T>>,
  everyMs = 20,
): Promise<T> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadlineMs) throw new Error(`timed out: ${typeof what === "string" ? what : what()}`);
    await pause(everyMs);
  }
}
