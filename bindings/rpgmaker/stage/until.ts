// Waits for a condition instead of for a time; gives up after a bounded while and names what did not come.
import { setTimeout as pause } from "node:timers/promises";

/** The first truthy value `look` gives. */
export async function until<T>(what: string, look: () => T, withinMs = 60_000): Promise<NonNullable<T>> {
  const deadlineMs = Date.now() + withinMs;
  for (;;) {
    const found = look();
    if (found) return found as NonNullable<T>;
    if (Date.now() > deadlineMs) throw new Error(`did not happen within ${withinMs} ms: ${what}`);
    await pause(10);
  }
}
