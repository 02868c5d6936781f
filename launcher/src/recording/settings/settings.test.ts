// Tests of the recorder's settings: changes are kept and checked together, and OBS's password is only in its file.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { recorderDefaults } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { sql } from "../../storage/sql.ts";
import { loadRecorderSettings } from "./setting-store.ts";
import { createRecorderSettings, passwordFileAt, type StoredRecorderSettings } from "./settings.ts";

let folder: StorageFolder;
let passwordPath: string;
beforeAll(async () => {
  folder = await openStorageFolder();
  passwordPath = folder.dir.obsPassword;
});
afterAll(() => folder?.[Symbol.asyncDispose]());

let changes = 0;
async function restarted(): Promise<StoredRecorderSettings> {
  const { storage } = folder;
  const settings = createRecorderSettings({
    load: () => loadRecorderSettings(storage),
    write: storage.write,
    password: passwordFileAt(passwordPath),
    maxPreSeconds: () => 25,
    onChanged() {
      changes += 1;
    },
  });
  await settings.load();
  return settings;
}
async function fresh(): Promise<StoredRecorderSettings> {
  await folder.storage.write(sql`DELETE FROM recorder_setting`);
  await passwordFileAt(passwordPath).write(null);
  changes = 0;
  return restarted();
}

test("the recorder has the defaults until a person changes them, and keeps the changes", async () => {
  const settings = await fresh();
  assert.deepEqual(settings.current(), recorderDefaults);
  await settings.change({ window: "Saga", frameRate: 60 });
  await settings.change({ frameRate: 20, when: undefined });
  const expected = { ...recorderDefaults, picture: "window", window: "Saga", frameRate: 20 };
  assert.deepEqual([settings.current(), (await restarted()).current(), changes], [expected, expected, 2]);
});

test("setting the present value is no change", async () => {
  const settings = await fresh();
  await settings.change({ frameRate: 30 });
  assert.equal(changes, 0);
});

test("a buffer shorter than a rule needs is refused, and nothing of that change is applied", async () => {
  const settings = await fresh();
  await assert.rejects(settings.change({ bufferSeconds: 24, quality: "low" }), { code: "payload_invalid" });
  await assert.rejects(settings.change({ obsUrl: "ws://127.0.0.1:99999" }), { code: "payload_invalid" });
  assert.deepEqual([settings.current(), changes], [recorderDefaults, 0]);
});

test("if only part of a change can be written, the recorder gets that part", async () => {
  await fresh();
  const full = new Error("the disk is full");
  const faults = { password: full as Error | undefined, database: undefined as Error | undefined };
  const file = passwordFileAt(passwordPath);
  const settings = createRecorderSettings({
    load: () => loadRecorderSettings(folder.storage),
    write: async (...statements) => (faults.database ? Promise.reject(full) : folder.storage.write(...statements)),
    password: { ...file, write: async (secret) => (faults.password ? Promise.reject(full) : file.write(secret)) },
    maxPreSeconds: () => 0,
    onChanged() {
      changes += 1;
    },
  });
  await settings.load();
  await assert.rejects(settings.change({ frameRate: 60, obsPassword: "one" }), full);
  assert.deepEqual([settings.current().frameRate, settings.hasObsPassword(), changes], [30, false, 0]);
  Object.assign(faults, { password: undefined, database: full });
  await assert.rejects(settings.change({ frameRate: 60, obsPassword: "one" }), full);
  assert.deepEqual([settings.current().frameRate, settings.hasObsPassword(), changes], [30, true, 1]);
});

test("nothing is captured before the settings are loaded", () => {
  const password = passwordFileAt(passwordPath);
  const { storage } = folder;
  const needs = {
    load: () => loadRecorderSettings(storage),
    write: storage.write,
    maxPreSeconds: () => 0,
    onChanged() {},
  };
  assert.equal(createRecorderSettings({ ...needs, password }).current().when, "never");
});

test("stored values that this version does not know are replaced by the default", async () => {
  await fresh();
  for (const [name, value] of [
    ["frameRate", "144"],
    ["obsUrl", '"ws://example.test:1"'],
    ["sparkle", "true"],
  ] as const) {
    await folder.storage.write(sql`INSERT INTO recorder_setting (name, value) VALUES (${name}, ${value})`);
  }
  assert.deepEqual((await restarted()).current(), recorderDefaults);
});

test("OBS's password is in a file that only its owner can read, and nowhere else", async () => {
  const settings = await fresh();
  await settings.change({ obsPassword: "hunter2-not-in-the-database" });
  assert.deepEqual([settings.hasObsPassword(), (await restarted()).hasObsPassword()], [true, true]);
  assert.equal(await passwordFileAt(passwordPath).read(), "hunter2-not-in-the-database");
  if (!cannot.setFileModes) assert.equal(statSync(passwordPath).mode & 0o777, 0o600);
  for (const name of readdirSync(folder.dir.path).filter((file) => join(folder.dir.path, file) !== passwordPath)) {
    const path = join(folder.dir.path, name);
    if (statSync(path).isFile()) assert.ok(!readFileSync(path).includes("hunter2"), name);
  }
  await settings.change({ obsPassword: null });
  assert.deepEqual([settings.hasObsPassword(), existsSync(passwordPath), changes], [false, false, 2]);
});
