// Tests of deliveries: their order, that none is sent twice or before the time a network named, and their receipts.

import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { test } from "vitest";
import { afterCommitting, beganMs, noAnswer, openOutboxFolder, saying } from "../../../test/social/outbox-folder.ts";
import { ServerNotReached } from "../../outbound/failure.ts";
import { sql } from "../../storage/sql.ts";
import type { SendOutcome } from "../networks/network.ts";

const later = (notBeforeMs: number | null): SendOutcome => ({
  outcome: "later",
  says: saying("It is busy."),
  notBeforeMs,
});
const hourMs = 3_600_000;

test("an approved post is sent to each account after the undo time, and its receipt says so", async () => {
  await using folder = await openOutboxFolder();
  const one = await folder.account("one");
  const two = await folder.account("two", "webhook");
  const post = await folder.approve([one, two], { undoMs: 10_000, text: "Boss defeated" });
  await folder.idle();
  assert.deepEqual([await folder.post(post), folder.networks.discord.seen.length], ["approved", 0]);
  await folder.advance(10_000);
  const { link, tries } = await folder.deliveryIs(post, one, "sent");
  await folder.deliveryIs(post, two, "sent");
  assert.deepEqual([link, tries, await folder.post(post)], ["https://example.com/1", 1, "sent"]);
  assert.equal(await folder.receipt(post), "sent: to 2 accounts");
  const [seen] = folder.networks.discord.seen;
  const { text, media, source } = seen?.post ?? {};
  assert.deepEqual([text, media, source?.eventId, source?.atMs], ["Boss defeated", null, "saga_won", beganMs]);
  const account = await folder.accountIs(one, () => true);
  assert.deepEqual([account.sent, account.waiting, account.lastError], [1, 0, null]);
});

test("a post to the demo's account goes nowhere, is not called sent, and its clip is not shared", async () => {
  await using folder = await openOutboxFolder();
  const demo = await folder.account("demo", "webhook", true);
  const post = await folder.approve([demo], { attach: "clip", footage: "ready" });
  await folder.deliveryIs(post, demo, "sent");
  assert.equal(await folder.receipt(post), "approved: kept in the demo, sent to nobody");
  assert.deepEqual([(await folder.accountIs(demo, () => true)).sent, folder.shared], [0, []]);
  assert.equal(textOf((await folder.accounts.test(demo)).says), "kept in the demo, sent to nobody");
  assert.deepEqual(folder.networks.webhook.seen, [], "no request is made");
  const other = await folder.account("other");
  const both = await folder.approve([demo, other], { attach: "clip", footage: "ready" });
  await folder.deliveryIs(both, other, "sent");
  await folder.deliveryIs(both, demo, "sent");
  assert.equal(await folder.receipt(both), "sent: to 1 account");
  assert.deepEqual(folder.shared, ["clip-1"]);
});

test("an undone approval sends nothing", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  const post = await folder.approve([account], { undoMs: 10_000 });
  await folder.folder.storage.write(sql`UPDATE post SET state = 'draft', sends_ms = NULL WHERE id = ${post}`);
  await folder.advance(20_000);
  await folder.idle();
  assert.deepEqual([await folder.post(post), folder.networks.discord.seen], ["draft", []]);
});

test("the posts of one account are sent one at a time and in order, and a failing account delays no other", async () => {
  await using folder = await openOutboxFolder();
  const one = await folder.account("one");
  const two = await folder.account("two", "webhook");
  folder.networks.discord.script = [async () => later(null)];
  const first = await folder.approve([one, two], { text: "first" });
  const second = await folder.approve([one, two], { text: "second" });
  await folder.deliveryIs(second, two, "sent");
  await folder.idle();
  assert.deepEqual(
    folder.networks.discord.seen.map(({ post }) => post.text),
    ["first"],
  );
  const waiting = await folder.accountIs(one, ({ waitsBecause }) => waitsBecause === "failure");
  assert.deepEqual([waiting.waiting, waiting.lastError], [2, saying("It is busy.")]);
  await folder.advance(hourMs);
  await folder.deliveryIs(second, one, "sent");
  await folder.deliveryIs(first, one, "sent");
  const texts = folder.networks.discord.seen.map(({ post }) => post.text);
  assert.deepEqual(texts, ["first", "first", "second"]);
});

