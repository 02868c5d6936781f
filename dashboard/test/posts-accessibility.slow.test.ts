// Tests of accessibility with axe: the posts, the accounts and the rules, in both colour schemes, wide and at 360 px.
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import { answerAs } from "./answer-as.ts";
import { createFakeLauncher } from "./component/fake-launcher.ts";
import { type FakePosts, givePosts } from "./component/fake-posts.ts";
import { answerPictures } from "./post-pictures.ts";
import { accountOf, everyPost, postRuleOf } from "./post-samples.ts";
import { openStage } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

const stopped = "Discord knows this webhook no more (404). Make a new one.";
const later = new Date(Date.now() + 3_600_000).toISOString();
const checked = [
  { what: "The server", ok: true, says: "It answers" },
  { what: "May write", ok: false, says: "The scope write:statuses is missing" },
];

const full = (): Partial<FakePosts> => ({
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

const toast = (page: Page, text: string) => page.locator(".toast").filter({ hasText: text });

async function assertPostsAccessible(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "History" }).waitFor();
  await assertAccessibleInBothSchemes(page, "posts in every state");
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await toast(page, "Approved").waitFor();
  await page.keyboard.press("e");
  const form = page.getByRole("form", { name: "Edit: lap record" });
  await form.getByLabel("Text", { exact: true }).fill("x".repeat(501));
  await form.getByText("It is 1 over the limit: shorten it.").waitFor();
  await assertAccessibleInBothSchemes(page, "just approved, another being edited, its text too long");
  await form.getByRole("button", { name: "Discard changes" }).click();
  await page.keyboard.press("Shift+A");
  await page.getByRole("dialog", { name: /^Approve/ }).waitFor();
  await assertAccessibleInBothSchemes(page, "confirmation before approving all");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await assertAccessibleInBothSchemes(page, "help");
}

async function assertAccountsAccessible(page: Page): Promise<void> {
  await page.getByText(stopped).waitFor();
  await page.getByRole("button", { name: "Test" }).first().click();
  await page.getByText("The token may not write.").waitFor();
  await page.getByText("Change name or key").first().click();
  await page.getByRole("radio", { name: /^Bluesky/ }).dispatchEvent("click");
  await page.getByRole("form", { name: "Connect Bluesky" }).waitFor();
  await assertAccessibleInBothSchemes(page, "accounts, one stopped and tested, one being connected");
  await page.getByRole("button", { name: "Remove" }).first().click();
  await page.getByRole("dialog").waitFor();
  await assertAccessibleInBothSchemes(page, "confirmation before removing one");
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: /^Webhook/ }).dispatchEvent("click");
  await page.getByLabel("Address", { exact: true }).fill("https://example.com/posts");
  await page.getByRole("button", { name: "Connect Webhook" }).click();
  await page.getByText("shown only once").waitFor();
  await assertAccessibleInBothSchemes(page, "a secret that is shown once");
}

async function assertRulesAccessible(page: Page): Promise<void> {
  await page.getByRole("article", { name: "mygame_*" }).waitFor();
  await page.getByRole("button", { name: "New rule" }).click();
  const editor = page.getByRole("form", { name: "A new rule" });
  await editor.getByRole("checkbox", { name: "Bluesky" }).check();
  await editor.locator(".preview").first().waitFor();
  await assertAccessibleInBothSchemes(page, "rules, a new one being edited");
  await editor.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Remove: mygame_*" }).click();
  await toast(page, "Rule removed").waitFor();
  await assertAccessibleInBothSchemes(page, "a rule just removed");
}

const waitForHeading = (page: Page, heading: string) => page.getByRole("heading", { name: heading }).waitFor();

for (const [size, viewport] of [
  ["wide", { width: 1280, height: 800 }],
  ["at 360 px", narrow],
] as const)
  test(`the posts' pages are accessible ${size} in both colour schemes`, { skip }, async () => {
    let fake = createFakeLauncher();
    const prepare = async (page: Page) => {
      await answerAs(page, () => fake);
      await answerPictures(page);
    };
    // The page's own security policy would block axe.
    await using stage = await openStage({ viewport, bypassCSP: true, prepare });
    const { page, launcher } = stage;
    const go = (fragment: string) => page.goto(`http://127.0.0.1:${launcher.port}/${fragment}`);
    const open = async (fragment: string, given: Partial<FakePosts>) => {
      await page.goto("about:blank");
      fake = createFakeLauncher();
      givePosts(fake, given);
      await go(fragment);
    };
    await open("#/posts", full());
    await assertPostsAccessible(page);
    await open("#/accounts", full());
    await assertAccountsAccessible(page);
    await open("#/post-rules", full());
    await assertRulesAccessible(page);
    await open("#/posts", { accounts: [] });
    await waitForHeading(page, "No posts yet");
    await assertAccessibleInBothSchemes(page, "no posts");
    await go("#/posts?state=failed");
    await waitForHeading(page, "No post matches these filters");
    await assertAccessibleInBothSchemes(page, "no match");
    await go("#/post-rules");
    await page.getByText("No rules yet.").waitFor();
    await assertAccessibleInBothSchemes(page, "no rules, no account");
  });
