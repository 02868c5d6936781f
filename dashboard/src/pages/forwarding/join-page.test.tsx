// Tests of the page of an invitation: who asks for what, warnings about the server, and consent to each part.
import assert from "node:assert/strict";
import { checkInvitation, encodeInvitation, type Invitation } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { type FakeForwarding, giveForwarding, targetOf } from "../../../test/component/fake-forwarding.ts";
import { createFakeLauncher } from "../../../test/component/fake-launcher.ts";
import { fillWith, openApp } from "../../../test/component/open-app.tsx";

const key = "00112233445566778899aabbccddeeff";
const text = "<img src=x onerror=alert(1)> Kept for 90 days.";
const invitation: Invitation = {
  ...{ version: 1, studio: "Lantern Games", text, kind: "sentry", address: `https://${key}@errors.example.com/7` },
  ...{ game: null, environment: "playtest", asks: ["earlierEvents", "installation", "videos"] },
};
const bucket = {
  ...{ endpoint: "https://store.example.com", region: "us-east-1", name: "lantern-videos", prefix: "" },
  hostStyle: false,
};

async function openInvitation(members: Partial<Invitation> = {}, given: Partial<FakeForwarding> = {}) {
  const launcher = createFakeLauncher();
  const has = giveForwarding(launcher, given);
  const opened = await openApp(`#/join/${encodeInvitation({ ...invitation, ...members })}`, launcher);
  await screen.findByRole("heading", { name: "Lantern Games asks for error reports" });
  /** The requested changes, without the checks of the invitation. */
  const changes = () => opened.launcher.changes.filter((change) => !change.startsWith("POST /api/invitations/check"));
  return { has, changes, ...opened, fill: fillWith(opened.user) };
}

const stateOf = (each: HTMLElement) => each.getAttribute("aria-checked");
const notEncrypted = "What Kit sends is not encrypted: others in the network can read it.";
const ownAuthority = "This invitation contains a certificate. Kit trusts it only for the servers of this invitation.";
const foreignLetters =
  "The name of a server contains letters that can look like others. Ask the studio whether it is theirs.";
const warnings = () => [notEncrypted, ownAuthority, foreignLetters].filter((says) => screen.queryByText(says) !== null);

test("a tester sees all switches off, agrees to error reports alone, and only that is sent", async () => {
  const { changes, user } = await openInvitation();
  screen.getByText(text);
  assert.ok(document.querySelector("img[src=x]") === null);
  const switches = screen.getAllByRole("switch");
  assert.deepEqual(switches.map(stateOf), ["false", "false", "false", "false"]);
  const agree = screen.getByRole<HTMLButtonElement>("button", { name: "Agree and send" });
  assert.ok(agree.disabled);
  screen.getByText(/The server sees the network address that this computer sends from\./u);
  screen.getByText("While error reports are off, Kit sends nothing to this server.");
  assert.deepEqual(warnings(), []);
  await assertAccessible();
  assert.equal(changes().length, 0);
  await user.click(screen.getByRole("switch", { name: "Error reports" }));
  assert.ok(!agree.disabled);
  await user.click(agree);
  await screen.findByText("From now on, Kit sends error reports to errors.example.com.");
  const chosen = { reports: true, earlierEvents: false, installation: false, videos: false };
  assert.equal(changes().at(-1), `POST /api/invitations/accept ${JSON.stringify({ invitation, ...chosen })}`);
  const link = screen.getByRole("link", { name: "See what was sent, or switch it off" });
  assert.equal(link.getAttribute("href"), "#/forwarding");
});

test("a tester who agreed before sees it, and switches it off", async () => {
  const target = targetOf({ earlierEvents: true });
  const checked = { host: "errors.example.com", project: "7", bucketHost: null, target };
  const { changes, user } = await openInvitation({}, { checked, targets: [target] });
  screen.getByText("You agreed to an invitation of this server before. You can change what is sent.");
  assert.deepEqual(screen.getAllByRole("switch").map(stateOf), ["true", "true", "false", "false"]);
  await user.click(screen.getByRole("switch", { name: "Error reports" }));
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Kit no longer sends anything to errors.example.com.");
  const chosen = { reports: false, earlierEvents: true, installation: false, videos: false };
  assert.equal(changes().at(-1), `POST /api/invitations/accept ${JSON.stringify({ invitation, ...chosen })}`);
});

