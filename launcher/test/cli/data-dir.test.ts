// Tests of `--data-dir`: the commands that the launcher and `kit doctor` print work with that data folder.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, test } from "vitest";
import { kit } from "../support/kit-command.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";

let launcher: LauncherProcess;
let elsewhere: string;
beforeAll(async () => {
  elsewhere = mkdtempSync(join(tmpdir(), "kit-elsewhere-"));
  launcher = await startLauncherProcess({ dataDir: join(elsewhere, "my data") });
});
afterAll(async () => {
  await launcher?.[Symbol.asyncDispose]();
  rmSync(elsewhere, { recursive: true, force: true });
});

test("the command that the launcher prints for another link works", async () => {
  while (!launcher.process().output().includes("Stop with Ctrl-C")) await turn();
  const [, quoted] = /`npx kit open --data-dir "([^`"]+)"` creates another/.exec(launcher.process().output()) ?? [];
  assert.equal(quoted, launcher.dataDir);
  const { code, stdout } = await kit("open", "--print", "--data-dir", quoted ?? "");
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`127\\.0\\.0\\.1:${launcher.port}/#t=`));
});

test("commands that the command line advises name the data folder", async () => {
  const option = `--data-dir "${launcher.dataDir}"`;
  const said = async (...words: string[]) => {
    const { stdout, stderr } = await kit(...words, "--data-dir", launcher.dataDir);
    return stdout + stderr;
  };
  assert.ok((await said("restore", "nothing")).includes(`\`npx kit restore ${option}\` lists all backups.`));
  assert.ok((await said("api", "nothing")).includes(`\`npx kit api ${option}\` lists all operations.`));
});

test("kit doctor does not advise closing a Kit that only has another data directory", async () => {
  const { stdout } = await kit("doctor", "--port", String(launcher.port), "--data-dir", join(elsewhere, "other"));
  assert.match(
    stdout,
    /is used by a Kit with another data directory, possibly of another user of this computer: .*\(process \d+\)/,
  );
  assert.match(stdout, /→ If it is yours, add its --data-dir to check it; otherwise start Kit with --port N/);
  assert.doesNotMatch(stdout, /Close it/);
});
