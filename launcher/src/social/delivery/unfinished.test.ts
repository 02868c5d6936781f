// Tests of unfinished deliveries: the launcher ends at any point of a delivery, or a person removes the account.
import assert from "node:assert/strict";
import { test } from "vitest";
import {
  afterCommitting,
  beganMs,
  noAnswer,
  openOutboxFolder,
  type Scripted,
  sent,
} from "../../../test/social/outbox-folder.ts";
import { until } from "../../../test/support/until.ts";
import { sql } from "../../storage/sql.ts";

const minuteMs = 60_000;
/** Ends only when it is aborted. */
const hangs = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
const hangsBefore: Scripted = (_, { signal }) => hangs(signal);
const hangsAfter: Scripted = async (_, { markCommitted, signal }) => {
  await markCommitted();
  return hangs(signal);
};
const deaf: Scripted = async (_, { markCommitted }) => {
  await markCommitted();
  return new Promise<never>(() => undefined);
};

for (const { state, committedMs, network, is, says } of [
  { state: "preparing", committedMs: null, network: "discord", is: "sent" },
  { state: "sending", committedMs: null, network: "discord", is: "sent" },
  { state: "sending", committedMs: beganMs - minuteMs, network: "discord", is: "maybe", says: /got no answer/ },
  { state: "sending", committedMs: beganMs - 2 * minuteMs, network: "mastodon", is: "sent" },
  { state: "sending", committedMs: beganMs - 61 * minuteMs, network: "mastodon", is: "maybe", says: /got no answer/ },
  // The clock was set back, so the elapsed time is unknown.
  { state: "sending", committedMs: beganMs + minuteMs, network: "mastodon", is: "maybe", says: /got no answer/ },
  { state: "sending", committedMs: beganMs - 900 * minuteMs, network: "webhook", is: "sent" },
  { state: "waiting", committedMs: beganMs - minuteMs, network: "discord", is: "maybe", says: /got no answer/ },
] as const) {
  const when =
    committedMs === null ? "before its request" : `${(beganMs - committedMs) / minuteMs} minutes after its request`;
  test(`a delivery that was ${state} to ${network} when the launcher was killed ${when} becomes ${is}`, async () => {
    await using folder = await openOutboxFolder({
      repeatsForMs: { mastodon: 60 * minuteMs, webhook: Number.POSITIVE_INFINITY },
    });
    const account = await folder.account("one", network);
    await folder.outbox.stop();
    const post = await folder.approve([account]);
    const { key } = await folder.delivery(post, account);
    await folder.folder.storage.write(
      sql`UPDATE post SET state = 'sending'`,
      sql`UPDATE delivery SET state = ${state}, committed_ms = ${committedMs}`,
    );
    await folder.restart(true);
    const found = await folder.deliveryIs(post, account, is);
    assert.equal(found.key, key);
    assert.match(found.says ?? "", says ?? /^$/);
    assert.equal(folder.networks[network].seen.length, is === "sent" ? 1 : 0);
  });
}

test("a post whose requests were all unanswered when the launcher was killed is unsure, and its receipt says so", async () => {
  await using folder = await openOutboxFolder();
  const one = await folder.account("one");
  const two = await folder.account("two", "bluesky");
  await folder.outbox.stop();
  const post = await folder.approve([one, two]);
  await folder.folder.storage.write(
    sql`UPDATE post SET state = 'sending'`,
    sql`UPDATE delivery SET state = 'sending', committed_ms = ${beganMs - minuteMs}`,
  );
  await folder.restart(true);
  assert.equal(await folder.post(post), "unsure");
  assert.match(await folder.receipt(post), /^failed: not confirmed, Main: .* Main: /);
});

test("a delivery stopped before its request waits without a counted attempt", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  const network = folder.networks.discord;
  network.script = [hangsBefore];
  const post = await folder.approve([account]);
  await folder.deliveryIs(post, account, "sending");
  await until("a try", () => network.seen.length === 1);
  await folder.outbox.stop();
  const { state, tries, says } = await folder.delivery(post, account);
  assert.deepEqual([state, tries, says], ["waiting", 0, null]);
  await folder.restart();
  await folder.deliveryIs(post, account, "sent");
});

