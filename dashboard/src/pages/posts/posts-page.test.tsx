// Tests of what the Posts page shows: deliveries in progress, the editor, filters, and the way to a first post.
import assert from "node:assert/strict";
import { changePost, getReceipt, listEvents, listPosts, postSettingDefaults } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { createFakeLauncher } from "../../../test/component/fake-launcher.ts";
import { type FakePosts, givePosts } from "../../../test/component/fake-posts.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { cardWith, focusedText, postsIn, toastThatSays } from "../../../test/component/post-cards.ts";
import { nthEvent } from "../../../test/feed-samples.ts";
import { deliveredOf, deliveryOf, everyPost, noFootage, postIdOf, postOf } from "../../../test/post-samples.ts";

async function openPosts(fragment: string, given: Partial<FakePosts>) {
  const launcher = createFakeLauncher();
  const has = givePosts(launcher, given);
  return { has, ...(await openApp(fragment, launcher)) };
}

const untilFocused = (text: string) => waitFor(() => assert.equal(focusedText(), text));

test("the state of a delivery is shown in place: waiting, sending, then sent with a link", async () => {
  const { has, launcher, user } = await openPosts("#/posts", {
    posts: [postOf(1, { footage: noFootage, text: "Down!" }), postOf(2)],
    settings: { ...postSettingDefaults, undoSeconds: 600 },
  });
  const update = async (members: Parameters<typeof postOf>[1]) => {
    has.posts = [postOf(1, { text: "Down!", ...members }), ...has.posts.slice(1)];
    launcher.tell("posts");
  };
  const draft = within(await cardWith("Down!"));
  draft.getByText("The clip is still being made");
  await user.click(draft.getByRole("button", { name: /^Approve/u }));
  await screen.findByText(/^Will be sent at/u);
  const card = within(await cardWith("Down!"));
  await update({ state: "approved", footage: noFootage, sendsAt: new Date(Date.now() - 1_000).toISOString() });
  await card.findByText("Approved. Waiting for the footage.");
  await update({
    state: "sending",
    deliveries: [deliveryOf("bluesky", { state: "preparing", progress: 0.4 }), deliveredOf("mastodon")],
  });
  await card.findByRole("link", { name: "Open the clip, 17 seconds long" });
  const bar = card.getByRole("progressbar", { name: "Converting the footage for mika.bsky.social" });
  assert.equal(bar.getAttribute("value"), "0.4");
  await update({ state: "sent", deliveries: [deliveredOf("bluesky", { notes: ["Made smaller"] })] });
  await card.findByText("Made smaller");
  const link = card.getByRole("link", { name: "Open in Bluesky" });
  assert.equal(link.getAttribute("href"), "https://bsky.social/posts/1");
  await assertAccessible();
});

test("a post that only the demo received is not called sent", async () => {
  const demo = { name: "Kit's demo", link: null, demo: true };
  const posts = [postOf(1, { state: "sent", text: "High score", deliveries: [deliveredOf("webhook", demo)] })];
  await openPosts("#/posts?state=sent", { posts });
  const card = within(await cardWith("High score"));
  assert.equal(card.getAllByText("In the demo only").length, 2);
  assert.ok(card.queryByText("Sent") === null);
});

test("a draft is edited in place, each network counts its length, and only changed fields are sent", async () => {
  const { launcher, user } = await openPosts("#/posts", {
    posts: [1, 2, 3].map((n) => postOf(n, { text: `Words of ${n}` })),
  });
  await cardWith("Words of 1");
  await user.keyboard("je");
  const form = within(await screen.findByRole("form", { name: "Edit: Boss defeated" }));
  await user.keyboard("{End}, aAs");
  const preview = async (length: string) => (await form.findByText(length)).closest<HTMLElement>(".preview");
  assert.match((await preview("15 / 300"))?.textContent ?? "", /Bluesky/u);
  const text = form.getByLabelText("Text");
  await user.clear(text);
  await user.paste("x".repeat(301));
  await form.findByText("It is 1 over the limit: shorten it.");
  assert.match((await preview("301 / 300"))?.textContent ?? "", /Bluesky/u);
  await assertAccessible();
  await user.keyboard("{Escape}");
  await user.clear(text);
  await user.paste("Better words");
  await user.selectOptions(form.getByLabelText("Visible to"), "followers");
  await user.selectOptions(form.getByLabelText("Attachment"), "none");
  assert.ok(form.queryByLabelText("Alt text") === null);
  launcher.refuseNext(changePost, "It has expired meanwhile.");
  await user.click(form.getByRole("button", { name: "Save" }));
  assert.equal((await form.findByRole("alert")).textContent, "It has expired meanwhile.");
  await user.click(form.getByRole("button", { name: "Save" }));
  await toastThatSays("Saved: Boss defeated.");
  await untilFocused("Better words");
  const body = JSON.stringify({ text: "Better words", visibility: "followers", attach: "none" });
  assert.equal(launcher.changes.at(-1), `PUT /api/posts/${postIdOf(998)} ${body}`);
  await user.keyboard("e");
  await screen.findByRole("form", { name: "Edit: Boss defeated" });
  await user.keyboard("{Escape}");
  await untilFocused("Better words");
  assert.ok(screen.queryByRole("form", { name: "Edit: Boss defeated" }) === null);
});

