// Tests of a first post, made with the page alone: an account, a rule, a draft that appears, is edited, approved and sent.
import assert from "node:assert/strict";
import { changePostSettings } from "@kit/contract";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clientOf } from "./issue-stage.ts";
import { openSampleNetwork } from "./sample-network.ts";
import { eventually, openPage, openStage } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them.
process.env.KIT_SECRETS = "file";

const skip = skipWithout("Chromium");

test("an account and a rule turn a social event into a draft, which is undone, edited, approved and sent once", {
  skip,
}, async () => {
  await using network = await openSampleNetwork("Boss log");
  await using stage = await openStage();
  const { page, launcher, complaints } = stage;
  const client = clientOf(launcher);
  // Time enough to undo, however long the page takes.
  await client.call(changePostSettings, { body: { undoSeconds: 600 } });
  await openPage(page, "Posts");
  await page.getByRole("heading", { name: "No posts yet" }).waitFor();
  await page.getByRole("link", { name: "Connect an account" }).click();
  await page.getByRole("radio", { name: /^Discord/ }).dispatchEvent("click");
  await page.getByLabel("Webhook URL", { exact: true }).fill(network.url);
  await page.getByRole("button", { name: "Connect Discord" }).click();
  await page.getByRole("region", { name: /^Discord Boss log is connected$/ }).waitFor();
  const account = page.getByRole("region", { name: "Discord Boss log", exact: true });
  await account.getByRole("button", { name: "Test" }).click();
  await account.getByRole("list", { name: "What was checked" }).waitFor();
  await page.getByRole("link", { name: "Write a rule for its posts" }).click();
  await page.getByRole("button", { name: "New rule" }).click();
  const rule = page.getByRole("form", { name: "A new rule" });
  await rule.getByLabel("Event ID").fill("saga_*");
  await rule.getByLabel("Text", { exact: true }).fill("Look: {{event}} in {{game}}");
  await rule.getByLabel("Attachment", { exact: true }).selectOption("none");
  await rule.getByLabel("Between two posts").fill("30");
  await rule.locator(".preview").getByText("/ 2,000").waitFor();
  await rule.getByRole("button", { name: "Save the rule" }).click();
  await page.getByRole("article", { name: "saga_*" }).waitFor();

  await openPage(page, "Posts");
  await page.getByRole("heading", { name: "No posts yet" }).waitFor();
  await launcher.send("social", { eventId: "saga_boss_defeated" });
  const post = page.getByRole("article", { name: "boss defeated" });
  await post.getByText("Look: boss defeated in saga").waitFor();
  await page.getByRole("link", { name: /^Posts ?, 1 draft$/ }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await post.getByText(/^Will be sent at/).waitFor();
  await page.keyboard.press("u");
  await post.getByRole("button", { name: /^Edit/ }).waitFor();
  const hasFocus = () => post.evaluate((card) => card.contains(document.activeElement));
  await eventually(hasFocus, true);
  await page.keyboard.press("e");
  await post.getByLabel("Text", { exact: true }).fill("At last!");
  await post.locator(".preview").getByText("8 / 2,000").waitFor();
  await page.keyboard.press("Control+Enter");
  await post.locator(".post-text").getByText("At last!").waitFor();
  await eventually(hasFocus, true);
  await client.call(changePostSettings, { body: { undoSeconds: 0 } });
  await page.keyboard.press("a");
  await post.getByRole("link", { name: "Open in Discord" }).waitFor();
  await post.getByText("Sent", { exact: true }).first().waitFor();
  await eventually(async () => network.messages.length, 1);
  assert.match(network.messages[0] ?? "", /At last!/);
  assert.ok(!(await page.content()).includes("sample_"));
  assert.deepEqual(complaints, []);
});