test("a stopping launcher waits a limited time for the answers to its requests", async () => {
  await using folder = await openOutboxFolder();
  const one = await folder.account("1");
  const two = await folder.account("2", "webhook");
  const three = await folder.account("3", "mastodon");
  const answer = Promise.withResolvers<typeof sent>();
  folder.networks.discord.script = [afterCommitting(() => answer.promise)];
  folder.networks.webhook.script = [hangsAfter];
  folder.networks.mastodon.script = [deaf];
  const post = await folder.approve([one, two, three]);
  const out = async (account: string) => (await folder.delivery(post, account)).committedMs !== null;
  await until("all are out", async () => (await out(one)) && (await out(two)) && (await out(three)));
  const stopping = folder.outbox.stop();
  answer.resolve(sent);
  // Two networks never answer; the launcher stops anyway.
  await stopping;
  assert.equal((await folder.delivery(post, one)).state, "sent");
  for (const account of [two, three]) {
    const { state, says } = await folder.delivery(post, account);
    assert.equal(state, "maybe");
    assert.match(says ?? "", /^Kit stopped before the answer arrived\. The post may have arrived/);
  }
  assert.equal(await folder.post(post), "unsure");
});

test("switching an account off stops its unsent delivery, and switching it on resumes it", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  folder.networks.discord.script = [hangsBefore];
  const post = await folder.approve([account]);
  await until("a try", () => folder.networks.discord.seen.length === 1);
  await folder.accounts.change(account, { enabled: false });
  assert.equal((await folder.delivery(post, account)).state, "waiting");
  await folder.idle();
  assert.equal(folder.networks.discord.seen.length, 1);
  await folder.accounts.change(account, { enabled: true });
  await folder.deliveryIs(post, account, "sent");
});

test("removing an account drops its waiting deliveries with a reason, and deletes its secret", async () => {
  await using folder = await openOutboxFolder();
  const one = await folder.account("one");
  const two = await folder.account("two", "webhook");
  folder.networks.discord.script = [hangsAfter];
  const out = await folder.approve([one, two]);
  const waits = await folder.approve([one, two]);
  const draft = await folder.approve([one, two], { state: "draft" });
  const alone = await folder.approve([one], { undoMs: 5_000 });
  await folder.deliveryIs(waits, two, "sent");
  await until("a request", async () => (await folder.delivery(out, one)).committedMs !== null);
  await folder.accounts.remove(one);
  assert.deepEqual(
    (await folder.accounts.all()).map(({ id }) => id),
    [two],
  );
  assert.deepEqual([...folder.secrets.keys()], [`account-${two}`]);
  const said = async (post: string) => {
    const { state, says } = await folder.delivery(post, one);
    return [state, says, await folder.post(post)];
  };
  assert.deepEqual(await said(waits), ["dropped", "The account was removed.", "sent"]);
  assert.equal(await folder.receipt(waits), "sent: to 1 account; 1 account given up");
  assert.deepEqual(await said(draft), ["dropped", "The account was removed.", "draft"]);
  assert.equal((await said(out))[0], "maybe");
  await assert.rejects(folder.outbox.settle(out, one, "again"), /not connected any more/);
  await folder.advance(5_000);
  await until("skipped", async () => (await folder.post(alone)) === "skipped");
});

test("a delivery that began with one account's credentials is not repeated with other credentials", async () => {
  await using folder = await openOutboxFolder({ repeatsForMs: { webhook: Number.POSITIVE_INFINITY } });
  const account = await folder.account("one", "webhook");
  folder.networks.webhook.script = [noAnswer];
  const post = await folder.approve([account]);
  const next = await folder.approve([account]);
  await folder.accountIs(account, ({ waitsBecause }) => waitsBecause === "failure");
  await folder.accounts.change(account, { fields: { url: "elsewhere" } });
  await folder.deliveryIs(post, account, "maybe");
  await folder.deliveryIs(next, account, "sent");
  assert.equal(folder.networks.webhook.seen.length, 2);
});