test("posts are filtered by state and game in the address, and older ones are loaded on request", async () => {
  const launcher = createFakeLauncher();
  givePosts(launcher);
  const failed = postOf(9, { state: "failed", text: "Cup won" });
  const old = postOf(6_000, { state: "expired", game: null, text: "Long ago" });
  launcher.when(listPosts).reply(({ query: { state, needs, game, before } = {} }) => {
    const counts = { more: false, drafts: 0, held: 0 };
    if (game !== undefined) return { posts: state === undefined && needs !== true ? [old] : [], ...counts };
    if (before !== undefined) return { posts: [old], ...counts };
    if (state !== undefined) return { posts: state === "failed" ? [failed] : [], ...counts };
    return needs === true ? { posts: [postOf(1)], ...counts } : { posts: everyPost(), ...counts, more: true };
  });
  const { user } = await openApp("#/posts", launcher);
  await screen.findByRole("heading", { name: "History" });
  await user.click(screen.getByRole("button", { name: "Show older" }));
  await cardWith("Long ago");
  assert.ok(launcher.asked.includes(`/api/posts?limit=30&before=${everyPost().at(-1)?.id}`));
  await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "Failed");
  await waitFor(() => assert.deepEqual(postsIn(document), ["Cup won"]));
  assert.equal(location.hash, "#/posts?state=failed");
  assert.ok(launcher.asked.includes("/api/posts?state=failed&limit=30"));
  await user.selectOptions(screen.getByRole("combobox", { name: "Game" }), "Unsorted");
  await screen.findByRole("heading", { name: "No post matches these filters" });
  assert.ok(launcher.asked.includes("/api/posts?game=unsorted&state=failed&limit=30"));
  await assertAccessible();
  await user.click(screen.getByRole("button", { name: "Show all posts" }));
  await screen.findByRole("heading", { name: "Waiting for you" });
  assert.equal(location.hash, "#/posts");
  location.hash = "#/posts?game=unsorted";
  await waitFor(() => assert.deepEqual(postsIn(document), ["Long ago"]));
  const queries = launcher.asked.filter(
    (asked) => asked.startsWith("/api/posts?game=unsorted&") && !asked.includes("failed"),
  );
  assert.deepEqual(queries.toSorted(), [
    "/api/posts?game=unsorted&limit=30",
    "/api/posts?game=unsorted&needs=true&limit=100",
    "/api/posts?game=unsorted&state=approved&limit=30",
    "/api/posts?game=unsorted&state=held&limit=30",
    "/api/posts?game=unsorted&state=sending&limit=30",
  ]);
});

test("without any post, the page shows what is missing for the first", async () => {
  const { has, launcher, user } = await openPosts("#/posts", { accounts: [] });
  await screen.findByRole("heading", { name: "No posts yet" });
  await assertAccessible();
  await user.click(screen.getByRole("link", { name: "Connect an account" }));
  await screen.findByRole("heading", { level: 1, name: "Accounts" });
  await user.click(screen.getByRole("link", { name: "Post rules" }));
  await screen.findByRole("heading", { level: 1, name: "Post rules" });
  await waitFor(() => assert.equal(document.title, "Post rules · Kit"));
  location.hash = "#/posts";
  await screen.findByRole("heading", { name: "No posts yet" });
  has.posts = [postOf(1)];
  launcher.tell("posts");
  await cardWith("boss defeated in my game");
  assert.ok(screen.queryByRole("heading", { name: "No posts yet" }) === null);
});

test("a social event on the Live page links to its post, or to a new rule if none matches", async () => {
  const launcher = createFakeLauncher();
  const event = nthEvent(7, { kind: "social", eventId: "mygame_lake_crossed", state: "ignored" });
  const has = givePosts(launcher);
  launcher.when(listEvents).reply(() => ({ events: [event], cursor: event.id, more: false }));
  const by = { at: event.receivedAt, by: "social" };
  const states = [{ state: "ignored" as const, ...by, reason: message("post_rule.none") }];
  launcher.when(getReceipt).reply(() => ({ event, states }));
  const { user } = await openApp("#/live", launcher);
  await user.click(await screen.findByText("Lake crossed"));
  await user.click(await screen.findByRole("link", { name: "Create a post rule for this event" }));
  const editor = within(await screen.findByRole("form", { name: "A new rule" }));
  await waitFor(() => assert.equal(editor.getByLabelText<HTMLInputElement>("Event ID").value, "mygame_lake_crossed"));
  has.posts = [postOf(1), postOf(2, { event: event.id, text: "The lake is crossed" })];
  await user.click(screen.getByRole("link", { name: "Live" }));
  await user.click(await screen.findByText("Lake crossed"));
  await screen.findByText("Listening");
  launcher.send({ type: "receipt", id: event.id, entry: { state: "drafted", ...by } });
  await user.click(await screen.findByRole("link", { name: "Open the post" }));
  await untilFocused("The lake is crossed");
});
