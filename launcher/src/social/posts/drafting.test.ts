// Tests of drafting: a social trigger becomes one post however often it is handed over, or its receipt says why it did not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "@kit/contract";
import { accountOf, beganMs, openPostsFolder, triggerOf } from "../../../test/social/posts-folder.ts";
import { sql } from "../../storage/sql.ts";

test("a trigger becomes a draft for each account of its rule and requests its footage, and its receipt says so", async () => {
  await using folder = await openPostsFolder();
  const { id: rule } = await folder.addRule({ visibility: "unlisted", contentWarning: "Spoilers" });
  const entry = triggerOf("saga_boss_defeated");
  await folder.take(entry);
  const post = await folder.only();
  const { event, eventId, game, state, text, altText, contentWarning, attach, visibility, asks } = post;
  assert.deepEqual([event, eventId, game, state], [entry.event.id, "saga_boss_defeated", "saga", "draft"]);
  assert.deepEqual([text, altText, asks], ["boss defeated in saga", "A clip of saga: boss defeated", null]);
  assert.deepEqual([contentWarning, attach, visibility, post.rule], ["Spoilers", "clip", "unlisted", rule]);
  assert.deepEqual(post.footage, { state: "pending", says: null, clip: null, seconds: null });
  assert.deepEqual([post.happenedAt, post.sendsAt], [entry.event.actsOn, null]);
  assert.equal(post.expiresAt, new Date(beganMs + 72 * 3_600_000).toISOString());
  assert.deepEqual(
    post.deliveries.map(({ account, name, state: at }) => [account, name, at]),
    [
      ["discord-clips", "clips", "waiting"],
      ["bluesky-mika", "mika", "waiting"],
    ],
  );
  const { id, actsOn } = entry.event;
  assert.deepEqual(folder.world.wanted, [
    { event: id, seq: entry.seq, eventId, game, atMs: Date.parse(actsOn), kind: "clip" },
  ]);
  assert.deepEqual(await folder.receiptOf(entry), [
    { state: "drafted", reason: "for clips, mika, with a clip of its moment" },
  ]);
  const [kept] = await folder.rules.list();
  assert.deepEqual([kept?.posts, kept?.lastPostAt, kept?.held], [1, actsOn, 0]);
});

test("an event that is handed over again, even after a restart, has one post and one receipt and is counted once", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule();
  const entry = triggerOf("saga_boss_defeated");
  await folder.take(entry);
  await folder.take(entry);
  await folder.restart();
  await folder.take(entry);
  assert.equal((await folder.only()).event, entry.event.id);
  assert.equal((await folder.receiptOf(entry)).length, 1);
  const [rule] = await folder.rules.list();
  assert.deepEqual([rule?.posts, rule?.held], [1, 0]);
});

test("a draft that could not be committed is created once when the event is handed over again", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule();
  const entry = triggerOf("saga_boss_defeated");
  await folder.drafting.receive([entry]);
  await folder.take(entry);
  assert.equal((await folder.only()).deliveries.length, 2);
});

test("the receipt tells apart an event without a rule, with a disabled rule, and without an enabled account", async () => {
  await using folder = await openPostsFolder();
  const { id } = await folder.addRule();
  await folder.rules.change(id, { enabled: false });
  const other = triggerOf("quest_end");
  const off = triggerOf("saga_boss");
  const gone = triggerOf("saga_boss");
  await folder.take(other, off);
  await folder.rules.change(id, { enabled: true });
  folder.world.accounts = [accountOf("discord", "clips", { enabled: false })];
  await folder.take(gone);
  const receipts = await Promise.all([other, off, gone].map(folder.receiptOf));
  assert.deepEqual(receipts.flat(), [
    { state: "ignored", reason: "no rule for posts matches this event" },
    { state: "ignored", reason: "its rule saga_* is switched off" },
    { state: "ignored", reason: "none of the accounts of its rule is connected and switched on" },
  ]);
  assert.deepEqual([await folder.all(), folder.world.wanted], [[], []]);
});

