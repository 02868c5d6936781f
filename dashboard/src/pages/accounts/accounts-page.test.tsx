// Tests of the Accounts page: connecting each network, and no secret on the page afterwards.
import assert from "node:assert/strict";
import { addAccount, networkDescriptions, networks } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { createFakeLauncher } from "../../../test/component/fake-launcher.ts";
import { type FakePosts, givePosts } from "../../../test/component/fake-posts.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { accountOf } from "../../../test/post-samples.ts";

const secretValue = "open sesame 4711";

async function openAccounts(given: Partial<FakePosts>) {
  const launcher = createFakeLauncher();
  const has = givePosts(launcher, given);
  return { has, ...(await openApp("#/accounts", launcher)) };
}

const cardOf = async (name: string) => within(await screen.findByRole("region", { name }));

/** Everything on the page: its text, its attributes, and the values of its fields. */
function pageContent(): string {
  const typed = [...document.querySelectorAll<HTMLInputElement>("input, textarea")].map(({ value }) => value);
  const { outerHTML } = document.documentElement;
  return `${outerHTML} ${typed.join(" ")} ${JSON.stringify({ ...localStorage })} ${location.href}`;
}

test("the page says that clips and rules make posts, and has no way back where nobody came from a clip", async () => {
  await openAccounts({ accounts: [] });
  await screen.findByText(
    /^Kit sends what you post from a clip, what you approve, and what your rules post by themselves\./u,
  );
  assert.ok(screen.queryByRole("link", { name: "Back to the clip" }) === null);
});

for (const network of networks) {
  test(`${network} is connected with the fields it needs, and its secret is nowhere on the page afterwards`, async () => {
    const { launcher, user } = await openAccounts({ accounts: [] });
    await screen.findByText("No account is connected yet.");
    const { name: networkName, fields } = networkDescriptions[network];
    screen.getByRole("radio", { name: new RegExp(`^${networkName}`, "u") }).focus();
    await user.keyboard(" ");
    const form = within(await screen.findByRole("form", { name: `Connect ${networkName}` }));
    const given: Record<string, string> = {};
    for (const { name, label, help, secret, optional } of fields) {
      form.getByText(help);
      const field = form.getByLabelText<HTMLInputElement>(optional ? `${label} (optional)` : label);
      assert.equal(field.type, secret ? "password" : "text");
      assert.equal(field.getAttribute("autocomplete"), "off");
      if (optional) continue;
      await user.type(field, secretValue);
      given[name] = secretValue;
      if (!secret) continue;
      await user.click(form.getByRole("button", { name: `Show: ${label}` }));
      assert.equal(field.type, "text");
      await user.click(form.getByRole("button", { name: `Show: ${label}` }));
      assert.equal(field.type, "password");
    }
    assert.ok(pageContent().includes(secretValue));
    await assertAccessible();
    await user.click(form.getByRole("button", { name: `Connect ${networkName}` }));
    await screen.findByRole("region", { name: /is connected$/u });
    assert.deepEqual(launcher.changes, [`POST /api/accounts ${JSON.stringify({ network, fields: given })}`]);
    assert.ok(!pageContent().includes(secretValue));
    screen.getByRole("link", { name: "Write a rule for its posts" });
  });
}

test("the refusal of a network is shown, and the typed text stays in the form", async () => {
  const refusal = "Discord knows no such webhook (404). Copy its URL again.";
  const { has, launcher, user } = await openAccounts({ accounts: [] });
  launcher.refuseNext(addAccount, refusal);
  await user.click(await screen.findByRole("radio", { name: /^Discord/u }));
  await user.type(screen.getByLabelText("Webhook URL"), secretValue);
  await user.click(screen.getByRole("button", { name: "Connect Discord" }));
  assert.equal((await screen.findByRole("alert")).textContent, refusal);
  assert.equal(screen.getByLabelText<HTMLInputElement>("Webhook URL").value, secretValue);
  await user.click(screen.getByRole("button", { name: "Connect Discord" }));
  await screen.findByRole("region", { name: /is connected$/u });
  assert.equal(has.accounts.length, 1);
});

test("what was checked when an account was connected is shown, and what was not", async () => {
  const connected = [
    { what: "Webhook", ok: true, says: "Discord calls it “Clips”." },
    { what: "Posting", ok: true, says: "Not tried: everyone in the channel would see it." },
    { what: "Upload", ok: false, says: "The server takes no files." },
  ];
  const { user } = await openAccounts({ accounts: [], connected });
  await user.click(await screen.findByRole("radio", { name: /^Discord/u }));
  await user.type(screen.getByLabelText("Webhook URL"), secretValue);
  await user.click(screen.getByRole("button", { name: "Connect Discord" }));
  const region = within(await screen.findByRole("region", { name: /is connected$/u }));
  const items = within(region.getByRole("list", { name: "What was checked" })).getAllByRole("listitem");
  assert.deepEqual(
    items.map(({ textContent }) => textContent),
    [
      "Yes: WebhookDiscord calls it “Clips”.",
      "Yes: PostingNot tried: everyone in the channel would see it.",
      "No: UploadThe server takes no files.",
    ],
  );
  await assertAccessible();
});

