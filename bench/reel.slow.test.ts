// Tests that the benchmark of reels works. It runs too briefly for meaningful figures.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../tools/engines/locate.ts";
import { benched } from "./benched.ts";
import { reel } from "./reel.ts";

test("npm run bench -- reel makes a reel and compares its time with copying its bytes", {
  skip: skipWithout("ffmpeg"),
}, async () => {
  const { runs, bytes, report } = await benched("reel", reel);
  assert.deepEqual(
    runs.map(({ subject }) => subject),
    ["kit", "copy"],
  );
  assert.ok(bytes > 0 && runs.every(({ wallMs }) => wallMs > 0));
  assert.match(report, /(reached|MISSED) +a reel is made/);
});
