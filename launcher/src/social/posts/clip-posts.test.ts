// Tests of posts that a person makes of a clip: what is proposed, what is refused, and that they are decided on like any post.
import assert from "node:assert/strict";
import { type Clip, type ClipMoment, demoGame, KitError, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import { sampleClip } from "../../../test/recording/sample-clip.ts";
import { accountOf, beganMs, openPostsFolder, savedClip, triggerOf } from "../../../test/social/posts-folder.ts";
import { sql } from "../../storage/sql.ts";
import { clipsOfWaitingPosts } from "./posts-for-others-store.ts";

const startedAt = new Date(beganMs - 12_000).toISOString();
const momentOf = (eventId: string | null, kind: ClipMoment["kind"] = "recording"): ClipMoment => ({
  id: `event-${eventId}`,
  kind,
  eventId,
  label: "boss defeated",
  at: new Date(beganMs).toISOString(),
  offset: 12,
});

const clipOf = (members: Partial<Clip> = {}): Clip =>
  sampleClip({ startedAt, events: [momentOf("saga_boss_defeated")], ...members });

async function openWithClip(clip = clipOf()) {
  const folder = await openPostsFolder();
  folder.world.clips.set(clip.id, clip);
  if (clip.state === "saved") folder.world.footage.set(clip.id, savedClip(clip.id));
  return folder;
}

const isRefused = (path: string, sentence: RegExp) => (error: unknown) =>
  error instanceof KitError && error.errors[0]?.path === path && sentence.test(error.message);

test("a post of a clip is a draft with the clip's title, its accounts and its file, and no event has a receipt of it", async () => {
  await using folder = await openWithClip();
  const id = await folder.clipPosts.create({ clip: "clip-1", accounts: ["bluesky-mika"] });
  const post = await folder.posts.get(id);
  assert.deepEqual(
    [post.state, post.text, post.altText, post.title, post.fromClip, post.event, post.rule],
    ["draft", "Boss defeated in Saga", "A clip of Saga: Boss defeated", "Boss defeated", "clip-1", null, null],
  );
  const { state, clip, seconds, part } = post.footage;
  assert.deepEqual([state, clip, seconds, part], ["ready", "clip-1", 17, null]);
  assert.deepEqual(
    post.deliveries.map(({ name }) => name),
    ["mika"],
  );
  assert.deepEqual([post.eventId, post.happenedAt], ["saga_boss_defeated", new Date(beganMs).toISOString()]);
  const approved = await folder.posts.approve(id);
  assert.deepEqual([approved.state, approved.sendsAt], ["approved", new Date(beganMs + 10_000).toISOString()]);
  assert.equal((await folder.posts.undo(id)).state, "draft");
  assert.equal((await folder.posts.skip(id)).state, "skipped");
  const [row] = await folder.storage.read(sql`SELECT count(*) AS receipts FROM receipt`);
  assert.equal(row?.receipts, 0);
});

test("the proposal has text, accounts and warning of the rule that matches an event of the clip", async () => {
  await using folder = await openWithClip();
  const rule = { text: "Down: {{event}} {{clipLength}}", contentWarning: "Spoilers", accounts: ["bluesky-mika"] };
  await folder.addRule({ pattern: "saga_boss*", visibility: "unlisted", ...rule });
  assert.deepEqual(await folder.clipPosts.propose("clip-1"), {
    title: "Boss defeated",
    text: "Down: Boss defeated 17 s",
    altText: "A clip of Saga: Boss defeated",
    contentWarning: "Spoilers",
    attach: "clip",
    visibility: "unlisted",
    accounts: ["bluesky-mika"],
  });
  assert.deepEqual(await folder.all(), []);
});

test("without a rule the accounts of the newest post are proposed, or the only one, or none", async () => {
  await using folder = await openWithClip();
  assert.deepEqual((await folder.clipPosts.propose("clip-1")).accounts, []);
  await folder.clipPosts.create({ clip: "clip-1", accounts: ["discord-clips"] });
  assert.deepEqual((await folder.clipPosts.propose("clip-1")).accounts, ["discord-clips"]);
  folder.world.accounts = [accountOf("mastodon", "me")];
  assert.deepEqual((await folder.clipPosts.propose("clip-1")).accounts, ["mastodon-me"]);
});

test("the demo's account takes clips of the demo only, and is proposed for no other", async () => {
  await using folder = await openWithClip();
  const accounts = ["webhook-demo"];
  folder.world.accounts = [accountOf("webhook", "demo", { demo: true })];
  assert.deepEqual((await folder.clipPosts.propose("clip-1")).accounts, []);
  await assert.rejects(folder.clipPosts.create({ clip: "clip-1", accounts }), isRefused("/accounts", /only.*the demo/));
  folder.world.clips.set("clip-2", clipOf({ id: "clip-2", game: demoGame }));
  folder.world.footage.set("clip-2", savedClip("clip-2"));
  assert.deepEqual((await folder.clipPosts.propose("clip-2")).accounts, accounts);
  await folder.clipPosts.create({ clip: "clip-2" });
  assert.deepEqual(
    (await folder.only()).deliveries.map(({ demo }) => demo),
    [true],
  );
  folder.world.accounts = [...folder.world.accounts, accountOf("mastodon", "me")];
  assert.deepEqual((await folder.clipPosts.propose("clip-1")).accounts, ["mastodon-me"]);
});

test("an error report in the clip chooses neither its rule nor its event", async () => {
  const events = [momentOf(null, "monitor"), momentOf("saga_end"), momentOf("saga_won", "social")];
  await using folder = await openWithClip(clipOf({ events, title: "Won" }));
  await folder.addRule({ pattern: "saga_won", text: "We won" });
  const id = await folder.clipPosts.create({ clip: "clip-1" });
  const { text, eventId } = await folder.posts.get(id);
  assert.deepEqual([text, eventId], ["We won", "saga_won"]);
});

test("the proposal for a clip without a game names no game", async () => {
  await using folder = await openWithClip(clipOf({ game: null, events: [] }));
  const { text, altText } = await folder.clipPosts.propose("clip-1");
  assert.deepEqual([text, altText], ["Boss defeated", "A clip: Boss defeated"]);
});

test("a title that could become a link or a mention is plain words in the proposal", async () => {
  await using folder = await openWithClip(clipOf({ title: "@everyone https://a.example" }));
  assert.equal((await folder.clipPosts.propose("clip-1")).text, "everyone https a example in Saga");
});

test("a clip that is still being made is posted once it is saved, and its length is filled in", async () => {
  await using folder = await openWithClip(clipOf({ state: "pending", duration: 0 }));
  await folder.addRule({ text: "{{event}}, {{clipLength}}" });
  const id = await folder.clipPosts.create({ clip: "clip-1", approve: true });
  const waiting = await folder.posts.get(id);
  assert.deepEqual([waiting.state, waiting.footage.state, waiting.text], ["approved", "pending", "Boss defeated,"]);
  folder.world.footage.set("clip-1", savedClip("clip-1", 5));
  folder.footage.checkWaiting();
  const { text, footage } = await folder.post((post) => post.footage.state === "ready");
  assert.deepEqual([text, footage.clip], ["Boss defeated, 5 s", "clip-1"]);
  assert.deepEqual(folder.world.wanted, []);
});

test("a trim that fails makes its approved post a draft again, which asks", async () => {
  await using folder = await openWithClip(clipOf({ state: "pending", duration: 0 }));
  await folder.clipPosts.create({ clip: "clip-1", accounts: ["discord-clips"], approve: true });
  folder.world.footage.set("clip-1", { state: "none", reason: "ffmpeg failed" });
  folder.footage.checkWaiting();
  const { asks } = await folder.post(({ state }) => state === "draft");
  assert.equal(textOf(asks ?? ""), "No clip: ffmpeg failed. Post without it, or skip.");
});

test("each invalid member is refused with its path and what to do, and nothing is created", async () => {
  await using folder = await openWithClip();
  const { create, propose } = folder.clipPosts;
  const accounts = ["discord-clips"];
  await assert.rejects(create({ clip: "nothing", accounts }), isRefused("/clip", /no such clip.*Clips page/));
  await assert.rejects(propose("nothing"), isRefused("/clip", /no such clip/));
  folder.world.clips.set("m", clipOf({ id: "m", kind: "marker", state: "marked" }));
  folder.world.footage.set("m", { state: "none", reason: "no recorder ran" });
  await assert.rejects(create({ clip: "m", accounts }), isRefused("/clip", /nothing to post: no recorder ran\.$/));
  await assert.rejects(create({ clip: "clip-1" }), isRefused("/accounts", /Choose at least one account/));
  await assert.rejects(create({ clip: "clip-1", accounts: ["x"] }), isRefused("/accounts", /no account x\b/));
  folder.world.accounts = [accountOf("discord", "clips", { enabled: false }), accountOf("bluesky", "mika")];
  await assert.rejects(create({ clip: "clip-1", accounts }), isRefused("/accounts", /clips is switched off/));
  const long = { clip: "clip-1", accounts: ["bluesky-mika"], text: "x".repeat(301) };
  await assert.rejects(create({ ...long, approve: true }), isRefused("/text", /mika .* 1 character too long/));
  assert.deepEqual(await folder.all(), []);
  const { asks } = await folder.posts.get(await create(long));
  assert.match(textOf(asks ?? ""), /1 character too long/);
});

test("posts of clips are outside the limits and cooldowns of rules, but inside the limit of drafts", async () => {
  await using folder = await openWithClip();
  await folder.settings.change({ hourlyMax: 1 });
  await folder.addRule();
  for (let index = 0; index < 3; index += 1) await folder.clipPosts.create({ clip: "clip-1" });
  const entry = triggerOf("saga_boss_defeated");
  await folder.take(entry);
  assert.equal((await folder.receiptOf(entry))[0]?.state, "drafted");
  await folder.storage.write(sql`
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 996)
    INSERT INTO post (id, event, event_seq, event_id, state, text, alt_text, content_warning, attach, without, visibility,
      footage, happened_ms, created_ms)
    SELECT 'p' || n, 'e' || n, n, 'x', 'draft', '', '', '', 'none', 'ask', 'public', 'none', 0, 0 FROM n`);
  await assert.rejects(folder.clipPosts.create({ clip: "clip-1" }), /1,000 drafts are already waiting/);
});

test("a draft says to which of its accounts the same moment was posted already, until that post is undone", async () => {
  const entry = triggerOf("saga_boss_defeated");
  const moment = { ...momentOf("saga_boss_defeated", "social"), id: entry.event.id };
  await using folder = await openWithClip(clipOf({ events: [moment] }));
  await folder.addRule();
  await folder.take(entry);
  const draft = await folder.only();
  const already = async (id: string) => (await folder.posts.get(id)).deliveries.map((one) => one.already);
  const clip = { clip: "clip-1", accounts: ["discord-clips"] };
  const waiting = await folder.clipPosts.create(clip);
  assert.deepEqual([await already(draft.id), await already(waiting)], [[false, false], [false]]);
  const posted = await folder.clipPosts.create({ ...clip, approve: true });
  assert.deepEqual(
    [await already(draft.id), await already(waiting), await already(posted)],
    [[true, false], [true], [false]],
  );
  await folder.posts.undo(posted);
  assert.deepEqual([await already(draft.id), await already(waiting)], [[false, false], [false]]);
});

test("a clip is needed by each of its posts that can still be sent", async () => {
  await using folder = await openWithClip();
  const needed = async () => [...(await clipsOfWaitingPosts(folder.storage))];
  assert.deepEqual(await needed(), []);
  const id = await folder.clipPosts.create({ clip: "clip-1", accounts: ["discord-clips"] });
  assert.deepEqual(await needed(), ["clip-1"]);
  await folder.posts.approve(id);
  assert.deepEqual(await needed(), ["clip-1"]);
  for (const [state, isNeeded] of [
    ["held", true],
    ["failed", true],
    ["unsure", true],
    ["sent", false],
  ] as const) {
    await folder.storage.write(sql`UPDATE post SET state = ${state}`);
    assert.deepEqual(await needed(), isNeeded ? ["clip-1"] : [], state);
  }
  await folder.storage.write(sql`UPDATE post SET state = 'approved'`);
  await folder.posts.undo(id);
  await folder.posts.skip(id);
  assert.deepEqual(await needed(), []);
});

test("a title that Kit made up is in the language of whoever posts the clip, and a person's own title stays", async () => {
  const titleMessage = message("clip.saved_by_you", { time: "21:04" });
  await using folder = await openWithClip(clipOf({ title: textOf(titleMessage), titleMessage, events: [] }));
  assert.equal((await folder.clipPosts.propose("clip-1")).title, "Saved by you, 21:04");
  const { title, text } = await folder.clipPosts.propose("clip-1", "ja");
  assert.match(title, /[ぁ-ん].*21:04|21:04.*[ぁ-ん]/u);
  assert.ok(text.startsWith(title), text);
  const id = await folder.clipPosts.create({ clip: "clip-1", accounts: ["bluesky-mika"], language: "ja" });
  const post = await folder.posts.get(id);
  assert.deepEqual([post.title, post.text], [title, text]);
  folder.world.clips.set("clip-1", clipOf({ title: "My run", events: [] }));
  assert.equal((await folder.clipPosts.propose("clip-1", "ja")).title, "My run");
});
