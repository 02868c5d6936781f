// Tests of the Posts page in a real browser: single keys decide posts, nothing moves under the hand, deliveries are shown.

import assert from "node:assert/strict";
import { postSettingDefaults } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { deliveredOf, deliveryOf, everyPost, noFootage as footage, postIdOf, postOf } from "./post-samples.ts";
import { focusedText, postsShown, postWith, sharePostStage, toast } from "./post-stage.ts";
import { eventually, openPage, rowWith } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = sharePostStage(skip);

const three = () => [1, 2, 3].map((n) => postOf(n, { text: `Words of ${n}` }));
/** The seconds that are left are fewer if the answer takes longer. */
const approvedToast = /Approved: boss defeated\. It will be sent in (?:10|\d) s unless you undo\./iu;
const approvedOf = (n: number) => `POST /api/posts/${postIdOf(999 - n)}/approve`;

test("one key approves or skips a draft, the next draft gets the focus, and only waiting posts stay in their section", {
  skip,
}, async () => {
  const { page, answers, complaints } = await open("#/posts", { posts: three() });
  await postWith(page, "Words of 1").waitFor();
  await page.keyboard.press("j");
  await eventually(() => focusedText(page), "Words of 1");
  await page.keyboard.press("a");
  await toast(page, approvedToast).waitFor();
  await eventually(() => focusedText(page), "Words of 2");
  await postWith(page, "Words of 1").getByText("Approved").waitFor();
  await postWith(page, "Words of 1").getByRole("button", { name: /^Undo/ }).waitFor();
  await page.keyboard.press("s");
  await toast(page, "Skipped: boss defeated.").waitFor();
  await eventually(() => focusedText(page), "Words of 3");
  const textsIn = (section: string) =>
    page.getByRole("region", { name: section }).locator(".post-text").allTextContents();
  await eventually(() => textsIn("Waiting for you"), ["Words of 3"]);
  await eventually(() => textsIn("Just decided"), ["Words of 1", "Words of 2"]);
  await page.keyboard.press("a");
  await eventually(() => textsIn("Just decided"), ["Words of 1", "Words of 2", "Words of 3"]);
  await page.getByRole("heading", { name: "Waiting for you" }).waitFor({ state: "detached" });
  await eventually(() => focusedText(page), "Words of 3");
  await eventually(async () => answers.changes.length, 3);
  assert.deepEqual(answers.changes, [approvedOf(1), `POST /api/posts/${postIdOf(997)}/skip`, approvedOf(3)]);
  assert.deepEqual(complaints, []);
});

test("undo reverts the decision on the focused post, else the last decision", { skip }, async () => {
  const { page, answers, complaints } = await open("#/posts", { posts: three() });
  await postWith(page, "Words of 1").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("s");
  await toast(page, "Skipped").waitFor();
  await eventually(() => focusedText(page), "Words of 2");
  await page.keyboard.press("u");
  await toast(page, "Back to draft: boss defeated.").waitFor();
  await page.keyboard.press("a");
  await toast(page, "Approved").waitFor();
  await eventually(() => focusedText(page), "Words of 3");
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowUp");
  await eventually(() => focusedText(page), "Words of 1");
  await page.keyboard.press("a");
  await eventually(async () => answers.changes.length, 4);
  await postWith(page, "Words of 2").focus();
  await page.keyboard.press("u");
  await eventually(async () => answers.posts.map(({ state }) => state), ["approved", "draft", "draft"]);
  await eventually(() => focusedText(page), "Words of 2");
  assert.deepEqual(complaints, []);
});

test("a double click on Approve decides on one post, although the next one moves into its place", {
  skip,
}, async () => {
  const { page, answers } = await open("#/posts", { posts: three() });
  await postWith(page, "Words of 1").getByRole("button", { name: "Approve" }).click();
  await eventually(() => postsShown(page), ["Words of 2", "Words of 3", "Words of 1"]);
  // The second click of the double click, on what is there now.
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await postWith(page, "Words of 3").getByRole("button", { name: "Skip" }).click();
  await toast(page, "Skipped").waitFor();
  assert.deepEqual(answers.changes, [approvedOf(1), `POST /api/posts/${postIdOf(996)}/skip`]);
});

