// Tests of the page of post rules in a real browser: a rule is written once, and previewed for each network.
import assert from "node:assert/strict";
import { allSwitchesOn, postRuleDefaults } from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { accountOf, postRuleOf } from "./post-samples.ts";
import { sharePostStage, toast } from "./post-stage.ts";
import { eventRuleOf } from "./rule-samples.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = sharePostStage(skip);

const editorOf = (page: Page, name: string) => page.getByRole("form", { name });
const ruleOf = (page: Page, pattern: string) => page.getByRole("article", { name: pattern, exact: true });
const bodyOf = (change: string | undefined) => JSON.parse(change?.replace(/^\S+ \S+ /u, "") ?? "null");

test("a rule is written with suggested event ids, inserted variables, and a preview for each network", {
  skip,
}, async () => {
  const { page, launcher, answers, complaints } = await open("#/post-rules");
  await launcher.send("social", { eventId: "saga_boss_defeated" });
  await page.getByText("No rules yet.").waitFor();
  await page.getByRole("button", { name: "New rule" }).click();
  const editor = editorOf(page, "A new rule");
  await eventually(
    () => editor.locator("datalist option").evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)),
    ["saga_boss_defeated", "saga_*"],
  );
  await page.keyboard.type("saga_*");
  const text = editor.getByLabel("Text", { exact: true });
  await text.fill("Done: , at last");
  await text.evaluate((field) => (field as HTMLTextAreaElement).setSelectionRange(6, 6));
  await editor.getByRole("button", { name: "event", exact: true }).click();
  await page.keyboard.type("!");
  assert.equal(await text.inputValue(), "Done: {{event}}!, at last");
  await editor.getByRole("checkbox", { name: "Bluesky" }).check();
  await eventually(() => editor.locator(".preview").count(), 1);
  await editor.locator(".preview").getByText("Done: boss defeated!, at last").waitFor();
  await editor.getByText("29 / 300").waitFor();
  await editor.getByLabel("Approval").selectOption("automatic");
  await editor.getByLabel("If the attachment is missing").selectOption("post");
  await editor.getByLabel("Between two posts").fill("600");
  await editor.getByRole("button", { name: "Save the rule" }).click();
  await toast(page, "Rule added.").waitFor();
  for (const says of ["With the clip", "Sent without asking", "The same event at most every 10 minutes"])
    await ruleOf(page, "saga_*").getByText(says, { exact: true }).waitFor();
  assert.deepEqual(bodyOf(answers.changes.at(-1)), {
    ...postRuleDefaults,
    pattern: "saga_*",
    accounts: ["account-bluesky"],
    text: "Done: {{event}}!, at last",
    approval: "automatic",
    without: "post",
    cooldownSeconds: 600,
  });
  assert.deepEqual(complaints, []);
});

test("a rule that cannot be saved shows the reason, from the page or from the launcher", { skip }, async () => {
  const { page, answers } = await open("#/post-rules?for=saga_won");
  const editor = editorOf(page, "A new rule");
  await eventually(() => editor.getByLabel("Event ID").inputValue(), "saga_won");
  await editor.getByRole("button", { name: "Save the rule" }).click();
  await editor.getByRole("alert").filter({ hasText: "Choose at least one account." }).waitFor();
  await editor.getByRole("checkbox", { name: "Discord" }).check();
  await editor.getByLabel("Between two posts").fill("soon");
  await editor.getByRole("button", { name: "Save the rule" }).click();
  await editor.getByRole("alert").filter({ hasText: "Enter the time between two posts in seconds." }).waitFor();
  await editor.getByLabel("Between two posts").fill("60");
  answers.refuseWith = "There is a rule for this already.";
  await editor.getByRole("button", { name: "Save the rule" }).click();
  await editor.getByRole("alert").filter({ hasText: "There is a rule for this already." }).waitFor();
  await editor.getByRole("button", { name: "Cancel" }).click();
  await editor.waitFor({ state: "detached" });
  await eventually(async () => new URL(page.url()).hash, "#/post-rules");
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Post rules");
});

