// Tests of footage: a post waits for the footage it promises, and is sent without it only if a person allowed that.

import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { test } from "vitest";
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
  const setFootage = (footage: Parameters<typeof folder.world.footage.set>[1]) => {
    folder.world.footage.set(entry.event.id, footage);
    folder.footage.checkWaiting();
  };
  return { folder, entry, id, setFootage };
}

test("a post shows its clip when it is saved, and its text names the clip's length", async () => {
  const { folder, setFootage } = await withPost();
  await using _ = folder;
  assert.equal((await folder.only()).text, "Boss");
  setFootage(savedClip("c1", 16.8));
  const post = await folder.post(({ footage }) => footage.state === "ready");
  const { state, clip, seconds, part } = post.footage;
  assert.deepEqual([state, clip, seconds, part], ["ready", "c1", 16.8, null]);
  assert.deepEqual([post.text, post.state, post.asks], ["Boss 17 s", "draft", null]);
  assert.ok(folder.world.woken > 0);
});

test("text that a person edited meanwhile is kept", async () => {
  const { folder, id, setFootage } = await withPost({ altText: "{{event}} for {{clipLength}}" });
  await using _ = folder;
  await folder.posts.change(id, { text: "My boss!" });
  setFootage(savedClip("c1"));
  const { text, altText } = await folder.post(({ footage }) => footage.state === "ready");
  assert.deepEqual([text, altText], ["My boss!", "Boss for 17 s"]);
});

test("an approved post whose clip cannot exist becomes a draft again, and its receipt says so", async () => {
  const { folder, entry, id, setFootage } = await withPost();
  await using _ = folder;
  assert.equal((await folder.posts.approve(id)).state, "approved");
  setFootage(none);
  const post = await folder.post(({ state }) => state === "draft");
  assert.deepEqual([post.footage.state, post.footage.says], ["missing", "nobody records"]);
  assert.match(textOf(post.asks ?? ""), /^No clip: nobody records\. Post without it/);
  assert.deepEqual(
    (await folder.receiptOf(entry)).map(({ state }) => state),
    ["drafted", "approved", "drafted"],
  );
  await assert.rejects(folder.posts.approve(id), /No clip/);
  assert.equal((await folder.posts.change(id, { attach: "none" })).asks, null);
  assert.equal((await folder.posts.approve(id)).state, "approved");
});

test("a post that a person allowed without its clip is sent without it", async () => {
  const { folder, entry, id, setFootage } = await withPost({ without: "post", approval: "automatic" });
  await using _ = folder;
  setFootage(none);
  const post = await folder.post(({ footage }) => footage.state === "missing");
  assert.deepEqual([post.id, post.state, post.asks, post.attach], [id, "approved", null, "clip"]);
  assert.equal((await folder.receiptOf(entry)).at(-1)?.reason, "it is posted without its clip: nobody records");
});

test("a post that consists only of footage is not sent without footage", async () => {
  const { folder, setFootage } = await withPost({ without: "post", approval: "automatic", text: "" });
  await using _ = folder;
  assert.equal((await folder.only()).state, "approved");
  setFootage(none);
  const { asks } = await folder.post(({ state }) => state === "draft");
  assert.equal(textOf(asks ?? ""), "The post has no text and no attachment: write a text.");
});

test("an automatic post that becomes too long with the clip's length becomes a draft", async () => {
  const { folder, setFootage } = await withPost({ approval: "automatic", text: `${"x".repeat(297)}{{clipLength}}` });
  await using _ = folder;
  assert.equal((await folder.only()).state, "approved");
  setFootage(savedClip("c1"));
  const { asks } = await folder.post(({ state }) => state === "draft");
  assert.match(textOf(asks ?? ""), /1 character too long/);
});

test("after a restart a post requests its footage again and receives it", async () => {
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

test("a post whose footage cannot be requested waits and requests it again", async () => {
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

test("a post with a screenshot accepts a screenshot as its footage, and a post with a clip does not", async () => {
  const { folder, id, setFootage } = await withPost();
  await using _ = folder;
  setFootage({
    state: "saved",
    id: "p1",
    kind: "screenshot",
    seconds: 0,
    poster: null,
    momentPart: null,
    pictureSeconds: null,
  });
  const post = await folder.post(({ footage }) => footage.state === "missing");
  assert.match(textOf(post.asks ?? ""), /only a screenshot was taken/);
  assert.equal((await folder.posts.change(id, { attach: "screenshot" })).footage.state, "pending");
  const { footage, asks } = await folder.post((one) => one.footage.state === "ready");
  assert.deepEqual([footage.clip, footage.seconds, asks], ["p1", null, null]);
  setFootage(savedClip("c1"));
  await folder.posts.change(id, { attach: "clip" });
  assert.equal((await folder.post((one) => one.footage.clip === "c1")).footage.seconds, 17);
});

test("a clip that was deleted since is noticed before the approval", async () => {
  const { folder, id, setFootage } = await withPost();
  await using _ = folder;
  setFootage(savedClip("c1"));
  await folder.post(({ footage }) => footage.state === "ready");
  setFootage({ state: "none", reason: "its clip lies in the bin" });
  await assert.rejects(folder.posts.approve(id), /its clip lies in the bin/);
  const { state, footage } = await folder.only();
  assert.deepEqual([state, footage.state], ["draft", "missing"]);
});

test("a draft whose clip cannot exist says so in its receipt and stays a draft", async () => {
  const { folder, entry, setFootage } = await withPost();
  await using _ = folder;
  setFootage(none);
  await folder.post(({ asks }) => asks !== null);
  assert.deepEqual(
    (await folder.receiptOf(entry)).map(({ state, reason }) => `${state}: ${reason?.slice(0, 22)}`),
    ["drafted: for clips, mika, with ", "drafted: No clip: nobody record"],
  );
});
