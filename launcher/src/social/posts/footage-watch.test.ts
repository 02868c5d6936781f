// A post waits for the footage it promises, and nothing goes without it unless a person said so.

import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "@kit/contract";
import { openPostsFolder, savedClip, triggerOf } from "../../../test/social/posts-folder.ts";
import { until } from "../../../test/support/until.ts";

const none = { state: "none", reason: "nobody records" } as const;
type Rule = Parameters<Awaited<ReturnType<typeof openPostsFolder>>["addRule"]>[0];

async function withPost(rule: Rule = {}) {
  const folder = await openPostsFolder();
  await folder.addRule({ text: "{{event}} {{clipLength}}", ...rule });
  const entry = triggerOf("saga_boss");
  await folder.take(entry);
  const { id } = await folder.only();
  const came = (footage: Parameters<typeof folder.world.footage.set>[1]) => {
    folder.world.footage.set(entry.event.id, footage);
    folder.footage.checkWaiting();
  };
  return { folder, entry, id, came };
}

test("once its clip is saved a post shows it, and its texts tell how long it is", async () => {
  const { folder, came } = await withPost();
  await using _ = folder;
  assert.equal((await folder.only()).text, "boss");
  came(savedClip("c1", 16.8));
  const post = await folder.post(({ footage }) => footage.state === "ready");
  assert.deepEqual(post.footage, { state: "ready", says: null, clip: "c1", seconds: 16.8 });
  assert.deepEqual([post.text, post.state, post.asks], ["boss 17 s", "draft", null]);
  assert.ok(folder.world.woken > 0);
});

test("what a person wrote meanwhile stays as they wrote it", async () => {
  const { folder, id, came } = await withPost({ altText: "{{event}} for {{clipLength}}" });
  await using _ = folder;
  await folder.posts.change(id, { text: "My boss!" });
  came(savedClip("c1"));
  const { text, altText } = await folder.post(({ footage }) => footage.state === "ready");
  assert.deepEqual([text, altText], ["My boss!", "boss for 17 s"]);
});

test("an approved post whose clip cannot exist becomes a draft again, and its receipt says so", async () => {
  const { folder, entry, id, came } = await withPost();
  await using _ = folder;
  assert.equal((await folder.posts.approve(id)).state, "approved");
  came(none);
  const post = await folder.post(({ state }) => state === "draft");
  assert.deepEqual(post.footage, { state: "missing", says: "nobody records", clip: null, seconds: null });
  assert.match(textOf(post.asks ?? ""), /^No clip: nobody records\. Post without it/);
  assert.deepEqual(
    (await folder.receiptOf(entry)).map(({ state }) => state),
    ["drafted", "approved", "drafted"],
  );
  await assert.rejects(folder.posts.approve(id), /No clip/);
  assert.equal((await folder.posts.change(id, { attach: "none" })).asks, null);
  assert.equal((await folder.posts.approve(id)).state, "approved");
});

test("where a person said that it goes without, it does", async () => {
  const { folder, entry, id, came } = await withPost({ without: "post", approval: "automatic" });
  await using _ = folder;
  came(none);
  const post = await folder.post(({ footage }) => footage.state === "missing");
  assert.deepEqual([post.id, post.state, post.asks, post.attach], [id, "approved", null, "clip"]);
  assert.equal((await folder.receiptOf(entry)).at(-1)?.reason, "it is posted without its clip: nobody records");
});

test("a post of footage alone is not sent when there is none", async () => {
  const { folder, came } = await withPost({ without: "post", approval: "automatic", text: "" });
  await using _ = folder;
  assert.equal((await folder.only()).state, "approved");
  came(none);
  const { asks } = await folder.post(({ state }) => state === "draft");
  assert.equal(textOf(asks ?? ""), "The post has no text and no attachment: write a text.");
});

test("an automatic post whose text no longer fits with the clip's length asks a person", async () => {
  const { folder, came } = await withPost({ approval: "automatic", text: `${"x".repeat(297)}{{clipLength}}` });
  await using _ = folder;
  assert.equal((await folder.only()).state, "approved");
  came(savedClip("c1"));
  const { asks } = await folder.post(({ state }) => state === "draft");
  assert.match(textOf(asks ?? ""), /1 character too long/);
});

test("a launcher that was ended meanwhile goes on: it asks again, and takes what came", async () => {
  const { folder, entry } = await withPost();
  await using _ = folder;
  await folder.restart();
  folder.world.footage.set(entry.event.id, savedClip("c1"));
  folder.footage.checkWaiting();
  await folder.post(({ footage }) => footage.state === "ready");
  assert.deepEqual(
    folder.world.wanted.map(({ event }) => event),
    [entry.event.id, entry.event.id],
  );
});

test("while footage cannot even be asked for, a post waits, and is asked for again", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule();
  folder.world.asking = () => Promise.reject(new Error("The database cannot be read."));
  const entry = triggerOf("saga_boss");
  folder.world.footage.set(entry.event.id, none);
  await folder.take(entry);
  await until("a failure", () => folder.world.failures.length > 0);
  assert.equal((await folder.only()).footage.state, "pending");
  folder.world.asking = () => Promise.resolve();
  await until("what became of it", async () => {
    folder.footage.checkWaiting();
    return (await folder.only()).footage.state === "missing";
  });
});

test("a picture is a clip's picture where a clip was made; a clip is never only a picture", async () => {
  const { folder, id, came } = await withPost();
  await using _ = folder;
  came({ state: "saved", id: "p1", kind: "screenshot", seconds: 0, poster: null });
  const post = await folder.post(({ footage }) => footage.state === "missing");
  assert.match(textOf(post.asks ?? ""), /only a screenshot was taken/);
  assert.equal((await folder.posts.change(id, { attach: "screenshot" })).footage.state, "pending");
  const { footage, asks } = await folder.post((one) => one.footage.state === "ready");
  assert.deepEqual([footage.clip, footage.seconds, asks], ["p1", null, null]);
  came(savedClip("c1"));
  await folder.posts.change(id, { attach: "clip" });
  assert.equal((await folder.post((one) => one.footage.clip === "c1")).footage.seconds, 17);
});

test("what was deleted since is noticed before a post is approved", async () => {
  const { folder, id, came } = await withPost();
  await using _ = folder;
  came(savedClip("c1"));
  await folder.post(({ footage }) => footage.state === "ready");
  came({ state: "none", reason: "its clip lies in the bin" });
  await assert.rejects(folder.posts.approve(id), /its clip lies in the bin/);
  const { state, footage } = await folder.only();
  assert.deepEqual([state, footage.state], ["draft", "missing"]);
});

test("a draft whose clip cannot exist says so in its receipt, and stays a draft", async () => {
  const { folder, entry, came } = await withPost();
  await using _ = folder;
  came(none);
  await folder.post(({ asks }) => asks !== null);
  assert.deepEqual(
    (await folder.receiptOf(entry)).map(({ state, reason }) => `${state}: ${reason?.slice(0, 22)}`),
    ["drafted: for clips, mika, with ", "drafted: No clip: nobody record"],
  );
});
