// Tests of decisions on posts: single keys decide, the focus follows, and nothing moves under the hand.
import assert from "node:assert/strict";
import { approvePost, postSettingDefaults } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { createFakeLauncher } from "../../../test/component/fake-launcher.ts";
import { type FakePosts, givePosts } from "../../../test/component/fake-posts.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { cardWith, focusedText, postsIn, toastThatSays } from "../../../test/component/post-cards.ts";
import { deliveryOf, everyPost, postIdOf, postOf } from "../../../test/post-samples.ts";

const three = () => [1, 2, 3].map((n) => postOf(n, { text: `Words of ${n}` }));
/** The seconds that are left are fewer if the reply takes longer. */
const approvedToast = /Approved: boss defeated\. It will be sent in (?:10|\d) s unless you undo\./iu;
const approvedOf = (n: number) => `POST /api/posts/${postIdOf(999 - n)}/approve`;
const skippedOf = (n: number) => `POST /api/posts/${postIdOf(999 - n)}/skip`;

async function openPosts(given: Partial<FakePosts> = {}) {
  const launcher = createFakeLauncher();
  const has = givePosts(launcher, { posts: three(), ...given });
  return { has, ...(await openApp("#/posts", launcher)) };
}

/** The texts of the posts in a section, from first to last. */
const textsIn = (section: string) => postsIn(screen.getByRole("region", { name: section }));
const untilFocused = (text: string) => waitFor(() => assert.equal(focusedText(), text));

test("one key approves or skips a draft, the next draft gets the focus, and only waiting posts stay in their section", async () => {
  const { launcher, user } = await openPosts();
  const first = await cardWith("Words of 1");
  await user.keyboard("j");
  assert.equal(focusedText(), "Words of 1");
  await user.keyboard("a");
  await toastThatSays(approvedToast);
  await untilFocused("Words of 2");
  await waitFor(() => assert.ok(!first.isConnected));
  const approved = within(await cardWith("Words of 1"));
  approved.getByText("Approved", { selector: "header *" });
  approved.getByRole("button", { name: /^Undo/u });
  await user.keyboard("s");
  await toastThatSays("Skipped: Boss defeated.");
  await untilFocused("Words of 3");
  await waitFor(() => assert.deepEqual(textsIn("Waiting for you"), ["Words of 3"]));
  assert.deepEqual(textsIn("Just decided"), ["Words of 1", "Words of 2"]);
  await user.keyboard("a");
  await waitFor(() => assert.deepEqual(textsIn("Just decided"), ["Words of 1", "Words of 2", "Words of 3"]));
  assert.ok(screen.queryByRole("region", { name: "Waiting for you" }) === null);
  await untilFocused("Words of 3");
  assert.deepEqual(launcher.changes, [approvedOf(1), skippedOf(2), approvedOf(3)]);
});

test("undo reverts the decision on the focused post, else the last decision", async () => {
  const { has, launcher, user } = await openPosts();
  await cardWith("Words of 1");
  await user.keyboard("{ArrowDown}s");
  await toastThatSays("Skipped: Boss defeated.");
  await untilFocused("Words of 2");
  await user.keyboard("u");
  await toastThatSays("Back to draft: Boss defeated.");
  await user.keyboard("a");
  await toastThatSays(approvedToast);
  await untilFocused("Words of 3");
  await user.keyboard("k{ArrowUp}");
  await untilFocused("Words of 1");
  await user.keyboard("a");
  await waitFor(() => assert.equal(launcher.changes.length, 4));
  (await cardWith("Words of 2")).focus();
  await user.keyboard("u");
  await waitFor(() =>
    assert.deepEqual(
      has.posts.map(({ state }) => state),
      ["approved", "draft", "draft"],
    ),
  );
  await untilFocused("Words of 2");
});

