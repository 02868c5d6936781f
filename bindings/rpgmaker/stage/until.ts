// Waits for a condition with a time limit, and names the condition if it was not met.
import { setTimeout as pause } from "node:timers/promises";

/** Only failing tests wait this long, so it is enough for a busy computer. */
const patienceMs = 240_000;

/** Resolves with the first truthy value that `check` returns. */
export async function until<T>(
  what: string,
  check: () => T | Promise<T>,
  withinMs = patienceMs,
): Promise<NonNullable<T>> {
  const deadlineMs = Date.now() + withinMs;
  for (;;) {
    const found = await check();
    if (found) return found as NonNullable<T>;
    if (Date.now() > deadlineMs) throw new Error(`did not happen within ${withinMs} ms: ${what}`);
    await pause(10);
  }
}
