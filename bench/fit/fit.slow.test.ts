// Tests that the benchmark of exports works. It runs too briefly for meaningful figures.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { benched } from "../benched.ts";
import { fit } from "./fit.ts";
import { playFaults } from "./play.ts";

test("npm run bench -- fit makes a clip fit, compares its time with plain ffmpeg, and plays it in a browser", {
  skip: skipWithout("ffmpeg", "Chromium"),
}, async () => {
  const { faults, runs, played, targets, report } = await benched("fit", fit);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    runs.map(({ subject }) => subject),
    ["kit", "ffmpeg"],
  );
  assert.ok(runs.every(({ wallMs, cpuMs, bytes }) => wallMs > 0 && cpuMs > 0 && bytes > 0));
  const [time, size] = targets;
  assert.ok(time && size?.reached);
  assert.ok(played.pictures > 0);
  assert.match(report, /(reached|MISSED) +a clip is made to fit/);
});

test("a clip that does not play to its end, or is too short, is a fault", () => {
  const played = { seconds: 60, height: 720, pictures: 400, reachedEnd: true };
  assert.deepEqual(playFaults(played, 60), []);
  assert.match(playFaults({ ...played, seconds: 40 }, 60).join(), /40 s long instead of 60 s/);
  assert.match(playFaults({ ...played, reachedEnd: false }, 60).join(), /did not come to its end/);
});
