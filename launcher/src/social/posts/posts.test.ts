// Tests of a person's decisions: edit, approve, undo, skip. A post that is being sent accepts none of them.
import assert from "node:assert/strict";
import { KitError, type PostState, textOf } from "@kit/contract";
import { test } from "vitest";
import { accountOf, beganMs, openPostsFolder, triggerOf } from "../../../test/social/posts-folder.ts";
import { sql } from "../../storage/sql.ts";

const isRefused = (path: string, message: RegExp) => (error: unknown) =>
  error instanceof KitError && (error.errors[0]?.path ?? "") === path && message.test(error.message);

async function withDrafts(n = 1) {
  const folder = await openPostsFolder();
  const entries = Array.from({ length: n }, (_, index) => triggerOf(`e${index}`, { game: index % 2 ? "quest" : null }));
  for (const { event } of entries) await folder.addRule({ pattern: event.eventId ?? "", attach: "none" });
  await folder.take(...entries);
  const ids = (await folder.all()).map(({ id }) => id).reverse();
  const setState = (id: string, state: PostState) =>
    folder.storage.write(sql`UPDATE post SET state = ${state} WHERE id = ${id}`);
  return { folder, entries, ids, setState, id: ids[0] ?? "", entry: entries[0] ?? triggerOf("") };
}

test("a draft is edited, approved and undone, and its receipt records that", async () => {
  const { folder, entry, id } = await withDrafts();
  await using _ = folder;
  const edited = await folder.posts.change(id, { text: "Mine", contentWarning: "Loud", visibility: "followers" });
  assert.deepEqual([edited.text, edited.contentWarning, edited.visibility], ["Mine", "Loud", "followers"]);
  const approved = await folder.posts.approve(id);
  assert.deepEqual([approved.state, approved.sendsAt], ["approved", new Date(beganMs + 10_000).toISOString()]);
  assert.equal(approved.expiresAt, null);
  assert.equal((await folder.posts.approve(id)).sendsAt, approved.sendsAt, "a second approval changes nothing");
  await assert.rejects(folder.posts.change(id, { text: "x" }), /It is approved: undo that first/);
  folder.clock.ms += 5_000;
  const back = await folder.posts.undo(id);
  assert.deepEqual([back.state, back.sendsAt, back.text], ["draft", null, "Mine"]);
  assert.equal(back.expiresAt, new Date(folder.clock.ms + 72 * 3_600_000).toISOString());
  assert.deepEqual(
    (await folder.receiptOf(entry)).map(({ state, reason }) => `${state}: ${reason}`),
    [
      "drafted: for clips, mika",
      "approved: by a person; not sent before 2026-05-03T10:20:40.000Z",
      "drafted: the approval was undone",
    ],
  );
});

test("approval refuses a post that a network would not accept, with the network, the excess and the remedy", async () => {
  const { folder, id } = await withDrafts();
  await using _ = folder;
  const long = await folder.posts.change(id, { text: "x".repeat(300), contentWarning: "Loud" });
  assert.match(textOf(long.asks ?? ""), /^For mika the text is 5 characters too long/);
  await assert.rejects(folder.posts.approve(id), isRefused("/text", /mika .* 5 characters too long.*shorten it/));
  await folder.posts.change(id, { text: " " });
  await assert.rejects(folder.posts.approve(id), isRefused("/text", /no text and no attachment/));
  assert.equal((await folder.posts.change(id, { text: "x" })).asks, null);
  folder.world.accounts = [];
  await assert.rejects(folder.posts.approve(id), isRefused("", /None of its accounts/));
  folder.world.accounts = [accountOf("discord", "clips")];
  assert.equal((await folder.posts.approve(id)).state, "approved");
});

test("a skipped post is not sent, and undo makes it a draft again", async () => {
  const { folder, entry, id } = await withDrafts();
  await using _ = folder;
  assert.equal((await folder.posts.skip(id)).state, "skipped");
  await assert.rejects(folder.posts.approve(id), /It was skipped: undo that first/);
  assert.equal((await folder.posts.undo(id)).state, "draft");
  assert.deepEqual(
    (await folder.receiptOf(entry)).slice(1).map(({ state, reason }) => `${state}: ${reason}`),
    ["ignored: a person skipped it", "drafted: it was skipped and is a draft again"],
  );
});

test("a post that is being sent or was sent cannot be edited, approved, undone or skipped", async () => {
  const { folder, entry, id, setState } = await withDrafts();
  await using _ = folder;
  for (const [state, says] of [
    ["sending", /already being sent/],
    ["sent", /already sent/],
    ["unsure", /settle its delivery/],
    ["failed", /settle its delivery/],
  ] as const) {
    await setState(id, state);
    const { posts } = folder;
    for (const decision of [posts.approve, posts.undo, posts.skip, (it: string) => posts.change(it, { text: "" })])
      await assert.rejects(decision(id), isRefused("", says));
  }
  assert.equal((await folder.receiptOf(entry)).length, 1);
});

test("undo of an approval is refused when sending has begun, and the receipt stays correct", async () => {
  const { folder, entry, id, setState } = await withDrafts();
  await using _ = folder;
  await folder.posts.approve(id);
  const undone = folder.posts.undo(id);
  // Sending won: its write is before the one of the undo.
  await setState(id, "sending");
  await assert.rejects(undone, /already being sent/);
  assert.equal((await folder.receiptOf(entry)).at(-1)?.state, "approved");
});

test("posts are listed in pages, by state, by game, and by whether they need a person", async () => {
  const { folder, ids, setState } = await withDrafts(4);
  await using _ = folder;
  await setState(ids[1] ?? "", "sent");
  await setState(ids[2] ?? "", "failed");
  const none = { state: null, needs: false, game: null, before: null };
  const list = async (filter: object, limit = 50) => {
    const { posts, more, drafts } = await folder.posts.list({ ...none, ...filter }, limit);
    return [posts.map(({ id }) => ids.indexOf(id)), more, drafts];
  };
  assert.deepEqual(await list({}), [[3, 2, 1, 0], false, 2]);
  assert.deepEqual(await list({}, 2), [[3, 2], true, 2]);
  assert.deepEqual(await list({ before: ids[2] }, 2), [[1, 0], false, 2]);
  assert.deepEqual(await list({ needs: true }), [[3, 2, 0], false, 2]);
  assert.deepEqual(await list({ state: "sent" }), [[1], false, 2]);
  assert.deepEqual(await list({ game: "quest" }), [[3, 1], false, 2]);
  assert.deepEqual(await list({ game: "unsorted" }), [[2, 0], false, 2]);
  await assert.rejects(list({ before: "nothing" }), /no such post/);
});

test("a post whose rule was removed names no rule", async () => {
  const { folder, id } = await withDrafts();
  await using _ = folder;
  await folder.rules.remove((await folder.only()).rule ?? "");
  assert.equal((await folder.posts.get(id)).rule, null);
});
