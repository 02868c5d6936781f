// Tests of the sample game on the stand-in: the events of its keys, and how it ends.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { built } from "../conformance/build.ts";
import { openRecorder, type Recorder } from "./recorder.ts";

const options = { skip: skipWithout(".NET"), timeout: 300_000 };
const folder = mkdtempSync(join(tmpdir(), "kit-sample-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Played = {
  readonly status: number | null;
  readonly output: string;
  readonly firstOutputAtMs: number;
};

let played = 0;

/**
 * Plays those keys, given as frame:key, and the last one when the events of all have arrived: the first request of a
 * process may take longer than its exit is delayed.
 */
async function play(launcher: Recorder, keys: string, last: "Escape" | "X"): Promise<Played> {
  const sample = await built("StarCatcher");
  played += 1;
  const theEnd = join(folder, `end-${played}`);
  const settings = { STAND_IN_KEYS: keys, STAND_IN_LAST: `${last} ${theEnd}`, STAR_CATCHER_LAUNCHER: launcher.url };
  const child = spawn(pathOf(".NET"), ["exec", sample], {
    stdio: ["ignore", "pipe", "pipe"],
    // A core file of a game that is meant to crash would be useless.
    env: { ...process.env, ...settings, DOTNET_DbgEnableMiniDump: "0" },
  });
  let output = "";
  let firstOutputAtMs = Number.POSITIVE_INFINITY;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part) => {
      firstOutputAtMs = Math.min(firstOutputAtMs, Date.now());
      output += part;
    });
  }
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  await Promise.race([launcher.has(keys.split(" ").length), closed]);
  writeFileSync(theEnd, "");
  const status = await closed;
  return { status, output, firstOutputAtMs };
}

test("the sample sends all three kinds of event and exits without output", options, async (context) => {
  const launcher = await openRecorder();
  context.onTestFinished(() => launcher.close());
  const { status, output } = await play(launcher, "2:B 4:E 6:S", "Escape");
  assert.equal(status, 0);
  assert.equal(output, "");
  const byPath = [...launcher.recorded].sort((a, b) => (a.path < b.path ? -1 : 1));
  assert.deepEqual(
    byPath.map(({ path, body }) => [path, body.eventId ?? body.message]),
    [
      ["/api/monitor/report", "The save file is damaged"],
      ["/api/recording/trigger", "starcatcher_boss_defeated"],
      ["/api/social/trigger", "starcatcher_all_stars"],
    ],
  );
  assert.match(byPath[0]?.body.stackTrace ?? "", /StarCatcherGame\.LoadSaveFile/);
  assert.ok(byPath.every(({ type }) => type === "application/json"));
});

test("a crashing game waits for its report to be sent before .NET prints the exception", options, async (context) => {
  const launcher = await openRecorder(1);
  context.onTestFinished(() => launcher.close());
  const { output, firstOutputAtMs } = await play(launcher, "2:B", "X");
  assert.match(output, /The sky has no stars/);
  await launcher.has(2);
  assert.equal(launcher.recorded[1]?.body.message, "The sky has no stars");
  // The game tells the time of its report: this process may notice the request as late as the output.
  const heldMs = firstOutputAtMs - Date.parse(launcher.recorded[1]?.body.timestamp ?? "");
  assert.ok(heldMs > 240, `held for ${heldMs} ms while the launcher owed its answer`);
});
