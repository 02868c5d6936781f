// Tests of drafting: a social trigger becomes one post however often it is handed over, or its receipt says why it did not.

import assert from "node:assert/strict";
import { demoGame, textOf } from "@kit/contract";
import { test } from "vitest";
import { accountOf, beganMs, openPostsFolder, savedClip, triggerOf } from "../../../test/social/posts-folder.ts";
import { sql } from "../../storage/sql.ts";

test("a trigger becomes a draft for each account of its rule and requests its footage, and its receipt says so", async () => {
  await using folder = await openPostsFolder();
  const { id: rule } = await folder.addRule({ visibility: "unlisted", contentWarning: "Spoilers" });
  const entry = triggerOf("saga_boss_defeated");
  await folder.take(entry);
  const post = await folder.only();
  const { event, eventId, game, state, text, altText, contentWarning, attach, visibility, asks } = post;
  assert.deepEqual([event, eventId, game, state], [entry.event.id, "saga_boss_defeated", "saga", "draft"]);
  assert.deepEqual([text, altText, asks], ["Boss defeated in Saga", "A clip of Saga: Boss defeated", null]);
  assert.deepEqual([contentWarning, attach, visibility, post.rule], ["Spoilers", "clip", "unlisted", rule]);
  assert.deepEqual([post.footage.state, post.footage.clip], ["pending", null]);
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

test("an event of a game is never posted to the demo's account, and a rule for such events cannot name it", async () => {
  await using folder = await openPostsFolder();
  folder.world.accounts.push(accountOf("webhook", "demo", { demo: true }));
  await assert.rejects(folder.addRule({ pattern: "*" }), /names demo, which takes only posts of the demo/);
  await folder.addRule({ pattern: `${demoGame}_*` });
  await folder.take(triggerOf(`${demoGame}_won`, { game: "saga" }));
  assert.deepEqual(
    (await folder.only()).deliveries.map(({ name }) => name),
    ["clips", "mika"],
  );
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

const at = (eventId: string, seconds: number) => triggerOf(eventId, { atMs: beganMs + seconds * 1_000 });

test("a cooldown concerns one event id: another event of the same rule makes its post at once", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule({ pattern: "*" });
  const entries = [at("skyhook_cup_won", 0), at("lanternwood_boss_defeated", 28)];
  await folder.take(...entries);
  assert.deepEqual(
    (await folder.all()).map(({ event, state }) => [event, state]),
    entries.toReversed().map(({ event }) => [event.id, "draft"]),
  );
});

test("within the cooldown the post of the same event id is held back, measured by the times of the events", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule({ pattern: "saga_boss*" });
  await folder.addRule({ pattern: "saga_end" });
  const first = at("saga_boss", 0);
  const soon = at("saga_boss", 59);
  const other = at("saga_end", 1);
  const before = at("saga_boss", -30);
  const later = at("saga_boss", 60);
  // All events arrive together.
  await folder.take(first, soon, other, before, later);
  const made = await folder.all();
  assert.deepEqual(
    made.filter(({ state }) => state === "draft").map(({ event }) => event),
    [later, other, first].map(({ event }) => event.id),
  );
  const held = made.filter(({ state }) => state === "held");
  assert.deepEqual(
    held.map(({ event }) => event),
    [before, soon].map(({ event }) => event.id),
  );
  assert.equal(textOf(held[0]?.held ?? ""), "its rule makes at most one post of this event in 60 s");
  assert.deepEqual(await folder.receiptOf(soon), [
    {
      state: "ignored",
      reason: "held back, to be posted anyway on the Posts page: its rule makes at most one post of this event in 60 s",
    },
  ]);
  const [rule] = (await folder.rules.list()).filter(({ pattern }) => pattern === "saga_boss*");
  assert.deepEqual([rule?.posts, rule?.held, rule?.lastPostAt], [2, 2, later.event.actsOn]);
  await folder.restart();
  const next = at("saga_boss", 119);
  await folder.take(next);
  assert.equal((await folder.receiptOf(next))[0]?.state, "ignored");
});

test("a post that is held back gets its footage, text and accounts, and is posted when a person approves it", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule({ text: "{{event}} after {{clipLength}}", approval: "automatic" });
  const first = at("saga_boss", 0);
  const soon = at("saga_boss", 20);
  folder.world.footage.set(soon.event.id, savedClip("clip-2"));
  await folder.take(first, soon);
  assert.deepEqual(
    folder.world.wanted.map(({ event }) => event),
    [first.event.id, soon.event.id],
  );
  const held = await folder.post(({ state, footage }) => state === "held" && footage.state === "ready");
  assert.deepEqual([held.text, held.deliveries.length], ["Boss after 17 s", 2]);
  const approved = await folder.posts.approve(held.id);
  assert.deepEqual([approved.state, approved.sendsAt], ["approved", new Date(beganMs + 10_000).toISOString()]);
  assert.deepEqual(
    (await folder.receiptOf(soon)).map(({ state }) => state),
    ["ignored", "approved"],
  );
  // It makes no other event wait: a person asked for it.
  const later = at("saga_boss", 65);
  await folder.take(later);
  assert.equal((await folder.receiptOf(later))[0]?.state, "drafted");
});

test("a post that is held back is edited and skipped like a draft, is counted, and expires", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule({ attach: "none" });
  await folder.take(at("saga_boss", 0), at("saga_boss", 1), at("saga_boss", 2));
  const filter = { needs: false, game: null, before: null } as const;
  const list = () => folder.posts.list({ ...filter, state: "held" }, 10);
  const { posts, held, drafts } = await list();
  const [newest, oldest] = posts;
  assert.deepEqual([posts.length, held, drafts], [2, 2, 1]);
  assert.equal((await folder.posts.change(newest?.id ?? "", { text: "Mine" })).text, "Mine");
  assert.equal((await folder.posts.skip(newest?.id ?? "")).state, "skipped");
  await assert.rejects(folder.posts.undo(oldest?.id ?? ""), /It is held back/);
  assert.equal((await list()).held, 1);
  folder.clock.ms += 72 * 3_600_000;
  await folder.upkeep.run();
  assert.deepEqual([(await folder.posts.get(oldest?.id ?? "")).state, (await list()).held], ["expired", 0]);
});

