// Tests of autostart with a real launcher: its answers match the files on disk.
import assert from "node:assert/strict";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { type Autostart, textOf } from "@kit/contract";
import { test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { startOwnLauncher } from "../support/own-launcher.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const skip = cannot.useFreedesktop;

test("autostart is switched on and off, and keeps a file that was edited by hand", { skip }, async (t) => {
  const home = temporaryFolder("autostart", t);
  await using launcher = await startOwnLauncher({ env: { XDG_CONFIG_HOME: home } });
  const set = (on: boolean) => launcher.api("PUT", "/api/autostart", { on });

  const before = (await launcher.api("GET", "/api/autostart")).json<Autostart>();
  assert.deepEqual([before.on, textOf(before.detail)], [false, "Kit starts when you start it."]);
  const on = (await set(true)).json<Autostart>();
  const path = on.place ?? "";
  assert.ok(on.on && path.startsWith(home), path);
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(`"--port" "${launcher.port}" "--data-dir" "${launcher.dataDir}"`), text);
  assert.equal((await set(true)).status, 200);
  assert.equal(readFileSync(path, "utf8"), text);

  appendFileSync(path, "# mine\n");
  const refused = await set(false);
  assert.deepEqual([refused.status, existsSync(path)], [422, true]);
  assert.match(refused.text, /was changed by another program or a person/u);
  rmSync(path);
  await set(true);
  assert.equal((await set(false)).json<Autostart>().on, false);
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((each) => !each.isDirectory());
  assert.deepEqual(files, []);
});