test("the second click of a double click decides on nothing, although the next post moves into the place of the first", async () => {
  const { launcher, user } = await openPosts();
  const buttonOf = async (text: string, name: RegExp) => within(await cardWith(text)).getByRole("button", { name });
  await user.click(await buttonOf("Words of 1", /^Approve/u));
  await waitFor(() => assert.deepEqual(postsIn(document), ["Words of 2", "Words of 3", "Words of 1"]));
  fireEvent.click(await buttonOf("Words of 2", /^Approve/u), { detail: 2 });
  fireEvent.click(await buttonOf("Words of 2", /^Skip/u), { detail: 2 });
  await user.click(await buttonOf("Words of 3", /^Skip/u));
  await toastThatSays("Skipped: Boss defeated.");
  assert.deepEqual(launcher.changes, [approvedOf(1), skippedOf(3)]);
});

test("posts that were held back are listed with their reason, and are posted anyway or skipped", async () => {
  const held = message("post_rule.cooldown", { seconds: 60 });
  const posts = [postOf(1), postOf(2, { state: "held", held, text: "Again" }), postOf(3, { state: "held", held })];
  const { launcher, user } = await openPosts({ posts });
  const section = await screen.findByRole("region", { name: "Held back" });
  const card = within(await cardWith("Again"));
  card.getByText("Held back: its rule makes at most one post of this event in 60 s");
  await screen.findByRole("link", { name: /^Posts ?, 1 draft$/u });
  await assertAccessible();
  await user.click(card.getByRole("button", { name: "Post anyway: Boss defeated" }));
  await toastThatSays(approvedToast);
  await waitFor(() => assert.deepEqual(postsIn(section), [posts[2]?.text]));
  await user.click(within(section).getByRole("button", { name: "Skip: Boss defeated" }));
  await waitFor(() => assert.ok(!section.isConnected));
  assert.deepEqual(launcher.changes, [approvedOf(2), skippedOf(3)]);
});

test("a decision that the launcher refuses shows the reason at its post, and the draft stays a draft", async () => {
  const { has, launcher, user } = await openPosts();
  launcher.refuseNext(approvePost, "It is 12 characters too long.");
  const first = within(await cardWith("Words of 1"));
  await user.click(first.getByRole("button", { name: "Approve: Boss defeated" }));
  assert.equal((await first.findByRole("alert")).textContent, "It is 12 characters too long.");
  assert.equal(has.posts[0]?.state, "draft");
  await user.click(first.getByRole("button", { name: "Approve: Boss defeated" }));
  await toastThatSays(approvedToast);
  assert.ok(screen.queryByRole("alert") === null);
});

test("a new draft moves nothing: it is shown on request", async () => {
  const { has, launcher, user } = await openPosts();
  await screen.findByRole("link", { name: /^Posts ?, 3 drafts$/u });
  await cardWith("Words of 1");
  has.posts = [postOf(0, { text: "Just now" }), ...has.posts];
  launcher.tell("posts");
  const show = await screen.findByRole("button", { name: "Show new (1 draft)" });
  await screen.findByRole("link", { name: /^Posts ?, 4 drafts$/u });
  assert.deepEqual(postsIn(document), ["Words of 1", "Words of 2", "Words of 3"]);
  await user.click(show);
  await waitFor(() => assert.deepEqual(postsIn(document), ["Just now", "Words of 1", "Words of 2", "Words of 3"]));
});

