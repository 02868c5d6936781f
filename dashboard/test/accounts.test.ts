// Tests of the Accounts page in a real browser: connecting each network, and no secret on the page afterwards.
import assert from "node:assert/strict";
import { type Account, networkDescriptions, networks } from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { accountOf } from "./post-samples.ts";
import { sharePostStage } from "./post-stage.ts";
import { copiedBy, eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = sharePostStage(skip, { permissions: ["clipboard-read", "clipboard-write"] });

const secretValue = "open sesame 4711";
const cardOf = (page: Page, name: string) => page.getByRole("region", { name });

/** Everything on the page: its text, its attributes, and the values of its fields. */
const pageContent = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const typed = [...document.querySelectorAll("input, textarea")].map((field) => (field as HTMLInputElement).value);
    return `${document.documentElement.outerHTML} ${typed.join(" ")} ${JSON.stringify({ ...localStorage })} ${location.href}`;
  });

for (const network of networks) {
  test(`${network} is connected with the fields it needs, and its secret is nowhere on the page afterwards`, {
    skip,
  }, async () => {
    const { page, answers, complaints } = await open("#/accounts", { accounts: [] });
    await page.getByText("No account is connected yet.").waitFor();
    const { name: networkName, fields } = networkDescriptions[network];
    await page.getByRole("radio", { name: new RegExp(`^${networkName}`, "u") }).focus();
    await page.keyboard.press("Space");
    const form = page.getByRole("form", { name: `Connect ${networkName}` });
    const given: Record<string, string> = {};
    for (const { name, label, help, secret, optional } of fields) {
      await form.getByText(help).waitFor();
      const field = form.getByLabel(optional ? `${label} (optional)` : label, { exact: true });
      assert.equal(await field.getAttribute("type"), secret ? "password" : "text");
      assert.equal(await field.getAttribute("autocomplete"), "off");
      if (optional) continue;
      await field.fill(secretValue);
      given[name] = secretValue;
      if (!secret) continue;
      await form.getByRole("button", { name: `Show: ${label}` }).click();
      assert.equal(await field.getAttribute("type"), "text");
      await form.getByRole("button", { name: `Show: ${label}` }).click();
    }
    await page.getByRole("button", { name: `Connect ${networkName}` }).click();
    await page.getByRole("region", { name: /is connected$/ }).waitFor();
    assert.deepEqual(answers.changes, [`POST /api/accounts ${JSON.stringify({ network, fields: given })}`]);
    assert.ok(!(await pageContent(page)).includes(secretValue));
    await page.getByRole("link", { name: "Write a rule for its posts" }).waitFor();
    assert.deepEqual(complaints, []);
  });
}

test("the refusal of a network is shown, and the typed text stays in the form", { skip }, async () => {
  const { page, answers } = await open("#/accounts", {
    accounts: [],
    refuseWith: "Discord knows no such webhook (404). Copy its URL again.",
  });
  await page.getByRole("radio", { name: /^Discord/ }).dispatchEvent("click");
  await page.getByLabel("Webhook URL", { exact: true }).fill(secretValue);
  await page.getByRole("button", { name: "Connect Discord" }).click();
  await page.getByRole("alert").filter({ hasText: "Copy its URL again." }).waitFor();
  assert.equal(await page.getByLabel("Webhook URL", { exact: true }).inputValue(), secretValue);
  await page.getByRole("button", { name: "Connect Discord" }).click();
  await page.getByRole("region", { name: /is connected$/ }).waitFor();
  assert.equal(answers.accounts.length, 1);
});

