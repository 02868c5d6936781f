// Tests of what a refusal says about its destination: it is kept for the account, or for all accounts of the host.
import assert from "node:assert/strict";
import { test } from "vitest";
import {
  afterCommitting,
  beganMs,
  openOutboxFolder,
  type Scripted,
  saying,
} from "../../../test/social/outbox-folder.ts";
import { sql } from "../../storage/sql.ts";
import type { SendOutcome } from "../networks/network.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const limit = (limits: "destination" | "host", notBeforeMs: number | null = null): Scripted =>
  afterCommitting((): SendOutcome => ({ outcome: "later", says: saying("Too many posts."), notBeforeMs, limits }));

test("what a network learned from one post is known to the next, also after a restart, but not with new credentials", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  const other = await folder.account("two");
  const { seen } = folder.networks.discord;
  const learnsThread: Scripted = async (post, needs) => {
    await needs.learn({ thread: "title" });
    return afterCommitting(() => ({ outcome: "sent", link: null, restUntilMs: null, notes: [] }))(post, needs);
  };
  folder.networks.discord.script = [learnsThread];
  await folder.deliveryIs(await folder.approve([account]), account, "sent");
  await folder.restart();
  await folder.deliveryIs(await folder.approve([account]), account, "sent");
  await folder.deliveryIs(await folder.approve([other]), other, "sent");
  await folder.accounts.change(account, { fields: { url: "another" } });
  await folder.deliveryIs(await folder.approve([account]), account, "sent");
  assert.deepEqual(
    seen.map(({ learned }) => learned),
    [{}, { thread: "title" }, {}, {}],
  );
  assert.equal(seen[0]?.post.title, "Won");
});

test("after a refusal because of the size, the account's next post begins with the smaller file, for a day", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  const other = await folder.account("two");
  const shown = { attach: "clip", footage: "ready" } as const;
  folder.footage = { ...folder.footage, bytes: 8_000 } as typeof folder.footage;
  const { fit } = folder;
  folder.fit = async (media, bounds, options) => ({
    ...(await fit(media, bounds, options)),
    bytes: Math.min(8_000, bounds.bytesMax),
  });
  Object.assign(folder.networks.discord, { smallerBytes: 5_000 });
  const tooLarge = afterCommitting(() => ({ outcome: "refused", says: saying("Too large."), isTooLarge: true }));
  folder.networks.discord.script = [tooLarge];
  const post = async (to: string) => folder.deliveryIs(await folder.approve([to], shown), to, "sent");
  await post(account);
  await folder.restart();
  await post(account);
  await post(other);
  assert.equal((await folder.accountIs(account, () => true)).limits.videoBytesMax, 5_000);
  folder.networks.discord.script = [tooLarge];
  await post(account);
  await folder.advance(dayMs);
  await post(account);
  assert.deepEqual(
    folder.networks.discord.seen.map((attempt) => attempt.post.media?.bytes),
    [8_000, 5_000, 5_000, 8_000, 5_000, 2_500, 8_000],
  );
});

test("a limit without a time lasts at least a minute, and longer each time", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  const other = await folder.account("two");
  folder.networks.discord.script = [limit("destination"), limit("destination"), limit("destination")];
  const post = await folder.approve([account]);
  for (const minutes of [1, 2, 4]) {
    await folder.accountIs(
      account,
      ({ waitsUntil }) => Date.parse(waitsUntil ?? "") === folder.clock.ms + minutes * minuteMs,
    );
    assert.equal((await folder.accountIs(account, () => true)).waitsBecause, "rate-limit");
    await folder.restart();
    await folder.advance(minutes * minuteMs);
  }
  await folder.deliveryIs(post, account, "sent");
  assert.equal((await folder.accountIs(other, () => true)).waitsUntil, null);
});

test("a limit of the host holds for all its accounts until the named time, and shortens no longer wait", async () => {
  await using folder = await openOutboxFolder();
  const [one, two, three] = [await folder.account("one"), await folder.account("two"), await folder.account("three")];
  const elsewhere = await folder.account("four");
  await folder.folder.storage.write(
    sql`UPDATE account SET host = 'other.example' WHERE id = ${elsewhere}`,
    sql`UPDATE account SET wait_until_ms = ${beganMs + 3 * minuteMs}, wait_because = 'failure' WHERE id = ${three}`,
  );
  folder.networks.discord.script = [limit("host", beganMs + 2 * minuteMs)];
  await folder.approve([one]);
  await folder.accountIs(two, ({ waitsBecause }) => waitsBecause === "rate-limit");
  const post = await folder.approve([two, three, elsewhere]);
  await folder.deliveryIs(post, elsewhere, "sent");
  await folder.restart(true);
  await folder.advance(2 * minuteMs - 1);
  await folder.idle();
  assert.equal(folder.networks.discord.seen.length, 2);
  await folder.advance(1);
  await folder.deliveryIs(post, two, "sent");
  assert.equal((await folder.delivery(post, three)).state, "waiting");
});

test("a limit of the host that another account meets meanwhile holds after a request that succeeds", async () => {
  await using folder = await openOutboxFolder();
  const [one, two] = [await folder.account("one"), await folder.account("two")];
  const begun = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<SendOutcome>();
  const slow = afterCommitting(() => {
    begun.resolve();
    return answered.promise;
  });
  folder.networks.discord.script = [slow, limit("host", beganMs + minuteMs)];
  const first = await folder.approve([two]);
  await begun.promise;
  await folder.approve([one]);
  await folder.accountIs(two, ({ waitsBecause }) => waitsBecause === "rate-limit");
  answered.resolve({ outcome: "sent", link: null, restUntilMs: beganMs + 1_000, notes: [] });
  await folder.deliveryIs(first, two, "sent");
  const { waitsUntil } = await folder.accountIs(two, () => true);
  assert.equal(waitsUntil, new Date(beganMs + minuteMs).toISOString());
});

test("a test of an account that meets a limit of the host without a time makes all its accounts wait a minute", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  const other = await folder.account("two");
  const says = saying("Too many requests.");
  folder.networks.discord.checkOutcome = { outcome: "later", says, notBeforeMs: null, limits: "host" };
  assert.equal((await folder.accounts.test(account)).ok, false);
  for (const id of [account, other])
    assert.equal((await folder.accountIs(id, () => true)).waitsUntil, new Date(beganMs + minuteMs).toISOString());
});

test("a picture that is too large says nothing about the size of clips", async () => {
  await using folder = await openOutboxFolder();
  const account = await folder.account("one");
  folder.fit = async ({ path, seconds, width, height }, { bytesMax }) => ({
    ...{ path, seconds, width, height, mime: "image/jpeg", notes: [] },
    bytes: Math.min(8_000, bytesMax),
  });
  Object.assign(folder.networks.discord, { smallerBytes: 5_000 });
  folder.networks.discord.script = [
    afterCommitting(() => ({ outcome: "refused", says: saying("Too large."), isTooLarge: true })),
  ];
  const post = await folder.approve([account], { attach: "screenshot", footage: "ready" });
  const { limits } = await folder.accountIs(account, () => true);
  await folder.deliveryIs(post, account, "sent");
  assert.equal(folder.networks.discord.seen.length, 2, "a smaller picture was sent");
  assert.equal((await folder.accountIs(account, () => true)).limits.videoBytesMax, limits.videoBytesMax);
});
