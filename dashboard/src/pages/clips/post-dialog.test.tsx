// Tests of posting clips from where they are watched or selected: what is proposed, what is requested, and undo.
import assert from "node:assert/strict";
import {
  type Clip,
  createPost,
  getClip,
  KitError,
  listClipExports,
  listClips,
  listClipTags,
  type PostProposal,
  proposePost,
} from "@kit/contract";
import { screen, within } from "@testing-library/react";
import { test } from "vitest";
import { clipOf } from "../../../test/clip-samples.ts";
import { createFakeLauncher } from "../../../test/component/fake-launcher.ts";
import { type FakePosts, givePosts } from "../../../test/component/fake-posts.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { toastThatSays } from "../../../test/component/post-cards.ts";
import { accountOf, postOf } from "../../../test/post-samples.ts";

const proposalOf = ({ title }: Clip): PostProposal => ({
  ...{ title, text: `${title} in my game`, altText: "Footage of my game", contentWarning: "", visibility: "public" },
  ...{ attach: "clip", accounts: ["account-discord"] },
});

async function openClips(fragment: string, clips: readonly Clip[], given: Partial<FakePosts> = {}) {
  const launcher = createFakeLauncher();
  const { when } = launcher;
  const find = (id: string) => clips.find((clip) => clip.id === id) ?? assert.fail(id);
  when(listClips).reply(() => ({ clips: [...clips], more: false, bytes: 0, quotaBytes: 1e10 }));
  when(listClipTags).reply(() => ({ tags: [] }));
  when(listClipExports).reply(() => ({ exports: [] }));
  when(getClip).reply(({ params }) => find(params.id));
  const has = givePosts(launcher, given);
  when(proposePost).reply(({ params }) => proposalOf(find(params.clip)));
  when(createPost).reply(({ body }) => {
    const post = postOf(10 + has.posts.length, { state: body.approve ? "approved" : "draft", title: "Boss hall" });
    has.posts = [...has.posts, post];
    return post;
  });
  const changes = () => launcher.changes.filter((change) => !change.startsWith("POST /api/post-rules/preview"));
  return { has, changes, ...(await openApp(fragment, launcher)) };
}

const [boss, fox] = [clipOf(1, { title: "Boss hall" }), clipOf(2, { title: "Fox cave" })];

test("two clicks on a clip's page post it with the proposed words, and Undo makes it a draft again", async () => {
  const { has, changes, user } = await openClips(`#/clips/${boss.id}`, [boss, fox]);
  await user.click(await screen.findByRole("button", { name: "Post…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Post this clip" }));
  const post = await dialog.findByRole("button", { name: "Post" });
  assert.ok(document.activeElement === post);
  await user.click(post);
  const toast = await toastThatSays(/^Approved: Boss hall\. It will be sent in 10 s/u);
  await user.click(within(toast).getByRole("button", { name: "Undo" }));
  await toastThatSays("Back to draft: Boss hall.");
  const { title: _, attach: _attach, accounts, ...words } = proposalOf(boss);
  const body = { clip: boss.id, accounts, approve: true, language: "en", ...words };
  const [created = "", ...others] = changes();
  assert.deepEqual(JSON.parse(created.replace("POST /api/posts ", "")), body);
  assert.deepEqual(others, [`POST /api/posts/${has.posts[0]?.id}/undo`]);
});

test("whoever connects the first account from a clip finds the way back to that clip", async () => {
  const { user } = await openClips(`#/clips/${boss.id}`, [boss], { accounts: [] });
  await user.click(await screen.findByRole("button", { name: "Post…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Post this clip" }));
  await user.click(await dialog.findByRole("link", { name: "Connect an account" }));
  await screen.findByRole("heading", { level: 1, name: "Accounts" });
  await user.click(await screen.findByRole("link", { name: "Back to the clip" }));
  await screen.findByRole("button", { name: "Post…" });
  assert.equal(location.hash, `#/clips/${boss.id}`);
});

