// That the bench of recording runs: so short that its figures mean nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../tools/engines/locate.ts";
import { benched } from "../test/benched.ts";
import { captureReport } from "./report.ts";
import { type CaptureResults, faultsOf } from "./results.ts";
import { judgeCapture } from "./targets.ts";

test("npm run bench -- capture measures the launcher, ffmpeg alone, the game, and a clip", {
  skip: skipWithout("Xvfb", "ffmpeg"),
}, async () => {
  const results = await benched<CaptureResults>("capture");
  assert.deepEqual(results.invalid, []);
  assert.deepEqual(
    results.cost.map(({ subject }) => subject),
    ["kit", "ffmpeg", "nothing"],
  );
  const [kit, alone] = results.cost;
  assert.ok(kit?.parts && alone);
  assert.ok(kit.cpuPercent > 0 && alone.cpuPercent > 0);
  assert.ok(kit.frameRate > 1 && alone.frameRate > 1);
  assert.ok(kit.parts.launcherBytes + kit.parts.captureBytes <= kit.residentBytes);
  assert.ok(kit.parts.heldBytes > 0);
  assert.ok(results.cost.every(({ game }) => game.p99Ms >= game.medianMs && game.medianMs > 0));
  const [clip] = results.ready;
  assert.ok(clip && clip.readyMs > 0 && clip.seenMs >= clip.readyMs - 1 && clip.copyMs > 0 && clip.duration > 5);
  assert.equal(judgeCapture(results).length, 3);
  assert.match(captureReport(results), /(reached|MISSED) +processor while recording/);
});

test("a round in which frames were dropped counts for nothing", () => {
  const game = { frameRate: 60, medianMs: 2, p99Ms: 4 };
  const run = { round: 3, cpuPercent: 50, residentBytes: 1, parts: null, game };
  const runs = [
    { ...run, subject: "kit", frameRate: 30 },
    { ...run, subject: "ffmpeg", frameRate: 20 },
    { ...run, subject: "nothing", frameRate: 0 },
  ] as const;
  assert.deepEqual(faultsOf(runs), ["round 3: ffmpeg captured 20.0 frames a second"]);
});
