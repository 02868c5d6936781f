// Tests of the wait for a restart: it lasts while the old launcher closes and while none answers.
import assert from "node:assert/strict";
import { test } from "vitest";
import { waitForRestart } from "./use-storage-commands.ts";

test("the wait ends only when the new launcher answers", async () => {
  const answers = ["before", "before", "nobody", "nobody", "after", "after"] as const;
  let checks = 0;
  const check = async () => {
    const answer = answers[checks++];
    if (answer === "nobody" || answer === undefined) throw new TypeError("Failed to fetch");
    return answer;
  };
  let pauses = 0;
  await waitForRestart({
    check,
    pause: async () => {
      pauses += 1;
    },
    signal: new AbortController().signal,
  });
  assert.deepEqual([checks, pauses], [5, 4]);
});

test("the wait ends when the page is left", async () => {
  const stop = new AbortController();
  const check = () => Promise.reject(new TypeError("Failed to fetch"));
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    if (pauses === 3) stop.abort();
  };
  await waitForRestart({ check, pause, signal: stop.signal });
  assert.equal(pauses, 3);
});