test("posts that were held back are listed with their reason, and are posted anyway or skipped", { skip }, async () => {
  const held = message("post_rule.cooldown", { seconds: 60 });
  const posts = [postOf(1), postOf(2, { state: "held", held, text: "Again" }), postOf(3, { state: "held", held })];
  const { page, answers, complaints } = await open("#/posts", { posts });
  const section = page.getByRole("region", { name: "Held back" });
  const card = section.locator(".post").filter({ hasText: "Again" });
  await card.getByText("Held back: its rule makes at most one post of this event in 60 s").waitFor();
  await page.getByRole("link", { name: /^Posts ?, 1 draft$/u }).waitFor();
  await card.getByRole("button", { name: "Post anyway: boss defeated" }).click();
  await toast(page, approvedToast).waitFor();
  await card.waitFor({ state: "detached" });
  await section.getByRole("button", { name: "Skip: boss defeated" }).click();
  await section.waitFor({ state: "detached" });
  assert.deepEqual(answers.changes, [approvedOf(2), `POST /api/posts/${postIdOf(996)}/skip`]);
  assert.deepEqual(complaints, []);
});

test("a decision that the launcher refuses shows the reason at its post, and the draft stays a draft", {
  skip,
}, async () => {
  const { page, answers } = await open("#/posts", { posts: three(), refuseWith: "It is 12 characters too long." });
  const first = postWith(page, "Words of 1");
  await first.getByRole("button", { name: "Approve" }).click();
  await first.getByRole("alert").filter({ hasText: "It is 12 characters too long." }).waitFor();
  assert.equal(answers.posts[0]?.state, "draft");
  await first.getByRole("button", { name: "Approve" }).click();
  await first.getByRole("alert").waitFor({ state: "detached" });
});

test("a new draft moves nothing: it is shown on request", { skip }, async () => {
  const { page, answers, tell, complaints } = await open("#/posts", { posts: three() });
  await page.getByRole("link", { name: /^Posts ?, 3 drafts$/u }).waitFor();
  await postWith(page, "Words of 1").waitFor();
  answers.posts = [postOf(0, { text: "Just now" }), ...answers.posts];
  await tell("posts");
  await page.getByRole("button", { name: "Show new (1 draft)" }).waitFor();
  await page.getByRole("link", { name: /^Posts ?, 4 drafts$/u }).waitFor();
  assert.deepEqual(await postsShown(page), ["Words of 1", "Words of 2", "Words of 3"]);
  await page.getByRole("button", { name: "Show new (1 draft)" }).click();
  await eventually(() => postsShown(page), ["Just now", "Words of 1", "Words of 2", "Words of 3"]);
  assert.deepEqual(complaints, []);
});

test("the state of a delivery is shown in place: waiting, sending, then sent with a link", {
  skip,
}, async () => {
  const { page, answers, tell, complaints } = await open("#/posts", {
    posts: [postOf(1, { footage }), postOf(2)],
    settings: { ...postSettingDefaults, undoSeconds: 600 },
  });
  const card = page.locator(`[data-post="${postIdOf(998)}"]`);
  await card.getByText("The clip is still being made").waitFor();
  await card.getByRole("button", { name: "Approve" }).click();
  await card.getByText(/^Will be sent at/).waitFor();
  const update = async (members: Parameters<typeof postOf>[1]) => {
    answers.posts = [postOf(1, members), ...answers.posts.slice(1)];
    await tell("posts");
  };
  await update({ state: "approved", footage, sendsAt: new Date(Date.now() - 1_000).toISOString() });
  await card.getByText("Approved. Waiting for the footage.").waitFor();
  await update({
    state: "sending",
    deliveries: [deliveryOf("bluesky", { state: "preparing", progress: 0.4 }), deliveredOf("mastodon")],
  });
  await card.getByRole("link", { name: "Open the clip, 17 seconds long" }).waitFor();
  const bar = card.getByRole("progressbar", { name: "Converting the footage for mika.bsky.social" });
  assert.equal(await bar.getAttribute("value"), "0.4");
  await update({ state: "sent", deliveries: [deliveredOf("bluesky", { notes: ["Made smaller"] })] });
  const link = card.getByRole("link", { name: "Open on bsky.social" });
  assert.equal(await link.getAttribute("href"), "https://bsky.social/posts/1");
  await card.getByText("Made smaller").waitFor();
  assert.deepEqual(complaints, []);
});

