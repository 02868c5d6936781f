// That the bench of fitting runs: so short that its figures mean nothing.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithout } from "../../tools/engines/locate.ts";
import { fitReport } from "./report.ts";
import { type FitResults, playFaults } from "./results.ts";
import { judgeFit } from "./targets.ts";

const program = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "../run.ts")];

async function benched(): Promise<FitResults> {
  const child = spawn(process.execPath, [...program, "fit", "--quick", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 240_000,
  });
  let [out, said] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (part) => (out += part));
  child.stderr.setEncoding("utf8").on("data", (part) => (said += part));
  await once(child, "close");
  assert.notEqual(out, "", said);
  return JSON.parse(out) as FitResults;
}

test("npm run bench -- fit makes a clip fit, times it beside plain ffmpeg, and plays it in a browser", {
  skip: skipWithout("ffmpeg", "Chromium"),
}, async () => {
  const results = await benched();
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
