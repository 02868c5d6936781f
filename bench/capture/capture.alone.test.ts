// Tests that the benchmark of recording works. It runs too briefly for meaningful figures.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { benched } from "../benched.ts";
import { capture, faultsOf } from "./capture.ts";

test("npm run bench -- capture measures the launcher with a screen and a window, ffmpeg alone, the game, and a clip", {
  skip: skipWithout("Xvfb", "ffmpeg"),
}, async () => {
  const { cost, ready, faults, targets, report } = await benched("capture", capture);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    cost.map(({ subject }) => subject),
    ["kit", "window", "ffmpeg", "nothing"],
  );
  const [kit, ofWindow, alone] = cost;
  assert.ok(kit && ofWindow && alone);
  assert.ok(kit.cpuPercent > 0 && ofWindow.cpuPercent > 0 && alone.cpuPercent > 0);
  assert.ok(kit.serverPercent > 0 && ofWindow.serverPercent > 0);
  assert.ok(kit.frameRate > 1 && alone.frameRate > 1);
  assert.ok(kit.residentBytes > alone.residentBytes);
  assert.ok(cost.every(({ game }) => game.p99Ms >= game.medianMs && game.medianMs > 0));
  const [clip] = ready;
  assert.ok(clip && clip.readyMs > 0 && clip.bytes > 0 && clip.duration > 5);
  assert.equal(targets.length, 4);
  assert.match(report, /(reached|MISSED) +processor while recording/);
});

test("a round with dropped frames is a fault", () => {
  const game = { frameRate: 60, medianMs: 2, p99Ms: 4 };
  const run = { round: 3, cpuPercent: 50, serverPercent: 5, residentBytes: 1, game };
  const runs = [
    { ...run, subject: "kit", frameRate: 30 },
    { ...run, subject: "ffmpeg", frameRate: 20 },
    { ...run, subject: "nothing", frameRate: 0 },
  ] as const;
  assert.deepEqual(faultsOf(runs), ["round 3: ffmpeg captured 20.0 frames a second"]);
});