test("all shown drafts are approved after a confirmation with their number, except those that need a decision", async () => {
  const sentBefore = [deliveryOf("discord", { already: true }), deliveryOf("bluesky")];
  const posts = [
    ...three(),
    postOf(4, { text: "Words of 4", asks: "No clip: it was deleted." }),
    postOf(5, { text: "Words of 5", deliveries: sentBefore }),
  ];
  const { has, launcher, user } = await openPosts({ posts });
  within(await cardWith("Words of 5")).getByText("The same moment was posted to #clips already.");
  const asking = await cardWith("Words of 4");
  assert.match(asking.textContent, /Decision needed: No clip: it was deleted\./u);
  await user.keyboard("A");
  const dialog = within(await screen.findByRole("dialog", { name: "Approve 3 posts?" }));
  await dialog.findByText("All 3 will be sent in 10 seconds, unless you undo it, to:");
  dialog.getByText("1 draft that needs a decision stays a draft.");
  dialog.getByText("1 draft of a moment that was posted already stays a draft.");
  await assertAccessible();
  await user.keyboard("{Escape}");
  await waitFor(() => assert.ok(screen.queryByRole("dialog", { name: "Approve 3 posts?" }) === null));
  assert.deepEqual(launcher.changes, []);
  await user.click(screen.getByRole("button", { name: "Approve all 3" }));
  await user.click(await screen.findByRole("button", { name: "Approve 3 posts" }));
  const toast = await toastThatSays("3 posts approved.");
  assert.deepEqual(launcher.changes, [approvedOf(1), approvedOf(2), approvedOf(3)]);
  await user.click(within(toast).getByRole("button", { name: "Undo" }));
  await toastThatSays("3 posts are drafts again.");
  assert.ok(has.posts.every(({ state }) => state === "draft"));
});

test("without an undo time, an approval offers no undo", async () => {
  const { user } = await openPosts({ posts: three(), settings: { ...postSettingDefaults, undoSeconds: 0 } });
  await cardWith("Words of 1");
  await user.keyboard("ja");
  const one = await toastThatSays(/^Approved: boss defeated\.$/iu);
  assert.ok(within(one).queryByRole("button", { name: "Undo" }) === null);
  await user.keyboard("A");
  await user.click(await screen.findByRole("button", { name: "Approve 2 posts" }));
  const all = await toastThatSays("2 posts approved.");
  assert.ok(within(all).queryByRole("button", { name: "Undo" }) === null);
});

test("a delivery that may have succeeded or failed is settled with a button, and a draft without footage with another", async () => {
  const { launcher, user } = await openPosts({ posts: everyPost() });
  const cardNamed = async (name: string) => within(await screen.findByRole("article", { name }));
  const unsure = await cardNamed("Secret found");
  unsure.getByText(/If the first attempt succeeded, the post appears twice\./u);
  await assertAccessible();
  await user.click(unsure.getByRole("button", { name: "It was posted: #clips" }));
  await toastThatSays("Marked as sent.");
  const settled = await cardNamed("Secret found");
  await waitFor(() => assert.ok(settled.queryByRole("button", { name: /^It was posted/u }) === null));
  const failed = await cardNamed("Cup won");
  failed.getByText(/^The server does not take this picture \(422\)\./u);
  await user.click(failed.getByRole("button", { name: "Give up: @mika@indie.example" }));
  await toastThatSays("Given up.");
  const asking = await cardNamed("All friends");
  await user.click(asking.getByRole("button", { name: "Post without an attachment: All friends" }));
  await asking.findByText("Without an attachment");
  assert.deepEqual(launcher.changes, [
    `POST /api/posts/${postIdOf(991)}/deliveries/account-discord {"as":"sent"}`,
    `POST /api/posts/${postIdOf(990)}/deliveries/account-mastodon {"as":"dropped"}`,
    `PUT /api/posts/${postIdOf(994)} {"attach":"none"}`,
  ]);
});

test("the help explains the keys, and without single keys none of them acts", async () => {
  const { launcher, user } = await openPosts();
  const first = await cardWith("Words of 1");
  await user.keyboard("?");
  const help = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
  help.getByText("Approve the draft and go to the next one");
  await assertAccessible();
  await user.click(help.getByRole("switch"));
  await user.keyboard("{Escape}");
  first.focus();
  await user.keyboard("as{ArrowDown}");
  await untilFocused("Words of 2");
  assert.deepEqual(launcher.changes, []);
});