test("of one rule ten posts are held back in an hour, and further events are only counted", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule({ attach: "none", cooldownSeconds: 3_600 });
  const entries = Array.from({ length: 14 }, (_, index) => at("saga_boss", index));
  await folder.take(...entries);
  const states = (await folder.all()).map(({ state }) => state);
  assert.deepEqual([states.length, states.filter((state) => state === "held").length], [11, 10]);
  assert.equal((await folder.rules.list())[0]?.held, 13);
  const [last] = entries.slice(-1);
  assert.ok(last);
  assert.deepEqual(await folder.receiptOf(last), [
    { state: "ignored", reason: "its rule makes at most one post of this event in 3600 s" },
  ]);
  folder.clock.ms += 3_600_001;
  await folder.take(at("saga_boss", 100));
  assert.equal((await folder.all()).length, 12);
});

test("a clock that was set back does not extend the cooldown", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule();
  await folder.take(triggerOf("saga_a", { atMs: beganMs + 365 * 86_400_000 }));
  await folder.take(triggerOf("saga_a"));
  const soon = triggerOf("saga_a", { atMs: beganMs + 1_000 });
  await folder.take(soon);
  assert.deepEqual(
    (await folder.all()).map(({ state }) => state),
    ["held", "draft", "draft"],
  );
  assert.equal((await folder.receiptOf(soon))[0]?.state, "ignored");
});

test("the hourly limit counts the posts of all rules together", async () => {
  await using folder = await openPostsFolder();
  await folder.settings.change({ hourlyMax: 2 });
  for (const id of ["a", "b", "c"]) await folder.addRule({ pattern: id });
  const entries = ["a", "b", "c"].map((id) => triggerOf(id));
  await folder.take(...entries);
  const [, , third] = await Promise.all(entries.map(folder.receiptOf));
  assert.match(third?.[0]?.reason ?? "", /the limit of 2 posts per hour is reached/);
  folder.clock.ms += 3_600_001;
  await folder.take(triggerOf("c", { atMs: folder.clock.ms }));
  assert.deepEqual(
    (await folder.all()).map(({ eventId, state }) => [eventId, state]),
    [
      ["c", "draft"],
      ["c", "held"],
      ["b", "draft"],
      ["a", "draft"],
    ],
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
  // Two for each of the ten posts that are held back, whatever the size of the flood.
  assert.ok(statements.length < 30, `${statements.length}`);
  await folder.storage.write(...statements);
  committed();
  assert.equal((await folder.all()).length, 11);
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
  assert.match((await folder.receiptOf(entry))[0]?.reason ?? "", /1,000 drafts are already waiting: decide on some/);
});