test("nothing is sent before the time that a network named, even after a restart, a change or a test", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  const { seen } = folder.networks.discord;
  folder.networks.discord.script = [
    async () => later(beganMs + hourMs),
    afterCommitting(() => ({ outcome: "sent", link: null, restUntilMs: beganMs + 2 * hourMs, notes: [] })),
  ];
  const first = await folder.approve([account]);
  const second = await folder.approve([account]);
  await folder.accountIs(account, ({ waitsBecause }) => waitsBecause === "rate-limit");
  await folder.idle();
  await folder.restart(true);
  await folder.accounts.change(account, { enabled: true });
  assert.match(textOf((await folder.accounts.test(account)).says), /no test was made/);
  await folder.advance(hourMs - 1);
  await folder.idle();
  assert.equal(seen.length, 1);
  await folder.advance(1);
  await folder.deliveryIs(first, account, "sent");
  await folder.advance(hourMs - 1);
  await folder.idle();
  assert.equal(seen.length, 2);
  await folder.advance(1);
  await folder.deliveryIs(second, account, "sent");
  assert.deepEqual(
    seen.map(({ atMs }) => atMs),
    [beganMs, beganMs + hourMs, beganMs + 2 * hourMs],
  );
});

test("a post that failed while the clock was a year ahead is sent once the clock is corrected", {
  timeout: 20_000,
}, async () => {
  for (const isRateLimit of [true, false]) {
    await using folder = await openOutboxFolder();
    const account = await folder.account("one");
    const yearMs = 365 * 24 * hourMs;
    await folder.advance(yearMs);
    folder.networks.discord.script = [async () => later(isRateLimit ? beganMs + yearMs + hourMs : null)];
    const post = await folder.approve([account]);
    await folder.accountIs(account, ({ waitsUntil }) => waitsUntil !== null);
    await folder.advance(-yearMs);
    await folder.deliveryIs(post, account, "sent");
  }
});

test("a permanent refusal stops the account with its reason, and a successful test starts it again", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  const gone = saying("The webhook is gone (404).");
  folder.networks.discord.script = [afterCommitting(() => ({ outcome: "stopped", says: gone }))];
  const post = await folder.approve([account]);
  const stopped = await folder.accountIs(account, (one) => one.stopped !== null);
  assert.deepEqual([stopped.stopped, stopped.lastError], [gone, gone]);
  await folder.advance(48 * hourMs);
  await folder.idle();
  const waiting = await folder.delivery(post, account);
  assert.deepEqual([waiting.state, waiting.committedMs, folder.networks.discord.seen.length], ["waiting", null, 1]);
  assert.equal((await folder.accounts.test(account)).ok, true);
  await folder.deliveryIs(post, account, "sent");
  const again = await folder.accountIs(account, ({ sent: count }) => count === 1);
  assert.deepEqual([again.stopped, again.limits.textMax], [null, 99], "the current limits are stored");
});

test("a refused delivery fails, and later deliveries continue", async () => {
  await using folder = await openOutboxFolder();
  const one = await folder.account("one");
  const two = await folder.account("two", "webhook");
  folder.networks.discord.script = [
    afterCommitting(() => ({ outcome: "refused", says: saying("The text is too long.") })),
  ];
  const post = await folder.approve([one, two]);
  const next = await folder.approve([one]);
  await folder.deliveryIs(next, one, "sent");
  await folder.deliveryIs(post, two, "sent");
  assert.deepEqual(
    [(await folder.delivery(post, one)).says, await folder.post(post)],
    ["The text is too long.", "failed"],
  );
  assert.equal(await folder.receipt(post), "failed: posted to 1 account; Main: The text is too long.");
  await folder.outbox.settle(post, one, "dropped");
  assert.deepEqual(
    [await folder.post(post), await folder.receipt(post)],
    ["sent", "sent: to 1 account; 1 account given up"],
  );
});

test("a request without an answer is not repeated if that could create a second post; a person decides", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  folder.networks.discord.script = [noAnswer];
  const post = await folder.approve([account]);
  const { says, key } = await folder.deliveryIs(post, account, "maybe");
  assert.match(says ?? "", /^The server closed the connection .*The post may have arrived: check there/);
  await folder.advance(hourMs);
  await folder.idle();
  assert.deepEqual([folder.networks.discord.seen.length, await folder.post(post)], [1, "unsure"]);
  assert.match(await folder.receipt(post), /^failed: not confirmed, Main: /);
  await folder.outbox.settle(post, account, "again");
  const again = await folder.deliveryIs(post, account, "sent");
  assert.notEqual(again.key, key, "another post has another key");
  assert.deepEqual([again.tries, await folder.post(post)], [1, "sent"]);
  await assert.rejects(folder.outbox.settle(post, account, "sent"), /nothing to decide/);
  await assert.rejects(folder.outbox.settle(post, "nobody", "sent"), /no such delivery/);
});

