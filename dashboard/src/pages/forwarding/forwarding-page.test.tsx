// Tests of the Forwarding page: servers, what is sent to them, and the form that opens an invitation.
import assert from "node:assert/strict";
import { addForwardTarget, encodeInvitation, type Invitation, invitationLink } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { type FakeForwarding, giveForwarding, noVideos, targetOf } from "../../../test/component/fake-forwarding.ts";
import { createFakeLauncher } from "../../../test/component/fake-launcher.ts";
import { fillWith, openApp } from "../../../test/component/open-app.tsx";

const key = "00112233445566778899aabbccddeeff";

async function openForwarding(given: Partial<FakeForwarding> = {}) {
  const launcher = createFakeLauncher();
  const has = giveForwarding(launcher, given);
  const opened = await openApp("#/forwarding", launcher);
  return { has, ...opened, fill: fillWith(opened.user) };
}

const cardOf = async (project = "7") =>
  within(await screen.findByRole("region", { name: new RegExp(`^errors\\.example\\.com ?project ${project}$`, "u") }));

/** The open dialog that asks before a server is deleted. */
const deletion = async () => within(await screen.findByRole("dialog", { name: "Delete this server?" }));

test("a server is added and tested at once, its response is shown as text, and the key is nowhere on the page afterwards", async () => {
  const answer = `<img src=x onerror=alert(1)> \u202e`;
  const { has, launcher, user, fill } = await openForwarding({
    test: { ok: false, says: "The server refuses this key (403).", status: 403, answer, report: null },
  });
  launcher.refuseNext(addForwardTarget, "The address must begin with https.");
  await screen.findByText("Nothing is forwarded at the moment.");
  await assertAccessible();
  const form = within(screen.getByRole("form", { name: "Add a server" }));
  const dsn = form.getByLabelText<HTMLInputElement>("DSN");
  assert.equal(dsn.type, "password");
  await fill(dsn, `http://${key}@example.com/1`);
  await user.click(form.getByRole("button", { name: "Add and send a test" }));
  assert.equal((await form.findByRole("alert")).textContent, "The address must begin with https.");
  assert.deepEqual(has.targets, []);
  await fill(dsn, `https://${key}@errors.example.com/7`);
  await user.click(form.getByRole("button", { name: "Add and send a test" }));
  const card = await cardOf();
  await card.findByText("The server refuses this key (403).");
  card.getByText(/^<img src=x onerror=alert\(1\)> [^\u202e]+$/u);
  assert.ok(document.querySelector("img[src=x]") === null);
  await waitFor(() => assert.equal(dsn.value, ""));
  assert.ok(!document.documentElement.outerHTML.includes(key));
  const body = JSON.stringify({ kind: "sentry", address: `https://${key}@errors.example.com/7`, game: null });
  assert.deepEqual(launcher.changes.slice(1), [`POST /api/forwarding ${body}`, "POST /api/forwarding/target-1/test"]);
});

test("a header of a collector must have the form name: value", async () => {
  const { launcher, user, fill } = await openForwarding();
  await screen.findByText("Nothing is forwarded at the moment.");
  const form = within(screen.getByRole("form", { name: "Add a server" }));
  await user.selectOptions(form.getByLabelText("Kind"), "OpenTelemetry collector");
  await fill(form.getByLabelText("Address"), "https://errors.example.com");
  await fill(form.getByLabelText("Headers"), "just a key");
  await user.click(form.getByRole("button", { name: "Add and send a test" }));
  assert.equal((await form.findByRole("alert")).textContent, "Each header line must have the form name: value.");
  await assertAccessible();
  assert.equal(launcher.changes.length, 0);
  await fill(form.getByLabelText("Headers"), "x-key: 1");
  await user.click(form.getByRole("button", { name: "Add and send a test" }));
  await waitFor(() => assert.equal(launcher.changes.length, 2));
  assert.ok(launcher.changes[0]?.endsWith('"headers":{"x-key":"1"}}'));
});

test("a server that Kit stopped is started again, tested, switched off, changed and deleted", async () => {
  const stopped = "The server has nothing at this address (404).";
  const { has, launcher, user, fill } = await openForwarding({
    targets: [targetOf({ stopped, waiting: 2, waitingBytes: 900, lastDeliveredAt: "2026-05-01T10:00:00.000Z" })],
  });
  const card = await cardOf();
  card.getByText(stopped);
  await assertAccessible();
  has.targets = has.targets.map((target) => ({ ...target, waiting: 0 }));
  await user.click(card.getByRole("button", { name: "Start again" }));
  await card.findByText(/^Everything has been sent\./u);
  await user.click(card.getByRole("button", { name: "Send a test" }));
  await card.findByText("The server accepted the test report (200).");
  await user.click(card.getByRole("button", { name: "Switch off" }));
  await card.findByText(/^Switched off/u);
  const change = within(card.getByRole("form", { name: "Change address or key" }));
  const dsn = change.getByLabelText<HTMLInputElement>("DSN");
  await fill(dsn, `https://${key}@errors.example.com/8`);
  await user.click(change.getByRole("button", { name: "Save" }));
  await waitFor(() => assert.equal(dsn.value, ""));
  await user.click(card.getByRole("button", { name: "Delete" }));
  (await deletion()).getByText(/deletes its key\. Delivered reports stay on the server\.$/u);
  await assertAccessible();
  await user.click((await deletion()).getByRole("button", { name: "Delete" }));
  await screen.findByText("Nothing is forwarded at the moment.");
  assert.deepEqual(launcher.changes, [
    'PUT /api/forwarding/target-1 {"enabled":true}',
    "POST /api/forwarding/target-1/test",
    'PUT /api/forwarding/target-1 {"enabled":false}',
    `PUT /api/forwarding/target-1 {"address":"https://${key}@errors.example.com/8"}`,
    "DELETE /api/forwarding/target-1",
  ]);
});

