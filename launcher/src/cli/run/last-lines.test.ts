// Of what a game wrote the end is remembered, whole characters only, and no more than its bound.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createLastLines } from "./child.ts";

const after = (...chunks: readonly (string | Buffer)[]) => {
  const last = createLastLines();
  for (const chunk of chunks) last.add(Buffer.from(chunk as string));
  return last.text();
};

test("what fits is there as it was written, over chunks that cut characters", () => {
  const whole = Buffer.from("the door ↯\nis stuck\n");
  assert.equal(after(whole.subarray(0, 10), whole.subarray(10)), "the door ↯\nis stuck");
});

test("of many lines the last two hundred are there", () => {
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`);
  assert.deepEqual(after(lines.join("\n")).split("\n"), lines.slice(-200));
});

test("of one line without end the last 32 KiB are there, from a whole character on", () => {
  const text = after(...Array.from({ length: 100 }, () => "é".repeat(1_001)));
  assert.ok(text.length <= 32 * 1024 && text.length > 16_000, `${text.length}`);
  assert.match(text, /^é+$/);
});