test("a webhook's secret is shown once, with a button to copy it", { skip }, async () => {
  const { page, complaints } = await open("#/accounts", { accounts: [], secret: "whsec_b25jZQ==" });
  await page.getByRole("radio", { name: /^Webhook/ }).dispatchEvent("click");
  await page.getByLabel("Address", { exact: true }).fill("https://example.com/posts");
  await page.getByRole("button", { name: "Connect Webhook" }).click();
  await page.getByText("shown only once").waitFor();
  await page.getByRole("button", { name: "Copy the signing secret" }).click();
  await eventually(() => copiedBy(page), "whsec_b25jZQ==");
  await page.getByRole("button", { name: "I copied the secret" }).click();
  await cardOf(page, "Webhook 127.0.0.1:4000").waitFor();
  assert.ok(!(await pageContent(page)).includes("whsec_b25"));
  assert.deepEqual(complaints, []);
});

test("the test of an account lists each check with its result", { skip }, async () => {
  const checked = [
    { what: "The server", ok: true, says: "Mastodon 4.5 answers" },
    { what: "May write", ok: false, says: "The scope write:statuses is missing" },
  ];
  const { page, complaints } = await open("#/accounts", { test: { ok: false, says: "Make a new token.", checked } });
  const card = cardOf(page, "Mastodon @mika@indie.example");
  await card.getByRole("button", { name: "Test" }).click();
  await card.getByRole("status").filter({ hasText: "Make a new token." }).waitFor();
  const list = card.getByRole("list", { name: "What was checked" }).getByRole("listitem");
  assert.deepEqual(await list.allTextContents(), [
    "Yes: The serverMastodon 4.5 answers",
    "No: May writeThe scope write:statuses is missing",
  ]);
  await card.getByText("Nothing was posted.").waitFor();
  assert.deepEqual(complaints, []);
});

test("a stopped account shows the reason and the remedy, accepts a new key and starts again", { skip }, async () => {
  const stopped = "Bluesky refuses the app password (401). Make a new one.";
  const { page, answers, complaints } = await open("#/accounts", {
    accounts: [accountOf("bluesky", { stopped, waiting: 3, kept: "file" })],
  });
  const card = cardOf(page, "Bluesky mika.bsky.social");
  await card.getByRole("alert").filter({ hasText: stopped }).waitFor();
  await card.getByText("Sealed in a file, with the sealing key beside it").waitFor();
  await card.getByText("Change name or key").click();
  await card.getByLabel("App password", { exact: true }).fill(secretValue);
  await card.getByRole("button", { name: "Save the new key" }).click();
  await eventually(() => card.getByLabel("App password", { exact: true }).inputValue(), "");
  await card.getByRole("button", { name: "Start again" }).click();
  await card.getByRole("alert").waitFor({ state: "detached" });
  assert.deepEqual(answers.changes, [
    `PUT /api/accounts/account-bluesky ${JSON.stringify({ fields: { password: secretValue } })}`,
    `PUT /api/accounts/account-bluesky ${JSON.stringify({ enabled: true })}`,
  ]);
  assert.deepEqual(complaints, []);
});

test("an account is renamed, switched off and removed, and the dialog says how many posts are dropped", {
  skip,
}, async () => {
  const { page, answers, tell, complaints } = await open("#/accounts", {
    accounts: [accountOf("mastodon", { waiting: 2 })],
  });
  const card = cardOf(page, "Mastodon");
  await card.getByText("Change name or key").click();
  await card.getByLabel("Name", { exact: true }).fill("My studio");
  await page.keyboard.press("Enter");
  await cardOf(page, "Mastodon My studio").waitFor();
  await card.getByRole("button", { name: "Switch off" }).click();
  await card.getByText("Switched off: Kit prepares no new posts").waitFor();
  answers.accounts = answers.accounts.map((each): Account => ({ ...each, enabled: true, sent: 99 }));
  await tell("accounts");
  await card.getByText("99", { exact: true }).waitFor();
  await card.getByRole("button", { name: "Remove" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove this account?" });
  await dialog.getByText("2 waiting posts will not be sent to this account.").waitFor();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByText("No account is connected yet.").waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Accounts");
  assert.deepEqual(complaints, []);
});
