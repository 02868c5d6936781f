// Tests of the Forwarding page in a real browser, with a real launcher and a server to forward to.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { type Invitation, invitationLink } from "@kit/contract";
import type { Page } from "playwright-core";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible, narrow } from "./accessible.ts";
import { eventually, openStage } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them.
process.env.KIT_SECRETS = "file";

const skip = skipWithout("Chromium");
const key = "00112233445566778899aabbccddeeff";

/** A server that answers with the next of `answers`, or with 200. */
async function startServer() {
  const answers: { status: number; body: string }[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      requests += 1;
      const { status, body } = answers.shift() ?? { status: 200, body: "{}" };
      response.writeHead(status).end(body);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    host: `127.0.0.1:${port}`,
    answers,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function openForwarding(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = "#/forwarding";
  });
  await page.getByText("Nothing is forwarded at the moment.").waitFor();
}

async function addDsn(page: Page, address: string): Promise<void> {
  await page.getByRole("form", { name: "Add a server" }).getByLabel("DSN").fill(address);
  await page.getByRole("button", { name: "Add and send a test" }).click();
}

test("a target is added, tested at once, stopped by a refusal, started again, changed and deleted", {
  skip,
}, async () => {
  await using stage = await openStage();
  await using server = await startServer();
  const { page, launcher } = stage;
  await page.getByRole("link", { name: "Issues" }).click();
  await page.getByRole("link", { name: "Forwarding" }).click();
  await page.getByText("Nothing is forwarded at the moment.").waitFor();
  await addDsn(page, `http://${key}@example.com/1`);
  await page.getByRole("alert").filter({ hasText: "must begin with https" }).waitFor();
  server.answers.push({ status: 403, body: `<img src=x onerror=alert(1)> \u202e${key}` });
  await addDsn(page, `http://${key}@${server.host}/7`);
  const card = page.getByRole("region", { name: new RegExp(`${server.host} ?project 7`, "u") });
  await card.getByText("The server refuses this key (403).").waitFor();
  await card.getByText("<img src=x onerror=alert(1)>").waitFor();
  // The list is reloaded before the form is cleared.
  await eventually(() => page.getByRole("form", { name: "Add a server" }).getByLabel("DSN").inputValue(), "");
  assert.ok(!(await page.content()).includes(key));
  server.answers.push({ status: 404, body: "" });
  await launcher.send("monitor", { message: "No key" });
  await card.getByText("The server has nothing at this address (404).").waitFor();
  await card.getByRole("button", { name: "Start again" }).click();
  await card.getByText("Everything is sent.").waitFor();
  await card.getByRole("button", { name: "Send a test" }).click();
  await card.getByText("The server accepted the test report (200).").waitFor();
  await eventually(async () => server.requests(), 4);
  await card.getByRole("button", { name: "Switch off" }).click();
  await card.getByText("Switched off").waitFor();
  await card.getByText("Change address or key").click();
  await card.getByLabel("DSN").fill(`http://${key}@${server.host}/8`);
  await card.getByRole("button", { name: "Save" }).click();
  const moved = page.getByRole("region", { name: new RegExp(`${server.host} ?project 8`, "u") });
  await moved.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Nothing is forwarded at the moment.").waitFor();
  // The browser also reports requests that the launcher refuses.
  const complaints = stage.complaints.filter((text) => !text.includes("422"));
  assert.deepEqual(complaints, []);
});

test("a tester opens a link, sees all switches off, agrees, and the first error is at the server and in the list of what was sent", {
  skip,
}, async () => {
  await using stage = await openStage();
  await using server = await startServer();
  const { page, launcher } = stage;
  const invitation: Invitation = {
    version: 1,
    studio: "Lantern Games",
    text: "<img src=x onerror=alert(1)> Kept for 90 days.",
    kind: "sentry",
    address: `http://${key}@${server.host}/7`,
    game: null,
    environment: "playtest",
    asks: ["earlierEvents", "installation", "videos"],
  };
  // Step 1: the tester clicks the link in a chat, here with the port of this launcher.
  await page.goto(invitationLink(invitation, launcher.port));
  await page.getByRole("heading", { name: "Lantern Games asks for error reports" }).waitFor();
  await page.getByText("<img src=x onerror=alert(1)> Kept for 90 days.").waitFor();
  const switches = page.getByRole("switch");
  await eventually(() => switches.count(), 4);
  for (const each of await switches.all()) assert.equal(await each.getAttribute("aria-checked"), "false");
  const agree = page.getByRole("button", { name: "Agree and send" });
  assert.ok(await agree.isDisabled());
  await assertAccessible(page, "an invitation");
  assert.equal(server.requests(), 0);
  // Steps 2 and 3: the tester switches on error reports, and agrees. Step 4: the game has an error.
  await page.getByRole("switch", { name: "Error reports" }).click();
  await agree.click();
  await page.getByText(`From now on, Kit sends error reports to ${server.host}.`).waitFor();
  assert.equal(server.requests(), 0);
  await launcher.send("monitor", { message: "The bell rings twice" });
  await eventually(async () => server.requests(), 1);
  await page.getByRole("link", { name: "See what was sent, or switch it off" }).click();
  const card = page.getByRole("region", { name: new RegExp(`${server.host} ?project 7`, "u") });
  await card.getByText(/Lantern Games, agreed on/).waitFor();
  await card.getByText("What was sent").click();
  await card.getByText(/reports: 1$/).click();
  await card.getByText(/The bell rings twice/).waitFor();
  await assertAccessible(page, "what was sent");
  assert.ok(!(await page.content()).includes(key));
  await page.goto(invitationLink(invitation, launcher.port));
  await page.getByText("You agreed to this invitation before.").waitFor();
  await page.getByRole("switch", { name: "Error reports" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(`Kit no longer sends anything to ${server.host}.`).waitFor();
  await page.goto(`http://127.0.0.1:${launcher.port}/#/join/abc`);
  await page.getByRole("heading", { name: "This is not an invitation" }).waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("the page is accessible in all its states, in both colour schemes, wide and narrow", { skip }, async () => {
  await using stage = await openStage({
    colorScheme: "dark",
    viewport: narrow,
    bypassCSP: true,
    reducedMotion: "reduce",
  });
  await using server = await startServer();
  const { page } = stage;
  await openForwarding(page);
  await assertAccessible(page, "no server");
  await page.getByLabel("Kind").selectOption("OpenTelemetry collector");
  await page.getByLabel("Headers").fill("just a key");
  await page.getByLabel("Address", { exact: true }).fill(`http://${server.host}`);
  await page.getByRole("button", { name: "Add and send a test" }).click();
  await page.getByRole("alert").filter({ hasText: "name: value" }).waitFor();
  await assertAccessible(page, "a form with an error");
  await page.getByLabel("Headers").fill("x-key: 1");
  server.answers.push({ status: 401, body: "no" });
  await page.getByRole("button", { name: "Add and send a test" }).click();
  await page.getByText("The server does not accept the key (401).").waitFor();
  await page.getByText("Change address or key").click();
  await assertAccessible(page, "a server that refuses the key");
  await eventually(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await assertAccessible(page, "the same, light and wide");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").waitFor();
  await assertAccessible(page, "confirmation before deleting");
});
