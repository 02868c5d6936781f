// Tests how fast requests to a target follow each other.
import assert from "node:assert/strict";
import { test } from "vitest";
import { createRequestPace } from "./target-queue.ts";

const pauseMs = 500;

/** Sends attempts one after another. Returns when each begins and ends. */
function run(attempts: readonly { readonly requests: number; readonly answerMs: number }[]) {
  const pace = createRequestPace(pauseMs);
  let nowMs = 0;
  return attempts.map(({ requests, answerMs }) => {
    nowMs += pace.waitMs(nowMs);
    const beginMs = nowMs;
    nowMs += requests * answerMs;
    pace.note(requests, nowMs);
    return { beginMs, endMs: nowMs };
  });
}

test("a tracker that takes 200 ms for each answer gets 100 messages in a minute, and never three within a second", () => {
  for (const answerMs of [0, 1, 50, 200, 499]) {
    const sent = run(Array.from({ length: 100 }, () => ({ requests: 1, answerMs })));
    for (const [n, { endMs }] of sent.slice(0, -2).entries())
      assert.ok((sent[n + 2]?.beginMs ?? 0) - endMs >= 1_000, `${answerMs} ms, request ${n}`);
    const tookMs = sent.at(-1)?.endMs ?? assert.fail();
    assert.ok(answerMs > 200 || tookMs <= 60_000, `${answerMs} ms: ${tookMs}`);
  }
});

test("after an attempt with several requests comes a pause for each of them", () => {
  const [first, second, third] = run([2, 3, 1].map((requests) => ({ requests, answerMs: 10 })));
  assert.ok(first && second && third);
  assert.deepEqual([second.beginMs - first.endMs, third.beginMs - second.endMs], [1_000, 1_500]);
});
