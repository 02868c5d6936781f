// Tests that the built launcher finds the keyring library, which is not in the bundle and runs in its own process.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { openPrivateKeyring } from "../../../tools/engines/private-keyring.ts";
import { kitCommand } from "../support/launcher-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { patienceMs } from "../support/until.ts";

type Said = { readonly checks: readonly { readonly name: string; readonly detail: string }[] };

/** Returns the detail that `kit doctor` has for secrets, whatever other checks fail. */
function doctorOf(dataDir: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [program, ...words] = kitCommand("doctor", "--json", "--data-dir", dataDir);
  return new Promise((resolve, reject) => {
    execFile(program, words, { env: { ...env, CI: "1" }, timeout: patienceMs }, (error, stdout) => {
      if (stdout === "") return reject(error);
      const { checks } = JSON.parse(stdout) as Said;
      resolve(checks.find(({ name }) => name === "secrets")?.detail ?? "nothing");
    });
  });
}

test("kit doctor reports whether the system's keyring answers", { skip: skipWithout("GNOME Keyring") }, async (t) => {
  const dataDir = temporaryFolder("secrets", t);
  const opened = await openPrivateKeyring("the password of the keyring");
  t.onTestFinished(opened.close);
  const deadlineMs = performance.now() + patienceMs;
  let detail = "";
  while (!detail.endsWith("new ones go to the system's keyring, which answers")) {
    assert.ok(performance.now() < deadlineMs, detail);
    detail = await doctorOf(dataDir, opened.env);
    await pause(50);
  }
  assert.match(
    await doctorOf(dataDir, { ...opened.env, KIT_SECRETS: "file" }),
    /encrypted in a file \(KIT_SECRETS is file\)$/,
  );
});