test("what was agreed to, what was changed and what was sent is listed", async () => {
  const switches = { reports: true, earlierEvents: false, installation: false, videos: false };
  const decidedAt = "2026-05-01T10:00:00.000Z";
  const consent = { studio: "Lantern Games", text: "", version: "0".repeat(64), decidedAt, switches };
  const decisions = [
    { at: "2026-05-03T10:00:00.000Z", switch: "videos" as const, on: false },
    { at: "2026-05-02T10:00:00.000Z", switch: "installation" as const, on: true },
  ];
  const { user } = await openForwarding({
    targets: [targetOf({ consent, decisions })],
    sent: [
      {
        sentAt: "2026-05-02T10:00:00.000Z",
        messages: 1,
        reports: 1,
        accepted: true,
        body: '{"a":"The bell"}',
        chars: 99,
      },
      { sentAt: "2026-05-01T10:00:00.000Z", messages: 1, reports: 3, accepted: false, body: "no", chars: 2 },
    ],
  });
  const card = await cardOf();
  card.getByText(/^Lantern Games, agreed on/u);
  card.getByText("On: Error reports. Off: Events before an error, A random id of this computer, Videos of errors.");
  await user.click(card.getByText("What you changed"));
  assert.deepEqual(
    card.getAllByText(/: .+ (?:on|off)$/u).map(({ textContent }) => textContent?.split(": ").at(-1)),
    ["Videos of errors off", "A random id of this computer on"],
  );
  await user.click(card.getByText("What was sent"));
  await user.click(await card.findByText(/reports: 1$/u));
  card.getByText(/"The bell"/u);
  card.getByText("The beginning of 99 characters.");
  card.getByText(/reports: 3, not accepted$/u);
  await assertAccessible();
});

test("a user sends a random id, renews it, and stops sending it", async () => {
  const { has, launcher, user } = await openForwarding({ targets: [targetOf()] });
  const card = await cardOf();
  card.getByText(/^No random id is sent/u);
  const ids: (string | null | undefined)[] = [];
  for (const name of ["Send a random id", "Create a new id"]) {
    await user.click(await card.findByRole("button", { name }));
    await waitFor(() => assert.ok(!ids.concat(null).includes(has.targets[0]?.installation)));
    const id = has.targets[0]?.installation;
    ids.push(id);
    await card.findByText(`A random id of this computer, made for this server only, is sent: ${id}`);
  }
  await user.click(card.getByRole("button", { name: "Stop sending the id" }));
  await card.findByText(/^No random id is sent/u);
  assert.deepEqual(
    launcher.changes,
    ["new", "new", "none"].map((installation) => `PUT /api/forwarding/target-1 ${JSON.stringify({ installation })}`),
  );
});

test("videos of errors are off until a user switches them on, and the card then counts them", async () => {
  const { has, launcher, user } = await openForwarding({ targets: [targetOf()] });
  const card = await cardOf();
  const videos = card.getByRole("switch", { name: "Send videos of errors" });
  assert.equal(videos.getAttribute("aria-checked"), "false");
  await user.click(videos);
  await card.findByText("0 sent, 0 waiting, 0 not sent");
  assert.equal(videos.getAttribute("aria-checked"), "true");
  await user.click(videos);
  await waitFor(() => assert.equal(videos.getAttribute("aria-checked"), "false"));
  assert.ok(card.queryByText("0 sent, 0 waiting, 0 not sent") === null);
  assert.deepEqual(has.targets[0]?.videoQueue, noVideos);
  assert.deepEqual(launcher.changes, [
    'PUT /api/forwarding/target-1 {"videos":true}',
    'PUT /api/forwarding/target-1 {"videos":false}',
  ]);
});

const invitation: Invitation = {
  ...{ version: 1, studio: "Lantern Games", text: "", kind: "sentry", address: `https://${key}@errors.example.com/7` },
  ...{ game: null, environment: null, asks: [] },
};
const link = invitationLink(invitation, 9876);

test("a tester opens an invitation by choosing the file that the studio sent", async () => {
  const { user } = await openForwarding();
  await user.click(await screen.findByText("Open an invitation"));
  const form = within(screen.getByRole("form", { name: "Open an invitation" }));
  const choose = form.getByLabelText("Choose the file");
  await user.upload(choose, new File(["{"], "notes.json"));
  assert.match((await form.findByRole("alert")).textContent, /^This is not an invitation\./u);
  await assertAccessible();
  await user.upload(choose, new File([JSON.stringify(invitation, null, 2)], "kit-invitation.json"));
  await screen.findByRole("heading", { name: "Lantern Games asks for error reports" });
  assert.equal(location.hash, `#/join/${encodeInvitation(invitation)}`);
});

for (const [what, given] of [
  ["the link", `  ${link}\n`],
  ["the text of the file", JSON.stringify(invitation, null, 2)],
] as const)
  test(`a tester whose Kit has another port than the link opens the invitation by pasting ${what}`, async () => {
    const { user, fill } = await openForwarding();
    await user.click(await screen.findByText("Open an invitation"));
    const form = within(screen.getByRole("form", { name: "Open an invitation" }));
    const field = form.getByLabelText("Link or file");
    await fill(field, link.slice(0, -8));
    await user.click(form.getByRole("button", { name: "Show the invitation" }));
    assert.match((await form.findByRole("alert")).textContent, /^This is not an invitation\./u);
    await assertAccessible();
    await fill(field, given);
    await user.click(form.getByRole("button", { name: "Show the invitation" }));
    await screen.findByRole("heading", { name: "Lantern Games asks for error reports" });
    assert.equal(location.hash, `#/join/${encodeInvitation(invitation)}`);
  });
