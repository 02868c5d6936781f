// Tests of post rules: a stored rule has existing accounts, a valid text that fits, and a pattern of its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { KitError, postRuleDefaults } from "@kit/contract";
import { accountOf, openPostsFolder } from "../../../test/social/posts-folder.ts";
import { postRuleFor } from "./rules.ts";

const isRefused = (path: string, message: RegExp) => (error: unknown) =>
  error instanceof KitError && error.errors[0]?.path === path && message.test(error.message);

test("a rule has default values, can be changed in part and removed, and rules are listed in the order of use", async () => {
  await using folder = await openPostsFolder();
  const any = await folder.addRule({ pattern: "*" });
  const { accounts, pattern, ...rest } = any;
  assert.deepEqual([pattern, accounts], ["*", ["discord-clips", "bluesky-mika"]]);
  const { id, createdAt, posts, lastPostAt, held, ...set } = rest;
  assert.deepEqual(set, postRuleDefaults);
  assert.deepEqual([posts, lastPostAt, held, createdAt], [0, null, 0, new Date(folder.clock.ms).toISOString()]);
  const boss = await folder.addRule({ pattern: "saga_boss" });
  const changed = await folder.rules.change(id, { text: "{{game}}!", approval: "automatic" });
  assert.deepEqual(changed, { ...any, text: "{{game}}!", approval: "automatic" });
  assert.deepEqual(
    (await folder.rules.list()).map((rule) => rule.id),
    [boss.id, id],
  );
  await folder.rules.remove(boss.id);
  await assert.rejects(folder.rules.remove(boss.id), /no such rule/);
  assert.deepEqual(await folder.rules.list(), [changed]);
});

test("an invalid rule is refused, and the error names the member", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule();
  const refused = (rule: Parameters<typeof folder.addRule>[0], path: string, message: RegExp) =>
    assert.rejects(folder.addRule({ pattern: "other", ...rule }), isRefused(path, message));
  await refused({ accounts: ["nobody"] }, "/accounts", /not an account/);
  await refused({ pattern: "saga_*" }, "/pattern", /already has a rule/);
  await refused({ text: "{{boss}}" }, "/text", /does not exist/);
  await refused({ altText: "{{boss}}" }, "/altText", /does not exist/);
  await refused({ text: " ", attach: "none" }, "/text", /empty/);
  await refused(
    { text: `${"x".repeat(301)}{{event}}` },
    "/text",
    /For mika the text is 1 character too long \(Bluesky takes 300/,
  );
  await folder.addRule({ pattern: "fits", text: `${"x".repeat(300)}{{event}}` });
});

test("a rule with a removed account can be changed, but cannot name a missing account", async () => {
  await using folder = await openPostsFolder();
  const { id } = await folder.addRule();
  folder.world.accounts = [accountOf("discord", "clips")];
  assert.equal((await folder.rules.change(id, { cooldownSeconds: 90 })).cooldownSeconds, 90);
  await assert.rejects(
    folder.rules.change(id, { accounts: ["bluesky-mika"] }),
    isRefused("/accounts", /not an account/),
  );
});

test("the most specific rule applies to an event, even if it is disabled", async () => {
  await using folder = await openPostsFolder();
  for (const pattern of ["*", "saga_*", "saga_boss"]) await folder.addRule({ pattern });
  const rules = await folder.rules.list();
  assert.deepEqual(
    ["saga_boss", "saga_end", "quest_end"].map((id) => postRuleFor(rules, id)?.pattern),
    ["saga_boss", "saga_*", "*"],
  );
  assert.equal(postRuleFor([], "saga_boss"), undefined);
});

test("the settings of posts have default values, and changed ones survive a restart", async () => {
  await using folder = await openPostsFolder();
  assert.deepEqual(await folder.settings.get(), { undoSeconds: 10, expireHours: 72, hourlyMax: 20 });
  await folder.settings.change({ undoSeconds: 0, hourlyMax: 3 });
  await folder.restart();
  assert.deepEqual(await folder.settings.change({}), { undoSeconds: 0, expireHours: 72, hourlyMax: 3 });
});
