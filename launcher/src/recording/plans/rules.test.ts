// Tests of rules: a rule is the default until a person changes it, changes are checked as a whole, and survive a restart.
import assert from "node:assert/strict";
import { recordingRuleDefaults } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { sql } from "../../storage/sql.ts";
import { loadRecordingRules } from "./rule-store.ts";
import { createRecordingRules, type RecordingRules } from "./rules.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());

let changes = 0;
async function restarted(): Promise<RecordingRules> {
  const { storage } = folder;
  const rules = createRecordingRules({
    load: () => loadRecordingRules(storage),
    write: storage.write,
    knownIds: () => ["saga_seen"],
    bufferSeconds: () => 60,
    onChanged() {
      changes += 1;
    },
  });
  await rules.load();
  return rules;
}
async function fresh(): Promise<RecordingRules> {
  await folder.storage.write(sql`DELETE FROM recording_rule`);
  changes = 0;
  return restarted();
}

test("an id that nobody changed has the default rule, whether Kit saw it or not", async () => {
  const rules = await fresh();
  assert.deepEqual(rules.ruleOf("saga_boss"), { ...recordingRuleDefaults, eventId: "saga_boss", changed: false });
  assert.deepEqual(
    rules.list().map(({ eventId }) => eventId),
    ["saga_seen"],
  );
});

test("a change survives a restart, keeps the other values, and is reported", async () => {
  const rules = await fresh();
  await rules.change("saga_boss", { preSeconds: 30.5, action: "screenshot" });
  const changed = await rules.change("saga_boss", { postSeconds: 2, preSeconds: undefined });
  assert.deepEqual(changed, {
    ...recordingRuleDefaults,
    eventId: "saga_boss",
    changed: true,
    action: "screenshot",
    preSeconds: 30.5,
    postSeconds: 2,
  });
  assert.deepEqual((await restarted()).list(), rules.list());
  assert.deepEqual([rules.list().length, rules.maxPreSeconds(), changes], [2, 30.5, 2]);
});

test("a reset returns to the default, also after a restart, and a rule that is the default cannot be reset", async () => {
  const rules = await fresh();
  await rules.change("saga_boss", { priority: 900 });
  await rules.reset("saga_boss");
  assert.equal(rules.ruleOf("saga_boss").changed, false);
  assert.equal((await restarted()).ruleOf("saga_boss").changed, false);
  await assert.rejects(rules.reset("saga_boss"), { code: "not_found" });
});

const impossible = [
  { change: { preSeconds: 0.4, postSeconds: 0.5 }, path: "/preSeconds" },
  { change: { preSeconds: 20, postSeconds: 11, longestSeconds: 30 }, path: "/longestSeconds" },
  { change: { preSeconds: 61 }, path: "/preSeconds" },
];
for (const { change, path } of impossible) {
  test(`an impossible rule is refused and changes nothing: ${JSON.stringify(change)}`, async () => {
    const rules = await fresh();
    await assert.rejects(rules.change("saga_boss", change), (error: { code?: string; errors?: { path: string }[] }) => {
      assert.deepEqual([error.code, error.errors?.map((one) => one.path)], ["payload_invalid", [path]]);
      return true;
    });
    assert.deepEqual([rules.ruleOf("saga_boss").changed, changes], [false, 0]);
  });
}

test("two simultaneous changes of one id both take effect", async () => {
  const rules = await fresh();
  await Promise.all([rules.change("saga_boss", { priority: 1 }), rules.change("saga_boss", { cooldownSeconds: 3 })]);
  for (const known of [rules, await restarted()]) {
    const { priority, cooldownSeconds } = known.ruleOf("saga_boss");
    assert.deepEqual([priority, cooldownSeconds], [1, 3]);
  }
});

test("before the rules are loaded there is no rule, because an id set to nothing must not be recorded", () => {
  const load = () => loadRecordingRules(folder.storage);
  const needs = { load, write: folder.storage.write, knownIds: () => [], bufferSeconds: () => 60, onChanged: () => {} };
  assert.throws(() => createRecordingRules(needs).ruleOf("saga_boss"), { code: "storage_unavailable" });
});
