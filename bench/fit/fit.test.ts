// That the bench of fitting runs: so short that its figures mean nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../tools/engines/locate.ts";
import { benched } from "../test/benched.ts";
import { fitReport } from "./report.ts";
import { type FitResults, playFaults } from "./results.ts";
import { judgeFit } from "./targets.ts";

test("npm run bench -- fit makes a clip fit, times it beside plain ffmpeg, and plays it in a browser", {
  skip: skipWithout("ffmpeg", "Chromium"),
}, async () => {
  const results = await benched<FitResults>("fit");
  assert.deepEqual(results.invalid, []);
  assert.deepEqual(
    results.runs.map(({ subject }) => subject),
    ["kit", "ffmpeg"],
  );
  assert.ok(results.runs.every(({ wallMs, cpuMs, bytes }) => wallMs > 0 && cpuMs > 0 && bytes > 0));
  const [time, size] = judgeFit(results);
  assert.ok(time && size?.reached);
  assert.ok(results.played !== null && results.played.pictures > 0);
  assert.match(fitReport(results), /(reached|MISSED) +a clip is made to fit/);
});

test("a clip that does not play makes the run worth nothing", () => {
  const played = { seconds: 60, height: 720, pictures: 400, reachedEnd: true };
  assert.deepEqual(playFaults(played, 60), []);
  assert.match(playFaults({ ...played, seconds: 40 }, 60).join(), /40 s long instead of 60 s/);
  assert.match(playFaults({ ...played, reachedEnd: false }, 60).join(), /did not come to its end/);
});