test("only the changed fields of an edited rule are sent, and the focus returns to its button", { skip }, async () => {
  const rules = [postRuleOf("saga_won", { accounts: ["account-discord", "account-gone"], held: 4 }), postRuleOf("*")];
  const { page, answers, complaints } = await open("#/post-rules", { rules });
  const card = ruleOf(page, "saga_won");
  await card.getByText("4 events held back").waitFor();
  await card.getByText("1 removed account").waitFor();
  await card.getByRole("button", { name: "Edit: saga_won" }).click();
  const editor = editorOf(page, "Edit: saga_won");
  await editor.getByRole("checkbox", { name: "A removed account" }).uncheck();
  await editor.getByLabel("Attachment", { exact: true }).selectOption("none");
  await editor.getByRole("button", { name: "Save the rule" }).click();
  await toast(page, "Rule saved.").waitFor();
  assert.deepEqual(bodyOf(answers.changes.at(-1)), { accounts: ["account-discord"], attach: "none" });
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Edit: saga_won");
  await card.getByRole("switch", { name: "Makes posts: saga_won" }).click();
  await card.getByText("Off", { exact: true }).waitFor();
  await eventually(async () => bodyOf(answers.changes.at(-1)), { enabled: false });
  assert.deepEqual(complaints, []);
});

test("a new rule starts with the text that the developer suggests, and can be reset to it", {
  skip,
}, async () => {
  const { page } = await open("#/live");
  const rule = eventRuleOf("saga_won", { kind: "social", postText: "Won at last: {{event}}" });
  await page.route("**/api/games", (route) =>
    route.fulfill({ json: { services: allSwitchesOn, games: [], rules: [rule] } }),
  );
  await page.goto(page.url().replace("#/live", "#/post-rules?for=saga_won"));
  await page.reload();
  const text = editorOf(page, "A new rule").getByLabel("Text", { exact: true });
  await eventually(() => text.inputValue(), "Won at last: {{event}}");
  await text.fill("Mine");
  await page.getByText("The developer suggests: Won at last: {{event}}").waitFor();
  await page.getByRole("button", { name: "Use this text" }).click();
  await eventually(() => text.inputValue(), "Won at last: {{event}}");
});

test("Undo restores a removed rule unchanged", { skip }, async () => {
  const rule = postRuleOf("saga_won", { text: "Won!", contentWarning: "Spoilers", enabled: false });
  const { page, answers, complaints } = await open("#/post-rules", { rules: [rule] });
  await ruleOf(page, "saga_won").getByRole("button", { name: "Remove: saga_won" }).click();
  await page.getByText("No rules yet.").waitFor();
  await toast(page, "Rule removed: saga_won.").getByRole("button", { name: "Undo" }).click();
  await ruleOf(page, "saga_won").getByText("Won!").waitFor();
  const { id: _id, createdAt: _at, posts: _posts, lastPostAt: _last, held: _held, ...kept } = rule;
  assert.deepEqual(bodyOf(answers.changes.at(-1)), kept);
  assert.deepEqual(complaints, []);
});

test("without an account, the page links to where one is connected", { skip }, async () => {
  const { page } = await open("#/post-rules", { accounts: [] });
  await page.getByRole("button", { name: "New rule" }).click();
  await page.getByRole("link", { name: "Connect one first" }).click();
  await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
});

test("a new rule uses the only account", { skip }, async () => {
  const { page } = await open("#/post-rules", { accounts: [accountOf("webhook")] });
  await page.getByRole("button", { name: "New rule" }).click();
  await eventually(() => page.getByRole("checkbox", { name: "Webhook" }).isChecked(), true);
});

test("settings for all posts are saved at once, and an error is shown at its field", { skip }, async () => {
  const { page, answers } = await open("#/post-rules");
  const section = page.getByRole("region", { name: "For all posts" });
  await section.getByLabel("Time to undo").fill("30");
  await page.keyboard.press("Enter");
  await section.getByText("Saved").waitFor();
  await section.getByLabel("Drafts expire after").fill("long");
  await page.keyboard.press("Enter");
  await section.getByRole("alert").filter({ hasText: "enter a number" }).waitFor();
  answers.refuseWith = "hourlyMax must be 60 or less.";
  await section.getByLabel("Hourly limit").fill("99");
  await page.keyboard.press("Enter");
  await section.getByRole("alert").filter({ hasText: "hourlyMax must be 60 or less." }).waitFor();
  assert.deepEqual(answers.changes, [
    'PUT /api/post-settings {"undoSeconds":30}',
    'PUT /api/post-settings {"hourlyMax":99}',
  ]);
});
