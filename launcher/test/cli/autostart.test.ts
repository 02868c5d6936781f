// Tests of `kit autostart` with a real launcher: its answers match the files on disk.
import assert from "node:assert/strict";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { Autostart } from "@kit/contract";
import { test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { kitOn } from "../support/kit-command.ts";
import { startOwnLauncher } from "../support/own-launcher.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const skip = cannot.useFreedesktop;

test("kit autostart switches on and off, and keeps a file that was edited by hand", { skip }, async (t) => {
  const home = temporaryFolder("autostart", t);
  await using launcher = await startOwnLauncher({ env: { XDG_CONFIG_HOME: home } });
  const autostart = (...words: readonly string[]) => kitOn(launcher).run("autostart", ...words);

  assert.match((await autostart()).stdout, /^off: Kit starts when you start it\./u);
  const on = (await autostart("on", "--json")).json<Autostart>();
  const path = on.place ?? "";
  assert.ok(on.on && path.startsWith(home), path);
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(`"--port" "${launcher.port}" "--data-dir" "${launcher.dataDir}"`), text);
  assert.equal((await autostart("on")).code, exitCodes.ok);
  assert.equal(readFileSync(path, "utf8"), text);

  appendFileSync(path, "# mine\n");
  const refused = await autostart("off");
  assert.deepEqual([refused.code, existsSync(path)], [exitCodes.refused, true]);
  assert.match(refused.stderr, /was changed by another program or a person/u);
  rmSync(path);
  await autostart("on");
  assert.match((await autostart("off")).stdout, /^off:/u);
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((each) => !each.isDirectory());
  assert.deepEqual(files, []);
});
