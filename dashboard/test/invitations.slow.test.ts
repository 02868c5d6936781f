// Tests of invitations in a real browser with a real launcher: servers without a public certificate, links that deceive, a launcher at
// another port than the link's, and the random id of a target.
import assert from "node:assert/strict";
import { rootCertificates } from "node:tls";
import {
  decodeInvitation,
  type ForwardTarget,
  type Invitation,
  invitationLink,
  listForwardTargets,
} from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible } from "./accessible.ts";
import { clientOf } from "./issue-stage.ts";
import { eventually, openStage, type Stage } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them.
process.env.KIT_SECRETS = "file";

const skip = skipWithout("Chromium");
const key = "00112233445566778899aabbccddeeff";
const notEncrypted = "What Kit sends is not encrypted: others in the network can read it.";
const ownAuthority = "This invitation contains a certificate. Kit trusts it only for the servers of this invitation.";
const foreignLetters =
  "The name of a server contains letters that can look like others. Ask the studio whether it is theirs.";

const invitationTo = (address: string): Invitation => ({
  version: 1,
  studio: "Lantern Games",
  text: "",
  kind: "sentry",
  address,
  game: null,
  environment: null,
  asks: [],
});

const targetsOf = async ({ launcher }: Stage): Promise<readonly ForwardTarget[]> =>
  (await clientOf(launcher).call(listForwardTargets)).targets;

async function openForwarding({ page, launcher }: Stage): Promise<void> {
  await page.goto(`http://127.0.0.1:${launcher.port}/#/forwarding`);
  await page.getByText("Nothing is forwarded at the moment.").waitFor();
}

/** Opens the form for an invitation, and fills in what it needs. */
async function openForm(page: Page, address: string) {
  await page.getByText("Invite testers").click();
  const form = page.getByRole("form", { name: "Invite testers" });
  await form.getByLabel("Who asks").fill("Lantern Games");
  await form.getByLabel("DSN").fill(address);
  await form.getByText("A server in the local network").click();
  return form;
}

async function agree(page: Page, host: string): Promise<void> {
  await page.getByRole("switch", { name: "Error reports" }).click();
  await page.getByRole("button", { name: "Agree and send" }).click();
  await page.getByText(`From now on, Kit sends error reports to ${host}.`).waitFor();
}

/** The browser also reports addresses that the launcher refuses. */
const othersOf = ({ complaints }: Stage) => complaints.filter((text) => !text.includes("422"));

test("a studio invites to a server without TLS only at a private address, and the tester reads that nothing is encrypted", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await openForwarding(stage);
  const form = await openForm(page, `http://${key}@192.168.1.5:9000/7`);
  const make = form.getByRole("button", { name: "Make the link" });
  const made = form.getByRole("region", { name: "Link for testers" });
  await make.click();
  await form.getByRole("alert").filter({ hasText: "https" }).waitFor();
  await form.getByLabel(/^Without TLS: allow http/u).click();
  await form.getByLabel("DSN").fill(`http://${key}@8.8.8.8/7`);
  await make.click();
  await form.getByRole("alert").waitFor();
  assert.equal(await made.count(), 0);
  await form.getByLabel("DSN").fill(`http://${key}@192.168.1.5:9000/7`);
  await make.click();
  const invitation = decodeInvitation((await made.textContent()) ?? "") ?? assert.fail();
  assert.deepEqual([invitation.withoutTls, invitation.certificate], [true, undefined]);
  await page.goto(invitationLink(invitation, launcher.port));
  await page.getByText(notEncrypted).waitFor();
  assert.equal(await page.getByText(ownAuthority).count(), 0);
  await assertAccessible(page, "an invitation to a server without TLS");
  assert.deepEqual(await targetsOf(stage), []);
  await agree(page, "192.168.1.5:9000");
  assert.deepEqual(
    (await targetsOf(stage)).map(({ host, enabled }) => [host, enabled]),
    [["192.168.1.5:9000", true]],
  );
  assert.deepEqual(othersOf(stage), []);
});

test("a studio invites to a server with an authority of its own, and the tester reads so", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await openForwarding(stage);
  const form = await openForm(page, `https://${key}@127.0.0.1:9/7`);
  const certificate = form.getByLabel("Certificate of your own authority");
  await certificate.fill("not a certificate");
  await form.getByRole("button", { name: "Make the link" }).click();
  await form.getByRole("alert").filter({ hasText: "certificate" }).waitFor();
  const [ca = assert.fail()] = rootCertificates;
  await certificate.fill(ca);
  await form.getByRole("button", { name: "Make the link" }).click();
  const link = (await form.getByRole("region", { name: "Link for testers" }).textContent()) ?? "";
  const invitation = decodeInvitation(link) ?? assert.fail(link);
  assert.deepEqual([invitation.certificate, invitation.withoutTls], [ca.trim(), undefined]);
  await page.goto(invitationLink(invitation, launcher.port));
  await page.getByText(ownAuthority).waitFor();
  assert.equal(await page.getByText(notEncrypted).count(), 0);
  await agree(page, "127.0.0.1:9");
  assert.deepEqual(othersOf(stage), []);
});