test("a delivery that a person confirms counts as sent", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  folder.networks.discord.script = [noAnswer];
  const post = await folder.approve([account]);
  await folder.deliveryIs(post, account, "maybe");
  await folder.outbox.settle(post, account, "sent");
  assert.deepEqual([await folder.post(post), await folder.receipt(post)], ["sent", "sent: to 1 account"]);
  assert.equal((await folder.accountIs(account, () => true)).sent, 0, "the network confirmed nothing");
});

test("a repeat uses the same key while the network recognizes it; afterwards a person decides", async () => {
  await using folder = await openOutboxFolder({ repeatsForMs: { mastodon: hourMs } });
  const account = await folder.account("one", "mastodon");
  const network = folder.networks.mastodon;
  network.script = [noAnswer, noAnswer];
  const tried = (count: number) =>
    folder.accountIs(account, ({ waitsBecause }) => network.seen.length === count && waitsBecause === "failure");
  const post = await folder.approve([account]);
  await tried(1);
  await folder.advance(20 * 60_000);
  await tried(2);
  await folder.advance(20 * 60_000);
  await folder.deliveryIs(post, account, "sent");
  assert.equal(new Set(network.seen.map(({ post: { key } }) => key)).size, 1);

  network.script = [noAnswer, async () => later(null), noAnswer];
  const other = await folder.approve([account]);
  await tried(4);
  await folder.advance(30 * 60_000);
  await tried(5);
  await folder.advance(29 * 60_000 + 1);
  await folder.deliveryIs(other, account, "maybe");
  assert.equal(network.seen.length, 5, "the hour starts with the first request");
});

test("a request of which no byte was sent is tried again at every network", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  folder.networks.discord.script = [afterCommitting(() => Promise.reject(new ServerNotReached("no connection")))];
  const post = await folder.approve([account]);
  await folder.accountIs(account, ({ waitsBecause }) => waitsBecause === "failure");
  assert.equal((await folder.delivery(post, account)).committedMs, null);
  await folder.advance(hourMs);
  assert.equal((await folder.deliveryIs(post, account, "sent")).tries, 2);
});

test("a delivery fails after a day and a minimum number of attempts, and later deliveries continue", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  const network = folder.networks.discord;
  network.script = Array(8).fill(async () => later(null));
  const post = await folder.approve([account]);
  const next = await folder.approve([account]);
  for (let tried = 1; tried <= 7; tried += 1) {
    await folder.accountIs(account, ({ waitsBecause }) => network.seen.length === tried && waitsBecause === "failure");
    assert.equal((await folder.delivery(post, account)).state, "waiting");
    await folder.advance(tried < 4 ? hourMs : 8 * hourMs);
  }
  assert.match((await folder.deliveryIs(post, account, "failed")).says ?? "", /^It is busy\. Kit tried for a day/);
  await folder.deliveryIs(next, account, "sent");
});

test("a delivery that began to fail while the clock was a year ahead fails a day after the clock is corrected", {
  timeout: 20_000,
}, async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  const network = folder.networks.discord;
  const yearMs = 365 * 24 * hourMs;
  network.script = Array(8).fill(async () => later(null));
  await folder.advance(yearMs);
  const post = await folder.approve([account]);
  await folder.accountIs(account, ({ waitsBecause }) => network.seen.length === 1 && waitsBecause === "failure");
  await folder.advance(-yearMs);
  for (let tried = 2; tried <= 7; tried += 1) {
    await folder.accountIs(account, ({ waitsBecause }) => network.seen.length === tried && waitsBecause === "failure");
    await folder.advance(4 * hourMs);
  }
  assert.match((await folder.deliveryIs(post, account, "failed")).says ?? "", /Kit tried for a day/);
});

test("data that a network stored is there at the next attempt, and gone when a person sends the post again", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  const network = folder.networks.discord;
  network.script = [
    async (_, { store }) => {
      await store({ video: "v1" });
      await store({ step: "2" });
      return later(null);
    },
    noAnswer,
  ];
  const post = await folder.approve([account]);
  await folder.accountIs(account, ({ waitsBecause }) => waitsBecause === "failure");
  await folder.advance(hourMs);
  await folder.deliveryIs(post, account, "maybe");
  await folder.outbox.settle(post, account, "again");
  await folder.deliveryIs(post, account, "sent");
  assert.deepEqual(
    network.seen.map(({ remembered }) => remembered),
    [{}, { video: "v1", step: "2" }, {}],
  );
});
