// Tests of accessibility with axe: the posts, the accounts and the rules, in both colour schemes, wide and at 360 px.

import type { Page } from "playwright-core";
import { describe, test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import type { PostAnswers } from "./post-answers.ts";
import { accountOf, everyPost, postRuleOf } from "./post-samples.ts";
import { type PostStage, sharePostStage, toast } from "./post-stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

const stopped = "Discord knows this webhook no more (404). Make a new one.";
const later = new Date(Date.now() + 3_600_000).toISOString();
const checked = [
  { what: "The server", ok: true, says: "It answers" },
  { what: "May write", ok: false, says: "The scope write:statuses is missing" },
];

const full = (): Partial<PostAnswers> => ({
  posts: everyPost(),
  accounts: [
    accountOf("discord", { stopped, lastError: "The connection was refused.", waiting: 2 }),
    accountOf("bluesky", { waitsUntil: later, waitsBecause: "rate-limit" }),
    accountOf("mastodon", { enabled: false, kept: "file" }),
  ],
  rules: [postRuleOf("mygame_boss_defeated", { held: 3 }), postRuleOf("mygame_*", { enabled: false })],
  test: { ok: false, says: "The token may not write.", checked },
  secret: "whsec_b25jZQ==",
});

async function assertPostsAccessible(stage: PostStage): Promise<void> {
  const { page } = stage;
  await page.getByRole("heading", { name: "History" }).waitFor();
  await assertAccessibleInBothSchemes(stage.page, "posts in every state");
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await toast(page, "Approved").waitFor();
  await page.keyboard.press("e");
  const form = page.getByRole("form", { name: "Edit: lap record" });
  await form.getByLabel("Text", { exact: true }).fill("x".repeat(501));
  await form.getByText("It is 1 over the limit: shorten it.").waitFor();
  await assertAccessibleInBothSchemes(stage.page, "just approved, another being edited, its text too long");
  await form.getByRole("button", { name: "Discard changes" }).click();
  await page.keyboard.press("Shift+A");
  await page.getByRole("dialog", { name: /^Approve/ }).waitFor();
  await assertAccessibleInBothSchemes(stage.page, "confirmation before approving all");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await assertAccessibleInBothSchemes(stage.page, "help");
}

async function assertAccountsAccessible(stage: PostStage): Promise<void> {
  const { page } = stage;
  await page.getByText(stopped).waitFor();
  await page.getByRole("button", { name: "Test" }).first().click();
  await page.getByText("The token may not write.").waitFor();
  await page.getByText("Change name or key").first().click();
  await page.getByRole("radio", { name: /^Bluesky/ }).dispatchEvent("click");
  await page.getByRole("form", { name: "Connect Bluesky" }).waitFor();
  await assertAccessibleInBothSchemes(stage.page, "accounts, one stopped and tested, one being connected");
  await page.getByRole("button", { name: "Remove" }).first().click();
  await page.getByRole("dialog").waitFor();
  await assertAccessibleInBothSchemes(stage.page, "confirmation before removing one");
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: /^Webhook/ }).dispatchEvent("click");
  await page.getByLabel("Address", { exact: true }).fill("https://example.com/posts");
  await page.getByRole("button", { name: "Connect Webhook" }).click();
  await page.getByText("shown only once").waitFor();
  await assertAccessibleInBothSchemes(stage.page, "a secret that is shown once");
}

async function assertRulesAccessible(stage: PostStage): Promise<void> {
  const { page } = stage;
  await page.getByRole("article", { name: "mygame_*" }).waitFor();
  await page.getByRole("button", { name: "New rule" }).click();
  const editor = page.getByRole("form", { name: "A new rule" });
  await editor.getByRole("checkbox", { name: "Bluesky" }).check();
  await editor.locator(".preview").first().waitFor();
  await assertAccessibleInBothSchemes(stage.page, "rules, a new one being edited");
  await editor.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Remove: mygame_*" }).click();
  await toast(page, "Rule removed").waitFor();
  await assertAccessibleInBothSchemes(stage.page, "a rule just removed");
}

const waitForHeading = (page: Page, heading: string) => page.getByRole("heading", { name: heading }).waitFor();

for (const [size, viewport] of [
  ["wide", { width: 1280, height: 800 }],
  ["at 360 px", narrow],
] as const) {
  describe(`the posts' pages are accessible ${size} in both colour schemes`, { skip }, () => {
    // The page's own security policy would block axe. Motion is off, so that no colour is measured during a transition.
    const open = sharePostStage(skip, { viewport, bypassCSP: true, reducedMotion: "reduce" });
    test("posts", async () => await assertPostsAccessible(await open("#/posts", full())));
    test("accounts", async () => await assertAccountsAccessible(await open("#/accounts", full())));
    test("rules", async () => await assertRulesAccessible(await open("#/post-rules", full())));
    test("empty pages", async () => {
      const stage = await open("#/posts", { accounts: [] });
      await waitForHeading(stage.page, "No posts yet");
      await assertAccessibleInBothSchemes(stage.page, "no posts");
      await stage.go("#/posts?state=failed");
      await waitForHeading(stage.page, "No post matches these filters");
      await assertAccessibleInBothSchemes(stage.page, "no match");
      await stage.go("#/post-rules");
      await stage.page.getByText("No rules yet.").waitFor();
      await assertAccessibleInBothSchemes(stage.page, "no rules, no account");
    });
  });
}