test("a webhook's secret is shown once, with a button to copy it", async () => {
  const { user } = await openAccounts({ accounts: [], secret: "whsec_b25jZQ==" });
  await user.click(await screen.findByRole("radio", { name: /^Webhook/u }));
  await user.type(screen.getByLabelText("Address"), "https://example.com/posts");
  await user.click(screen.getByRole("button", { name: "Connect Webhook" }));
  await screen.findByText(/shown only once/u);
  await assertAccessible();
  await user.click(screen.getByRole("button", { name: "Copy the signing secret" }));
  assert.equal(await navigator.clipboard.readText(), "whsec_b25jZQ==");
  await user.click(screen.getByRole("button", { name: "I copied the secret" }));
  await cardOf("Webhook 127.0.0.1:4000");
  assert.ok(!pageContent().includes("whsec_b25"));
});

test("the test of an account lists each check with its result", async () => {
  const checked = [
    { what: "The server", ok: true, says: "Mastodon 4.5 answers" },
    { what: "May write", ok: false, says: "The scope write:statuses is missing" },
  ];
  const { launcher, user } = await openAccounts({ test: { ok: false, says: "Make a new token.", checked } });
  const card = await cardOf("Mastodon @mika@indie.example");
  await user.click(card.getByRole("button", { name: "Test" }));
  await card.findByText("Make a new token.");
  const list = within(card.getByRole("list", { name: "What was checked" }));
  assert.deepEqual(
    list.getAllByRole("listitem").map(({ textContent }) => textContent),
    ["Yes: The serverMastodon 4.5 answers", "No: May writeThe scope write:statuses is missing"],
  );
  card.getByText("Nothing was posted.");
  assert.deepEqual(launcher.changes, ["POST /api/accounts/account-mastodon/test"]);
  await assertAccessible();
});

test("a stopped account shows the reason and the remedy, accepts a new key and starts again", async () => {
  const stopped = "Bluesky refuses the app password (401). Make a new one.";
  const { launcher, user } = await openAccounts({
    accounts: [accountOf("bluesky", { stopped, waiting: 3, kept: "file" })],
  });
  const card = await cardOf("Bluesky mika.bsky.social");
  within(card.getByRole("alert")).getByText(stopped);
  card.getByText(/^Sealed in a file, with the sealing key beside it/u);
  await user.click(card.getByText("Change name or key"));
  await assertAccessible();
  const password = card.getByLabelText<HTMLInputElement>("App password");
  await user.type(password, secretValue);
  await user.click(card.getByRole("button", { name: "Save the new key" }));
  await waitFor(() => assert.equal(password.value, ""));
  await user.click(card.getByRole("button", { name: "Start again" }));
  await waitFor(() => assert.ok(card.queryByRole("alert") === null));
  assert.deepEqual(launcher.changes, [
    `PUT /api/accounts/account-bluesky ${JSON.stringify({ fields: { password: secretValue } })}`,
    `PUT /api/accounts/account-bluesky ${JSON.stringify({ enabled: true })}`,
  ]);
});

test("an account is renamed, switched off and removed, and the dialog says how many posts are dropped", async () => {
  const { has, launcher, user } = await openAccounts({ accounts: [accountOf("mastodon", { waiting: 2 })] });
  const card = await cardOf("Mastodon @mika@indie.example");
  await user.click(card.getByText("Change name or key"));
  const name = card.getByLabelText("Name");
  await user.clear(name);
  await user.type(name, "My studio{Enter}");
  await cardOf("Mastodon My studio");
  await user.click(card.getByRole("button", { name: "Switch off" }));
  await card.findByText(/^Switched off: Kit prepares no new posts/u);
  has.accounts = has.accounts.map((each) => ({ ...each, enabled: true, sent: 99 }));
  launcher.tell("accounts");
  await card.findByText("99");
  await user.click(card.getByRole("button", { name: "Remove" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Remove this account?" }));
  dialog.getByText(/^2 waiting posts will not be sent to this account\./u);
  await assertAccessible();
  await user.click(dialog.getByRole("button", { name: "Remove" }));
  await screen.findByText("No account is connected yet.");
  assert.equal(document.activeElement?.textContent, "Accounts");
  assert.deepEqual(launcher.changes, [
    'PUT /api/accounts/account-mastodon {"name":"My studio"}',
    'PUT /api/accounts/account-mastodon {"enabled":false}',
    "DELETE /api/accounts/account-mastodon",
  ]);
});
