// Tests of accounts: connecting, changing and testing them. Their credentials are stored and never shown again.
import assert from "node:assert/strict";
import { accountsMax, KitError, rejectField, textOf } from "@kit/contract";
import { test } from "vitest";
import { noAnswer, openOutboxFolder, saying } from "../../../test/social/outbox-folder.ts";
import { sql } from "../../storage/sql.ts";
import { accountCredentialsMissing } from "./credentials.ts";

const secret = "t0ken-nobody-sees";
const fieldOf = (path: string) => (error: unknown) =>
  error instanceof KitError && error.code === "payload_invalid" && error.errors[0]?.path === path;

test("an account is connected with the fields of its network, and no answer contains its secret", async () => {
  await using folder = await openOutboxFolder();
  const { accounts } = folder;
  folder.networks.discord.checked = [{ what: "Webhook", ok: true, says: `It is there, with ${secret}.` }];
  const added = await accounts.add({ network: "discord", fields: { url: ` ${secret} ` }, name: "Mine" });
  const { account } = added;
  assert.deepEqual(added.checked, [{ what: "Webhook", ok: true, says: "It is there, with …." }]);
  assert.deepEqual([account.name, account.kept, account.stopped, account.sent], ["Mine", "file", null, 0]);
  assert.deepEqual([...folder.secrets], [[`account-${account.id}`, JSON.stringify({ url: secret })]]);
  assert.ok(!JSON.stringify([added, await accounts.all()]).includes(secret));
  await assert.rejects(accounts.add({ network: "discord", fields: {} }), fieldOf("/fields/url"));
  await assert.rejects(accounts.add({ network: "discord", fields: {} }), {
    message: "The account cannot be connected: Webhook URL is missing.",
  });
  await assert.rejects(accounts.add({ network: "discord", fields: { url: "x", token: secret } }), (error) => {
    return fieldOf("/fields")(error) && !(error as Error).message.includes(secret);
  });
  await assert.rejects(accounts.add({ network: "bluesky", fields: { handle: "x" } }), fieldOf("/fields/password"));
});

test("a field that the network refuses is called by its label, and a JSON pointer is only in the list of errors", async () => {
  await using folder = await openOutboxFolder();
  folder.networks.discord.connect = async () => rejectField("/fields/url", "must be a complete webhook URL");
  await assert.rejects(folder.accounts.add({ network: "discord", fields: { url: "x" } }), (error) => {
    const { message } = error as Error;
    return (
      fieldOf("/fields/url")(error) &&
      message === "The account cannot be connected: Webhook URL must be a complete webhook URL."
    );
  });
});

test("no more than the maximum of accounts is connected, even if they are connected at the same time", async () => {
  await using folder = await openOutboxFolder();
  const added = await Promise.allSettled(Array.from({ length: accountsMax + 3 }, (_, at) => folder.account(`${at}`)));
  const refused = added.filter(({ status }) => status === "rejected");
  assert.deepEqual([refused.length, (await folder.accounts.all()).length], [3, accountsMax]);
});

test("if a secret cannot be saved no account is created, and an account without its secret reports that", async () => {
  await using folder = await openOutboxFolder();
  const { set } = folder.secrets;
  folder.secrets.set = () => {
    throw new Error("the disk is full");
  };
  await assert.rejects(folder.account("one"), /could not be saved\. the disk is full/);
  assert.deepEqual(await folder.accounts.all(), []);
  folder.secrets.set = set;
  const id = await folder.account("one");
  folder.secrets.clear();
  const post = await folder.approve([id]);
  await folder.accountIs(id, ({ stopped }) => textOf(stopped ?? "") === accountCredentialsMissing.text);
  assert.deepEqual(await folder.accounts.test(id), { ok: false, says: accountCredentialsMissing, checked: [] });
  await folder.accounts.change(id, { fields: { url: "two" } });
  await folder.deliveryIs(post, id, "sent");
  assert.deepEqual([...folder.secrets.values()], ['{"url":"two"}']);
});

test("credentials can be changed in part, and the rest stays the same", async () => {
  await using folder = await openOutboxFolder();
  const { account } = await folder.accounts.add({ network: "mastodon", fields: { server: "https://a.b", token: "1" } });
  await folder.accounts.change(account.id, { name: "Other", fields: { token: "2" } });
  assert.deepEqual([...folder.secrets.values()], ['{"server":"https://a.b","token":"2"}']);
  assert.equal((await folder.accounts.all())[0]?.name, "Other");
  await assert.rejects(folder.accounts.change("nobody", { name: "x" }), /no such account/);
  await assert.rejects(folder.accounts.remove("nobody"), /no such account/);
});

test("a failed test of an account leaves the account stopped and reports the reason", async () => {
  await using folder = await openOutboxFolder();
  const id = await folder.account("one");
  await folder.folder.storage.write(sql`UPDATE account SET stopped = ${JSON.stringify(saying("It was refused."))}`);
  folder.networks.discord.checkOutcome = { outcome: "stopped", says: saying("It is gone.") };
  assert.deepEqual(await folder.accounts.test(id), { ok: false, says: saying("It is gone."), checked: [] });
  assert.deepEqual((await folder.accounts.all())[0]?.stopped, saying("It was refused."));
  folder.networks.discord.checkOutcome = {
    outcome: "later",
    says: saying("Not now."),
    notBeforeMs: folder.clock.ms + 9_000,
  };
  await folder.accounts.test(id);
  assert.equal((await folder.accounts.all())[0]?.waitsBecause, "rate-limit");
});

test("an account shows its last failure until a later delivery succeeds", async () => {
  await using folder = await openOutboxFolder();
  const id = await folder.account("one");
  folder.networks.discord.script = [noAnswer];
  await folder.approve([id]);
  await folder.approve([id]);
  const account = await folder.accountIs(id, ({ sent }) => sent === 1);
  assert.deepEqual([account.lastError, account.lastErrorAt], [null, null]);
  assert.notEqual(account.lastSentAt, null);
});