test("a link that was cut is no invitation, and one that the launcher refuses shows the reason", async () => {
  const launcher = createFakeLauncher();
  giveForwarding(launcher);
  launcher.refuseNext(checkInvitation, "The address must begin with https.");
  await openApp("#/join/abc", launcher);
  await screen.findByRole("heading", { name: "This is not an invitation" });
  await assertAccessible();
  location.hash = `#/join/${encodeInvitation(invitation)}`;
  await screen.findByText("The address must begin with https.");
  screen.getByText(/^Nothing was sent\./u);
  assert.ok(screen.queryByRole("button", { name: "Agree and send" }) === null);
});

test("a tester reads that a server is without TLS, or has an authority of its own", async () => {
  await openInvitation({ withoutTls: true });
  assert.deepEqual(warnings(), [notEncrypted]);
  location.hash = `#/join/${encodeInvitation({ ...invitation, certificate: "PEM" })}`;
  await waitFor(() => assert.deepEqual(warnings(), [ownAuthority]));
  await assertAccessible();
});

test("an invitation to a server whose name imitates another shows the real name and a warning", async () => {
  const checked = { host: "xn--sentr-ize.io", project: "1", bucketHost: null, target: null };
  const { has } = await openInvitation({ address: `https://${key}@sentrу.io/1` }, { checked });
  const server = () => screen.queryByText("Server")?.nextElementSibling?.textContent;
  assert.deepEqual([server(), warnings()], ["xn--sentr-ize.io", [foreignLetters]]);
  has.checked = { ...checked, host: "sentry.io", bucketHost: "xn--sentr-ize.io" };
  location.hash = `#/join/${encodeInvitation({ ...invitation, bucket })}`;
  await screen.findByText("lantern-videos/ at xn--sentr-ize.io");
  assert.deepEqual([server(), warnings()], ["sentry.io", [foreignLetters]]);
  has.checked = { ...checked, host: "sentry.io" };
  location.hash = `#/join/${encodeInvitation({ ...invitation, text: "" })}`;
  await waitFor(() => assert.deepEqual([server(), warnings()], ["sentry.io", []]));
  assert.ok(screen.queryByText(text) === null);
});

test("a tester agrees to videos in a bucket, and enters its keys at once", async () => {
  const checked = { host: "errors.example.com", project: null, bucketHost: "store.example.com", target: null };
  const { changes, user, fill } = await openInvitation({ kind: "otlp", asks: ["videos"], bucket }, { checked });
  screen.getByText("lantern-videos/ at store.example.com");
  screen.getByText(/Everybody who has the link can watch that video for 7 days/u);
  await user.click(screen.getByRole("switch", { name: "Error reports" }));
  await user.click(screen.getByRole("switch", { name: "Videos of errors" }));
  await user.click(screen.getByRole("button", { name: "Agree and send" }));
  const missing = "No video is sent before you enter the keys of the bucket.";
  await screen.findByText(missing);
  await assertAccessible();
  const form = within(screen.getByRole("form", { name: "Bucket for videos" }));
  await fill(form.getByLabelText("Access key"), "AKIDOFTHETEST");
  await fill(form.getByLabelText("Secret key"), "secretOfTheTestBucket");
  await user.click(form.getByRole("button", { name: "Save and test" }));
  await waitFor(() => assert.ok(screen.queryByText(missing) === null));
  await form.findByText("The bucket took a file.");
  const keys = { accessKey: "AKIDOFTHETEST", secretKey: "secretOfTheTestBucket" };
  assert.deepEqual(changes().slice(-2), [
    `PUT /api/forwarding/target-1 ${JSON.stringify({ bucket: { ...bucket, ...keys } })}`,
    "POST /api/forwarding/target-1/bucket/test",
  ]);
  assert.equal(form.getByLabelText<HTMLInputElement>("Secret key").value, "");
});