test("a draft is edited in place, each network counts its length, and only changed fields are sent", {
  skip,
}, async () => {
  const { page, answers, complaints } = await open("#/posts", { posts: three() });
  await postWith(page, "Words of 1").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  const form = page.getByRole("form", { name: "Edit: boss defeated" });
  await page.keyboard.press("End");
  await page.keyboard.type(", aAs");
  const bluesky = form.locator(".preview").filter({ hasText: "Bluesky" });
  await bluesky.getByText("15 / 300").waitFor();
  await form.getByLabel("Text", { exact: true }).fill("x".repeat(301));
  await bluesky.getByText("It is 1 over the limit: shorten it.").waitFor();
  await page.keyboard.press("Escape");
  await form.getByLabel("Text", { exact: true }).fill("Better words");
  await form.getByLabel("Visible to").selectOption("followers");
  await form.getByLabel("Attachment", { exact: true }).selectOption("none");
  await form.getByLabel("Alt text").waitFor({ state: "detached" });
  answers.refuseWith = "It has expired meanwhile.";
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByRole("alert").filter({ hasText: "It has expired meanwhile." }).waitFor();
  await form.getByRole("button", { name: "Save" }).click();
  await toast(page, "Saved: boss defeated.").waitFor();
  await eventually(() => focusedText(page), "Better words");
  const body = JSON.stringify({ text: "Better words", visibility: "followers", attach: "none" });
  assert.equal(answers.changes.at(-1), `PUT /api/posts/${postIdOf(998)} ${body}`);
  await page.keyboard.press("e");
  await form.waitFor();
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await eventually(() => focusedText(page), "Better words");
  assert.deepEqual(
    complaints.filter((text) => !text.includes("422")),
    [],
  );
});

test("all shown drafts are approved after a confirmation with their number, except those that need a decision", {
  skip,
}, async () => {
  const posts = [...three(), postOf(4, { text: "Words of 4", asks: "No clip: it was deleted." })];
  const { page, answers, complaints } = await open("#/posts", { posts });
  await postWith(page, "Words of 4").getByText("Decision needed: No clip: it was deleted.").waitFor();
  await page.keyboard.press("Shift+A");
  const dialog = page.getByRole("dialog", { name: "Approve 3 posts?" });
  await dialog.getByText("All 3 will be sent in 10 seconds, unless you undo it, to:").waitFor();
  await dialog.getByText("1 draft that needs a decision stays a draft.").waitFor();
  await page.keyboard.press("Escape");
  assert.deepEqual(answers.changes, []);
  await page.getByRole("button", { name: "Approve all 3" }).click();
  await dialog.getByRole("button", { name: "Approve 3 posts" }).click();
  await toast(page, "3 posts approved.").waitFor();
  assert.deepEqual(answers.changes, [approvedOf(1), approvedOf(2), approvedOf(3)]);
  await toast(page, "3 posts approved.").getByRole("button", { name: "Undo" }).click();
  await toast(page, "3 posts are drafts again.").waitFor();
  assert.ok(answers.posts.every(({ state }) => state === "draft"));
  assert.deepEqual(complaints, []);
});

test("a delivery that may have succeeded or failed is settled with a button, and a draft without footage with another", {
  skip,
}, async () => {
  const { page, answers, complaints } = await open("#/posts", { posts: everyPost() });
  const unsure = page.getByRole("article", { name: "secret found" });
  await unsure.getByText("If the first attempt succeeded, the post appears twice.").waitFor();
  await unsure.getByRole("button", { name: "It was posted: #clips" }).click();
  await toast(page, "Marked as sent.").waitFor();
  await unsure.getByRole("button", { name: "It was posted" }).waitFor({ state: "detached" });
  const failed = page.getByRole("article", { name: "cup won" });
  await failed.getByText("The server does not take this picture (422).").waitFor();
  await failed.getByRole("button", { name: "Give up: @mika@indie.example" }).click();
  await toast(page, "Given up.").waitFor();
  const asking = page.getByRole("article", { name: "all friends" });
  await asking.getByRole("button", { name: "Post without an attachment: all friends" }).click();
  await asking.getByText("Without an attachment", { exact: true }).waitFor();
  assert.deepEqual(answers.changes, [
    `POST /api/posts/${postIdOf(991)}/deliveries/account-discord {"as":"sent"}`,
    `POST /api/posts/${postIdOf(990)}/deliveries/account-mastodon {"as":"dropped"}`,
    `PUT /api/posts/${postIdOf(994)} {"attach":"none"}`,
  ]);
  assert.deepEqual(complaints, []);
});

