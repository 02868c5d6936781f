// Waits for a condition, never for a time.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** Asks until the answer fits; fails when it does not come in time. */
export async function until(what: string, look: () => Promise<boolean>, withinMs = 10_000): Promise<void> {
  const endsMs = performance.now() + withinMs;
  while (!(await look())) {
    assert.ok(performance.now() < endsMs, `did not happen within ${withinMs} ms: ${what}`);
    await pause(50);
  }
}
