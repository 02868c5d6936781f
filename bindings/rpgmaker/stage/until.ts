// Waits for a condition with a time limit, and names the condition if it was not met.
import { setTimeout as pause } from "node:timers/promises";

/** Resolves with the first truthy value that `check` returns. */
export async function until<T>(what: string, check: () => T, withinMs = 60_000): Promise<NonNullable<T>> {
  const deadlineMs = Date.now() + withinMs;
  for (;;) {
    const found = check();
    if (found) return found as NonNullable<T>;
    if (Date.now() > deadlineMs) throw new Error(`did not happen within ${withinMs} ms: ${what}`);
    await pause(10);
  }
}