test("within its cooldown a rule creates no second post, measured by the times of the events, and counts held events", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule({ pattern: "saga_boss*" });
  await folder.addRule({ pattern: "saga_end" });
  const at = (eventId: string, seconds: number) => triggerOf(eventId, { atMs: beganMs + seconds * 1_000 });
  const first = at("saga_boss", 0);
  const soon = at("saga_boss_2", 59);
  const other = at("saga_end", 1);
  const before = at("saga_boss", -30);
  const later = at("saga_boss", 60);
  // All events arrive together.
  await folder.take(first, soon, other, before, later);
  assert.deepEqual(
    (await folder.all()).map(({ event }) => event),
    [later, other, first].map(({ event }) => event.id),
  );
  assert.match((await folder.receiptOf(soon))[0]?.reason ?? "", /its rule makes at most one post in 60 s/);
  const [held] = (await folder.rules.list()).filter(({ pattern }) => pattern === "saga_boss*");
  assert.deepEqual([held?.posts, held?.held, held?.lastPostAt], [2, 2, later.event.actsOn]);
  await folder.restart();
  const next = at("saga_boss", 119);
  await folder.take(next);
  assert.equal((await folder.receiptOf(next))[0]?.state, "ignored");
});

test("a clock that was set back does not extend the cooldown", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule();
  await folder.take(triggerOf("saga_a", { atMs: beganMs + 365 * 86_400_000 }));
  await folder.take(triggerOf("saga_b"));
  const soon = triggerOf("saga_c", { atMs: beganMs + 1_000 });
  await folder.take(soon);
  assert.equal((await folder.all()).length, 2);
  assert.equal((await folder.receiptOf(soon))[0]?.state, "ignored");
});

test("the hourly limit counts the posts of all rules together", async () => {
  await using folder = await openPostsFolder();
  await folder.settings.change({ hourlyMax: 2 });
  for (const id of ["a", "b", "c"]) await folder.addRule({ pattern: id });
  const entries = ["a", "b", "c"].map((id) => triggerOf(id));
  await folder.take(...entries);
  const [, , third] = await Promise.all(entries.map(folder.receiptOf));
  assert.match(third?.[0]?.reason ?? "", /^the limit of 2 posts per hour is reached/);
  folder.clock.ms += 3_600_001;
  await folder.take(triggerOf("c"));
  assert.deepEqual(
    (await folder.all()).map(({ eventId }) => eventId),
    ["c", "b", "a"],
  );
});

test("an automatic rule approves a post at once, and a person can undo that until it is sent", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule({ approval: "automatic" });
  const entry = triggerOf("saga_boss");
  await folder.take(entry);
  const { id, state, sendsAt, expiresAt } = await folder.only();
  assert.deepEqual([state, sendsAt, expiresAt], ["approved", new Date(beganMs + 10_000).toISOString(), null]);
  assert.deepEqual(
    (await folder.receiptOf(entry)).map((each) => each.state),
    ["drafted", "approved"],
  );
  assert.equal((await folder.posts.undo(id)).state, "draft");
  assert.deepEqual(
    (await folder.receiptOf(entry)).map((each) => each.state),
    ["drafted", "approved", "drafted"],
  );
});

test("an automatic post that a network would refuse becomes a draft", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule({ approval: "automatic", text: `${"x".repeat(295)} {{event}}` });
  const entry = triggerOf("saga_boss_defeated");
  await folder.take(entry);
  const { state, asks } = await folder.only();
  assert.equal(state, "draft");
  assert.match(textOf(asks ?? ""), /^For mika the text is 9 characters too long \(Bluesky takes 300 characters\)/);
  assert.match((await folder.receiptOf(entry))[0]?.reason ?? "", /with a clip of its moment\. For mika/);
});

test("a flood of triggers is held with one receipt each and few statements", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule();
  const entries = Array.from({ length: 500 }, (_, index) => triggerOf(index % 2 ? "saga_boss" : "quest_end"));
  const { statements, committed } = await folder.drafting.receive(entries);
  assert.ok(statements.length < 10, `${statements.length}`);
  await folder.storage.write(...statements);
  committed();
  assert.equal((await folder.all()).length, 1);
  const [row] = await folder.storage.read(sql`SELECT count(*) AS receipts FROM receipt`);
  assert.equal(row?.receipts, 500);
  assert.equal((await folder.rules.list())[0]?.held, 249);
});

test("at the limit of drafts events are held until a person decides on some", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule({ attach: "none" });
  await folder.take(triggerOf("saga_boss"));
  await folder.storage.write(sql`
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 999)
    INSERT INTO post (id, event, event_seq, event_id, state, text, alt_text, content_warning, attach, without, visibility,
      footage, happened_ms, created_ms)
    SELECT 'p' || n, 'e' || n, n, 'x', 'draft', '', '', '', 'none', 'ask', 'public', 'none', 0, 0 FROM n`);
  const entry = triggerOf("saga_boss", { atMs: beganMs + 100_000 });
  await folder.take(entry);
  assert.match((await folder.receiptOf(entry))[0]?.reason ?? "", /^1,000 drafts are already waiting: decide on some/);
});
