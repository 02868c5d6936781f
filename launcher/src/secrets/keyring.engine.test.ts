// Tests of secrets in a real keyring: GNOME's, on a private session bus. The keyrings of Windows and macOS are not tested.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type TestContext, test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { openPrivateKeyring } from "../../../tools/engines/private-keyring.ts";
import { patienceMs } from "../../test/support/until.ts";
import { createKeyring, KeyringFailed, type KeyringOptions } from "./keyring.ts";
import { createSecrets, probeSecrets, SecretUnavailable } from "./secrets.ts";

const skip = skipWithout("GNOME Keyring");

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kit-secrets-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function openSecrets(folder: string, needs?: KeyringOptions) {
  const troubles: string[] = [];
  const onTrouble = (_: string, error: unknown) => troubles.push((error as Error).message);
  return { ...createSecrets({ folder, keyring: needs && createKeyring(needs), onFailure: onTrouble }), troubles };
}

async function openUnlocked(t: TestContext) {
  const opened = await openPrivateKeyring("the password of the keyring");
  t.onTestFinished(opened.close);
  const keyring = createKeyring({ env: opened.env, timeoutMs: 20_000 });
  const deadlineMs = performance.now() + patienceMs;
  while (
    !(await keyring.read("nobody").then(
      () => true,
      () => false,
    ))
  ) {
    assert.ok(performance.now() < deadlineMs, "the keyring never answered");
    await pause(20);
  }
  return { ...opened, keyring };
}

const allIn = (folder: string) =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join();

test("a secret is stored in the keyring and not in the folder, and its removal by another program is noticed", {
  skip,
}, async (t) => {
  const { env, keyring } = await openUnlocked(t);
  const folder = makeFolder(t);
  const secrets = openSecrets(folder, { env, timeoutMs: 20_000 });
  await secrets.write("server", "sëcret 🗝");
  assert.deepEqual(
    [await secrets.read("server"), secrets.placeOf("server"), secrets.troubles],
    ["sëcret 🗝", "keyring", []],
  );
  assert.ok(!allIn(folder).includes("sealed"));
  assert.equal(await openSecrets(folder, { env, timeoutMs: 20_000 }).read("server"), "sëcret 🗝");
  const { ok, detail } = await probeSecrets(folder, keyring);
  assert.deepEqual(
    [ok, detail],
    [true, "1 in the system's keyring; new ones go to the system's keyring, which answers"],
  );

  // Two data folders have separate secrets of the same name.
  const other = openSecrets(makeFolder(t), { env, timeoutMs: 20_000 });
  await other.write("server", "theirs");
  assert.equal(await secrets.read("server"), "sëcret 🗝");

  await assert.rejects(openSecrets(folder).read("server"), /KIT_SECRETS switches off\. Enter the secret again\./);
  const look = await probeSecrets(folder, undefined);
  assert.deepEqual([look.ok, look.fix], [false, "Unlock the system's keyring, or enter the secrets again."]);

  const { account } = JSON.parse(allIn(folder)) as { account: string };
  await keyring.remove(account);
  await assert.rejects(secrets.read("server"), /no longer in the system's keyring\. Enter the secret again\./);
  await secrets.write("server", "again");
  assert.equal(await keyring.read(account), "again");
  await secrets.remove("server");
  assert.deepEqual([await keyring.read(account), await secrets.read("server")], [undefined, undefined]);
});

test("a hanging keyring blocks nothing: new secrets go to a file, and secrets in the keyring are reported", {
  skip,
}, async (t) => {
  const { env, hang, wake } = await openUnlocked(t);
  const folder = makeFolder(t);
  await openSecrets(folder, { env, timeoutMs: 20_000 }).write("server", "one");
  const secrets = openSecrets(folder, { env, timeoutMs: 500 });
  hang();
  await assert.rejects(secrets.read("server"), (error: unknown) => {
    assert.ok(error instanceof SecretUnavailable);
    assert.match(error.message, /is stored in the system's keyring\. .*within 0\.5 s.* Unlock it and try again\.$/);
    return true;
  });
  await assert.rejects(secrets.remove("server"), /was not removed/);
  await secrets.write("other", "two");
  assert.deepEqual([await secrets.read("other"), secrets.placeOf("other")], ["two", "file"]);
  assert.match(secrets.troubles.join(), /may be locked/);
  wake();
  const patient = openSecrets(folder, { env, timeoutMs: 20_000 });
  assert.equal(await patient.read("server"), "one");
  await patient.write("other", "three");
  assert.deepEqual([await patient.read("other"), patient.placeOf("other")], ["three", "keyring"]);
  assert.ok(!allIn(folder).includes("sealed"), "the temporary encrypted copy is deleted");
});

test("secrets are encrypted in a file if the keyring is locked or absent", { skip }, async (t) => {
  const locked = await openPrivateKeyring();
  t.onTestFinished(locked.close);
  const { DBUS_SESSION_BUS_ADDRESS: _, XDG_RUNTIME_DIR: __, ...noBus } = locked.env;
  for (const env of [locked.env, noBus]) {
    const folder = makeFolder(t);
    const secrets = openSecrets(folder, { env });
    await secrets.write("server", "one");
    assert.deepEqual(
      [await secrets.read("server"), secrets.placeOf("server"), secrets.troubles.length],
      ["one", "file", 1],
    );
    await secrets.remove("server");
    assert.equal(await secrets.read("server"), undefined);
  }
  const { ok, detail } = await probeSecrets(makeFolder(t), createKeyring({ env: noBus }));
  assert.ok(ok);
  assert.match(detail, /^none are stored; new ones are encrypted in a file \(The system's keyring failed: /);
});

test("a keyring process that cannot be started is a keyring failure", async () => {
  const keyring = createKeyring({ env: { NODE_OPTIONS: "--no-such-option" } });
  await assert.rejects(keyring.read("nobody"), KeyringFailed);
});