test("each selected clip gets a post of its own, with the words of its own proposal", async () => {
  const { changes, user } = await openClips("#/clips", [boss, fox], {
    settings: { undoSeconds: 0, expireHours: 72, hourlyMax: 20 },
  });
  for (const title of ["Boss hall", "Fox cave"])
    await user.click(await screen.findByRole("checkbox", { name: `Select: ${title}` }));
  const bar = within(await screen.findByRole("region", { name: "Actions for the selection" }));
  await user.click(bar.getByRole("button", { name: "Post…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Post 2 clips" }));
  await user.click(await dialog.findByRole("button", { name: "Send 2 posts" }));
  const toast = await toastThatSays("2 posts approved.");
  assert.ok(within(toast).queryByRole("button", { name: "Undo" }) === null);
  const common = { accounts: ["account-discord"], approve: true, language: "en" };
  assert.deepEqual(
    changes(),
    [boss, fox].map(({ id }) => `POST /api/posts ${JSON.stringify({ clip: id, ...common })}`),
  );
});

test("a clip is saved as a draft for the chosen accounts, and the Posts page opens", async () => {
  const { changes, user } = await openClips(`#/clips/${boss.id}`, [boss]);
  await user.click(await screen.findByRole("button", { name: "Post…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Post this clip" }));
  await user.click(await dialog.findByRole("checkbox", { name: /^Bluesky/u }));
  await user.click(dialog.getByRole("checkbox", { name: /^Discord/u }));
  const text = dialog.getByLabelText("Text");
  await user.clear(text);
  await user.type(text, "The good part");
  await dialog.findByText("13 / 300");
  await user.click(dialog.getByRole("button", { name: "Save as draft" }));
  await screen.findByRole("heading", { level: 1, name: "Posts" });
  const [created = ""] = changes();
  const { accounts, approve, text: sent } = JSON.parse(created.replace("POST /api/posts ", ""));
  assert.deepEqual([accounts, approve, sent], [["account-bluesky"], false, "The good part"]);
});

test("a clip of a game is never offered to the demo's account", async () => {
  const demo = accountOf("webhook", { name: "Kit's demo", demo: true });
  const { has, user } = await openClips(`#/clips/${boss.id}`, [boss], { accounts: [demo] });
  await user.click(await screen.findByRole("button", { name: "Post…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Post this clip" }));
  await dialog.findByText("No account is connected yet.");
  await user.click(dialog.getByRole("button", { name: "Close" }));
  has.accounts = [demo, accountOf("discord")];
  await user.click(await screen.findByRole("button", { name: "Post…" }));
  const again = within(await screen.findByRole("dialog", { name: "Post this clip" }));
  await again.findByRole("checkbox", { name: /^Discord/u });
  assert.ok(again.queryByRole("checkbox", { name: /demo/u }) === null);
});

test("what was posted before a refusal is not posted again", async () => {
  const clips = [boss, fox];
  const { launcher, changes, user } = await openClips("#/clips", clips);
  for (const { title } of clips) await user.click(await screen.findByRole("checkbox", { name: `Select: ${title}` }));
  const bar = within(await screen.findByRole("region", { name: "Actions for the selection" }));
  await user.click(bar.getByRole("button", { name: "Post…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Post 2 clips" }));
  const made: string[] = [];
  let refuses = true;
  launcher.when(createPost).reply(({ body }) => {
    if (body.clip === fox.id && refuses) throw new KitError("payload_invalid", "There are 1,000 drafts already.");
    made.push(body.clip);
    return postOf(20 + made.length, { state: "approved" });
  });
  await user.click(await dialog.findByRole("button", { name: "Send 2 posts" }));
  await dialog.findByText("There are 1,000 drafts already.");
  dialog.getByText("1 post is made already, and is not made again.");
  assert.ok(dialog.getByRole<HTMLInputElement>("checkbox", { name: /^Discord/u }).matches(":disabled"));
  assert.ok(dialog.getByRole("button", { name: "Save 2 drafts" }).matches(":disabled"));
  refuses = false;
  await user.click(dialog.getByRole("button", { name: "Send 2 posts" }));
  await toastThatSays(/^2 posts approved/u);
  assert.deepEqual(made, [boss.id, fox.id]);
  assert.equal(changes().length, 3);
});