test("an invitation to a server whose name imitates another shows the real name and a warning", { skip }, async () => {
  await using stage = await openStage();
  const { page, launcher, complaints } = stage;
  const open = (host: string) => page.goto(invitationLink(invitationTo(`https://${key}@${host}/1`), launcher.port));
  const server = page.locator('dt:text-is("Server") + dd');
  const honest = () => page.getByText(/The server sees the network address that this computer sends from\./u).waitFor();
  // The first has a Cyrillic letter; the second is as a browser would write it.
  for (const host of ["sentrу.io", "xn--sentr-ize.io"]) {
    await open(host);
    await page.getByText(foreignLetters).waitFor();
    assert.equal(await server.textContent(), "xn--sentr-ize.io");
    await honest();
    await page.goto(`http://127.0.0.1:${launcher.port}/#/forwarding`);
    await page.getByText("Nothing is forwarded at the moment.").waitFor();
  }
  await assertAccessible(page, "no server, after a link that was not accepted");
  const bucket = { region: "us-east-1", name: "lantern-videos", prefix: "", hostStyle: false };
  const toBucket: Invitation = {
    ...{ ...invitationTo("https://collector.example.com"), kind: "otlp", asks: ["videos"] },
    bucket: { ...bucket, endpoint: "https://sentrу.io" },
  };
  await page.goto(invitationLink(toBucket, launcher.port));
  await page.getByText("lantern-videos/ at xn--sentr-ize.io").waitFor();
  await page.getByText(foreignLetters).waitFor();
  await open("sentry.io");
  await eventually(() => server.textContent(), "sentry.io");
  await honest();
  assert.equal(await page.getByText(foreignLetters).count(), 0);
  assert.deepEqual([await targetsOf(stage), complaints], [[], []]);
});

test("a tester whose Kit has another port than the link opens it by pasting the link, or the text of the file", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await openForwarding(stage);
  const maker = await openForm(page, `https://${key}@errors.example.com/7`);
  await maker.getByRole("button", { name: "Make the link" }).click();
  const link = (await maker.getByRole("region", { name: "Link for testers" }).textContent()) ?? "";
  await maker.getByText(/^The link opens Kit at its usual port, 9876\. Anyone who runs Kit on another port/u).waitFor();
  assert.ok(link.startsWith("http://127.0.0.1:9876/#/join/") && launcher.port !== 9876, link);
  for (const given of [`  ${link}\n`, JSON.stringify(decodeInvitation(link), null, 2)]) {
    await openForwarding(stage);
    await page.locator("summary", { hasText: "Open an invitation" }).click();
    const form = page.getByRole("form", { name: "Open an invitation" });
    await form.getByLabel("Link or file").fill(link.slice(0, -8));
    await form.getByRole("button", { name: "Show the invitation" }).click();
    await form.getByRole("alert").filter({ hasText: "This is not an invitation." }).waitFor();
    await assertAccessible(page, "a text that is no invitation");
    await form.getByLabel("Link or file").fill(given);
    await form.getByRole("button", { name: "Show the invitation" }).click();
    await page.getByRole("heading", { name: "Lantern Games asks for error reports" }).waitFor();
    assert.equal(new URL(page.url()).port, String(launcher.port));
  }
  assert.deepEqual([await targetsOf(stage), stage.complaints], [[], []]);
});

test("a person sends a random id, renews it, and stops sending it", { skip }, async () => {
  await using stage = await openStage();
  const { page, launcher, complaints } = stage;
  await page.goto(invitationLink(invitationTo(`http://${key}@127.0.0.1:9/7`), launcher.port));
  await agree(page, "127.0.0.1:9");
  await page.getByRole("link", { name: "See what was sent, or switch it off" }).click();
  const card = page.getByRole("region", { name: /127\.0\.0\.1:9 ?project 7/u });
  await card.getByText("What else is sent").click();
  await card.getByText(/^No random id is sent/u).waitFor();
  const stored = async () => (await targetsOf(stage))[0]?.installation ?? null;
  const ids: (string | null)[] = [];
  for (const name of ["Send a random id", "Create a new id"]) {
    await card.getByRole("button", { name }).click();
    await eventually(async () => ![null, ...ids].includes(await stored()), true);
    const id = await stored();
    ids.push(id);
    await card.getByText(`A random id of this computer, made for this server only, is sent: ${id}`).waitFor();
  }
  await card.getByRole("button", { name: "Stop sending the id" }).click();
  await card.getByText(/^No random id is sent/u).waitFor();
  assert.equal(await stored(), null);
  await card.getByText("What you changed").click();
  await eventually(
    () =>
      card
        .getByText(/: A random id of this computer (on|off)$/u)
        .allTextContents()
        .then((all) => all.map((one) => one.split(" ").at(-1))),
    ["off", "on"],
  );
  assert.deepEqual(complaints, []);
});
