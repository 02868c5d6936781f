// Tests `kit doctor --record` on a launcher that cannot record. `recording.slow.test.ts` runs it where it can.
import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "vitest";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { kitOn } from "../support/kit-command.ts";
import { startOwnLauncher } from "../support/own-launcher.ts";

test("kit doctor --record says why nothing was recorded, without a path of the user, and its exit code says so", async () => {
  await using launcher = await startOwnLauncher({ env: { KIT_FFMPEG: "/nowhere/ffmpeg" } });
  const { code, stdout } = await kitOn(launcher).run("doctor", "--record");
  assert.equal(code, exitCodes.unwell);
  assert.match(stdout, /^versions +Kit \d+\.\d+\.\d+, Node\.js /mu);
  assert.match(stdout, /^settings +when automatic, /mu);
  assert.match(stdout, /^result +fails +The ffmpeg that KIT_FFMPEG names does not run/mu);
  for (const path of [homedir(), launcher.dataDir, process.cwd()].filter((path) => path !== "/"))
    assert.ok(!stdout.includes(path), path);
});
