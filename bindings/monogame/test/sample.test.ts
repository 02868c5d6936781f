// The sample game on the stand-in: what its keys send, and how it ends.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { built } from "../conformance/build.ts";
import { openRecorder, type Recorder } from "./recorder.ts";

const options = { skip: skipWithout(".NET"), timeout: 300_000 };
const folder = mkdtempSync(join(tmpdir(), "kit-sample-"));
after(() => rmSync(folder, { recursive: true, force: true }));

type Played = {
  readonly status: number | null;
  readonly said: string;
  readonly saidAtMs: number;
  /** From the last key to the end of the game. */
  readonly endingMs: number;
};

let played = 0;

/**
 * Plays those keys, given as frame:key, and the last one when all of them were told of: the first request of a process can
 * take longer than its end is held up for.
 */
async function play(launcher: Recorder, keys: string, last: "Escape" | "X"): Promise<Played> {
  const sample = await built("StarCatcher");
  played += 1;
  const theEnd = join(folder, `end-${played}`);
  const told = { STAND_IN_KEYS: keys, STAND_IN_LAST: `${last} ${theEnd}`, STAR_CATCHER_LAUNCHER: launcher.url };
  const child = spawn(pathOf(".NET"), ["exec", sample], {
    stdio: ["ignore", "pipe", "pipe"],
    // A core file of a game that is meant to die would be of no use.
    env: { ...process.env, ...told, DOTNET_DbgEnableMiniDump: "0" },
  });
  let said = "";
  let saidAtMs = Number.POSITIVE_INFINITY;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part) => {
      saidAtMs = Math.min(saidAtMs, performance.now());
      said += part;
    });
  }
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  await Promise.race([launcher.has(keys.split(" ").length), closed]);
  const lastAtMs = performance.now();
  writeFileSync(theEnd, "");
  const status = await closed;
  return { status, said, saidAtMs, endingMs: performance.now() - lastAtMs };
}

test("the sample sends all three kinds of event and ends in silence", options, async (context) => {
  const launcher = await openRecorder();
  context.after(() => launcher.close());
  const { status, said } = await play(launcher, "2:B 4:E 6:S", "Escape");
  assert.equal(status, 0);
  assert.equal(said, "");
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

test("the report of an exception that ends the game leaves before the process is gone", options, async (context) => {
  const launcher = await openRecorder();
  context.after(() => launcher.close());
  const { said } = await play(launcher, "2:B", "X");
  assert.match(said, /The sky has no stars/, "the game died of its own exception");
  assert.deepEqual(
    launcher.recorded.map(({ path, body }) => [path, body.message]),
    [
      ["/api/recording/trigger", undefined],
      ["/api/monitor/report", "The sky has no stars"],
    ],
  );
});

test("a dying game gives its report the time to leave before .NET says that it died", options, async (context) => {
  const launcher = await openRecorder(1);
  context.after(() => launcher.close());
  const { said, saidAtMs } = await play(launcher, "2:B", "X");
  assert.match(said, /The sky has no stars/);
  const heldMs = saidAtMs - (launcher.recorded[1]?.atMs ?? Number.NaN);
  assert.ok(heldMs > 100, `held for ${heldMs} ms while the launcher owed its answer`);
});

test("a launcher that hangs does not keep a game from ending", options, async (context) => {
  const launcher = await openRecorder(0);
  context.after(() => launcher.close());
  const { status, said, endingMs } = await play(launcher, "2:B", "Escape");
  assert.equal(status, 0);
  assert.equal(said, "");
  assert.equal(launcher.recorded.length, 1);
  assert.ok(
    endingMs < 4_000,
    `ended only after ${endingMs} ms, as if it had waited for the request's own five seconds`,
  );
});
