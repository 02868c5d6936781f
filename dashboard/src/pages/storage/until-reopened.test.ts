// The page waits for the launcher that comes after, through the one that goes and the time without any.
import assert from "node:assert/strict";
import { test } from "node:test";
import { untilReopened } from "./until-reopened.ts";

test("the launcher that is closing, and nobody, are waited out", async () => {
  const answers = ["before", "before", "nobody", "nobody", "after", "after"] as const;
  let asked = 0;
  const look = async () => {
    const answer = answers[asked++];
    if (answer === "nobody" || answer === undefined) throw new TypeError("Failed to fetch");
    return answer;
  };
  let pauses = 0;
  await untilReopened({
    look,
    pause: async () => {
      pauses += 1;
    },
    signal: new AbortController().signal,
  });
  assert.deepEqual([asked, pauses], [5, 4]);
});

test("a page that is left waits no longer", async () => {
  const stop = new AbortController();
  const look = () => Promise.reject(new TypeError("Failed to fetch"));
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    if (pauses === 3) stop.abort();
  };
  await untilReopened({ look, pause, signal: stop.signal });
  assert.equal(pauses, 3);
});
