// Tests of the form with which a studio makes an invitation for its testers.
import assert from "node:assert/strict";
import { checkInvitation, decodeInvitation } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { type FakeForwarding, giveForwarding } from "../../../test/component/fake-forwarding.ts";
import { createFakeLauncher } from "../../../test/component/fake-launcher.ts";
import { fillWith, openApp } from "../../../test/component/open-app.tsx";

const dsn = "https://00112233445566778899aabbccddeeff@errors.example.com/7";

async function openForm(given: Partial<FakeForwarding> = {}) {
  const launcher = createFakeLauncher();
  const has = giveForwarding(launcher, given);
  const { user } = await openApp("#/forwarding", launcher);
  const fill = fillWith(user);
  await user.click(await screen.findByText("Invite testers"));
  const form = within(await screen.findByRole("form", { name: "Invite testers" }));
  await fill(form.getByLabelText("Who asks"), "Lantern Games");
  const makeLink = () => user.click(form.getByRole("button", { name: "Make the link" }));
  /** The link that is shown, decoded. */
  const made = async () => {
    const { textContent: link } = await form.findByRole("region", { name: "Link for testers" });
    return { link, invitation: decodeInvitation(link) ?? assert.fail(link) };
  };
  return { has, launcher, user, fill, form, makeLink, made };
}

test("a studio makes a link that contains what the form says, and that is hidden when the form says something else", async () => {
  const { launcher, user, fill, form, makeLink, made } = await openForm();
  launcher.refuseNext(checkInvitation, "The address must begin with https.");
  const text = "<img src=x onerror=alert(1)> Kept for 90 days.";
  await fill(form.getByLabelText("Your words"), text);
  await fill(form.getByLabelText("Environment"), "playtest");
  await fill(form.getByLabelText("DSN"), "ftp://errors.example.com/7");
  await makeLink();
  assert.equal((await form.findByRole("alert")).textContent, "The address must begin with https.");
  await fill(form.getByLabelText("DSN"), dsn);
  await makeLink();
  const { link, invitation } = await made();
  assert.deepEqual(invitation, {
    ...{ version: 1, studio: "Lantern Games", text, kind: "sentry", address: dsn, game: null },
    ...{ environment: "playtest", asks: ["earlierEvents", "installation", "videos"] },
  });
  assert.deepEqual(launcher.changes.at(-1), `POST /api/invitations/check ${JSON.stringify({ invitation })}`);
  assert.match(link, /^http:\/\/127\.0\.0\.1:9876\/#\/join\//u);
  form.getByText(/^Reports of testers who agree will go to errors\.example\.com, project 7\./u);
  form.getByText(/^The link opens Kit at its usual port, 9876\. Anyone who runs Kit on another port/u);
  await assertAccessible();
  await user.click(form.getByRole("button", { name: "Copy link" }));
  assert.equal(await navigator.clipboard.readText(), link);
  await user.click(form.getByRole("checkbox", { name: "A random id of each computer" }));
  await waitFor(() => assert.ok(form.queryByRole("region", { name: "Link for testers" }) === null));
  await makeLink();
  assert.deepEqual((await made()).invitation.asks, ["earlierEvents", "videos"]);
});

test("a studio allows a server of the local network without TLS, or names its own authority", async () => {
  const { launcher, user, fill, form, makeLink, made } = await openForm();
  await fill(form.getByLabelText("DSN"), dsn);
  await user.click(form.getByText("A server in the local network"));
  const withoutTls = form.getByRole("checkbox", { name: /^Without TLS: allow http/u });
  const certificate = form.getByLabelText("Certificate of your own authority");
  await user.click(withoutTls);
  launcher.refuseNext(checkInvitation, "Only a private address may be without TLS.");
  await makeLink();
  assert.equal((await form.findByRole("alert")).textContent, "Only a private address may be without TLS.");
  assert.ok(form.queryByRole("region", { name: "Link for testers" }) === null);
  await makeLink();
  const first = (await made()).invitation;
  assert.deepEqual([first.withoutTls, first.certificate], [true, undefined]);
  await user.click(withoutTls);
  await fill(certificate, " PEM ");
  await makeLink();
  const second = (await made()).invitation;
  assert.deepEqual([second.withoutTls, second.certificate], [undefined, "PEM"]);
});

test("a studio asks testers of a collector for videos only if it names a bucket", async () => {
  const { user, fill, form, makeLink, made } = await openForm();
  await user.selectOptions(form.getByLabelText("Kind"), "OpenTelemetry collector");
  await fill(form.getByLabelText("Address"), "https://collector.example.com");
  assert.ok(form.queryByRole("checkbox", { name: "Videos of errors" }) === null);
  await user.click(form.getByText("Bucket for videos"));
  await fill(form.getByLabelText("Address of the store"), "https://store.example.com");
  await fill(form.getByLabelText("Bucket"), "lantern-videos");
  await form.findByRole("checkbox", { name: "Videos of errors" });
  await assertAccessible();
  await makeLink();
  const { bucket, asks, kind } = (await made()).invitation;
  const place = { endpoint: "https://store.example.com", region: "us-east-1", name: "lantern-videos", prefix: "" };
  assert.deepEqual([kind, asks, bucket], ["otlp", ["installation", "videos"], { ...place, hostStyle: false }]);
});