test("posts are filtered by state and game in the address, and older ones are loaded on request", {
  skip,
}, async () => {
  const many = Array.from({ length: 45 }, (_, n) => postOf(n + 100, { state: "sent", text: `Sent ${n}` }));
  const { page, go, complaints } = await open("#/posts", { posts: [...everyPost(), ...many] });
  await page.getByRole("heading", { name: "History" }).waitFor();
  await page.getByRole("button", { name: "Show older" }).click();
  await postWith(page, "Sent 44").waitFor();
  await page.getByLabel("State", { exact: true }).selectOption("Failed");
  await eventually(() => postsShown(page), ["cup won in my game"]);
  await eventually(async () => new URL(page.url()).hash, "#/posts?state=failed");
  await page.getByLabel("Game", { exact: true }).selectOption("Unsorted");
  await page.getByRole("heading", { name: "No post matches these filters" }).waitFor();
  await page.getByRole("button", { name: "Show all posts" }).click();
  await page.getByRole("heading", { name: "Waiting for you" }).waitFor();
  await go("#/posts?game=unsorted");
  await eventually(() => postsShown(page), ["long ago in my game"]);
  assert.deepEqual(complaints, []);
});

test("without any post, the page shows what is missing for the first", { skip }, async () => {
  const { page, answers, go, complaints } = await open("#/posts", { accounts: [] });
  await page.getByRole("heading", { name: "No posts yet" }).waitFor();
  await page.getByRole("link", { name: "Connect an account" }).click();
  await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
  await page.getByRole("link", { name: "Post rules" }).click();
  await page.getByRole("heading", { level: 1, name: "Post rules", exact: true }).waitFor();
  assert.equal(await page.title(), "Post rules · Kit");
  await page.getByRole("link", { name: "Connect one first" }).waitFor();
  answers.posts = [postOf(1)];
  await go("#/posts");
  await page.reload();
  await postWith(page, "boss defeated").waitFor();
  assert.deepEqual(complaints, []);
});

test("a social event on the Live page links to its post, or to a new rule if none matches", { skip }, async () => {
  const { page, launcher, answers, complaints } = await open("#/live");
  const { id } = await launcher.send("social", { eventId: "saga_lake_crossed" });
  const receipt = { states: [] as object[] };
  await page.route(`**/api/events/${id}`, async (route) => {
    const fetched = await (await route.fetch({ maxRetries: 3 })).json();
    await route.fulfill({ json: { ...fetched, states: [...fetched.states.slice(0, 1), ...receipt.states] } });
  });
  const at = new Date().toISOString();
  receipt.states = [{ state: "ignored", at, by: "social", reason: message("post_rule.none") }];
  await rowWith(page, "saga_lake_crossed").click();
  await page.getByRole("link", { name: "Create a post rule for this event" }).click();
  const editor = page.getByRole("form", { name: "A new rule" });
  await eventually(() => editor.getByLabel("Event ID").inputValue(), "saga_lake_crossed");
  answers.posts = [postOf(1), postOf(2, { event: id, text: "The lake is crossed" })];
  receipt.states = [{ state: "drafted", at, by: "social" }];
  await openPage(page, "Live");
  await page.reload();
  await rowWith(page, "saga_lake_crossed").click();
  await page.getByRole("link", { name: "Open the post" }).click();
  await eventually(() => focusedText(page), "The lake is crossed");
  assert.deepEqual(complaints, []);
});

test("the help explains the keys, and without single keys none of them acts", { skip }, async () => {
  const { page, answers } = await open("#/posts", { posts: three() });
  await postWith(page, "Words of 1").waitFor();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.getByText("Approve the draft and go to the next one").waitFor();
  await help.getByRole("switch").click();
  await page.keyboard.press("Escape");
  await postWith(page, "Words of 1").focus();
  await page.keyboard.press("a");
  await page.keyboard.press("s");
  await page.keyboard.press("ArrowDown");
  await eventually(() => focusedText(page), "Words of 2");
  assert.deepEqual(answers.changes, []);
  await page.evaluate(() => localStorage.clear());
});
