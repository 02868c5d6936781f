// Tests of wiping the demo: its account and its post rule are removed, and restored if the wipe is undone.
import assert from "node:assert/strict";
import { type Account, demoAccountName, demoGame, demoSocialId, type PostRule } from "@kit/contract";
import { test } from "vitest";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { kit, placeOf } from "../support/kit-command.ts";
import { launcherOfFile } from "../support/own-launcher.ts";

const launcher = await launcherOfFile({ env: { KIT_SECRETS: "file" } });

async function asked<T>(method: string, path: string, body?: unknown): Promise<T> {
  const reply = await launcher.api(method, path, body);
  assert.ok(reply.status < 300, reply.text);
  return reply.json<T>();
}

test("undoing a wipe restores the demo's account and its post rule", async () => {
  await asked("PUT", "/api/games", { game: demoGame });
  const { url } = await asked<{ url: string }>("POST", "/api/demo/letterbox");
  const given = { network: "webhook", name: demoAccountName, fields: { url }, demo: true };
  const { account } = await asked<{ account: Account }>("POST", "/api/accounts", given);
  const rule = { pattern: demoSocialId, accounts: [account.id], text: "{{event}}", approval: "ask" };
  await asked("POST", "/api/post-rules", rule);
  const known = async () => {
    const [{ accounts }, { rules }] = await Promise.all([
      asked<{ accounts: Account[] }>("GET", "/api/accounts"),
      asked<{ rules: PostRule[] }>("GET", "/api/post-rules"),
    ]);
    return { accounts, rules };
  };
  const prepared = await known();
  assert.deepEqual([prepared.accounts.length, prepared.rules.length], [1, 1]);
  const place = placeOf(launcher);
  assert.equal((await kit("demo", "--wipe", ...place)).code, exitCodes.ok);
  assert.equal((await kit("demo", "--wipe", "--undo", ...place)).code, exitCodes.ok);
  assert.deepEqual(await known(), prepared);
  assert.equal(
    (await launcher.api("POST", `/api/accounts/${account.id}/test`)).status,
    200,
    "the credentials are restored",
  );
});
