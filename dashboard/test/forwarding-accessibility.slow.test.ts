// Tests of the accessibility and width of the pages of forwarding and invitations in both colour schemes.
import assert from "node:assert/strict";
import { type Invitation, invitationLink } from "@kit/contract";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import { openStage } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them.
process.env.KIT_SECRETS = "file";

const skip = skipWithout("Chromium");
const key = "00112233445566778899aabbccddeeff";
/** Nothing listens there. */
const nobody = "127.0.0.1:9";

const invitation: Invitation = {
  ...{ version: 1, studio: "Lantern Games", text: "Kept for 90 days.", kind: "otlp", address: `http://${nobody}` },
  ...{ game: null, environment: "playtest", asks: ["installation", "videos"] },
  bucket: { endpoint: `http://${nobody}`, region: "us-east-1", name: "lantern-videos", prefix: "", hostStyle: false },
};

for (const [size, viewport] of [
  ["wide", { width: 1280, height: 800 }],
  ["at 360 px", narrow],
] as const)
  test(`the pages of forwarding and invitations are accessible in both colour schemes, ${size}`, { skip }, async () => {
    await using stage = await openStage({ viewport, bypassCSP: true });
    const { page, launcher } = stage;
    const go = (fragment: string) => page.goto(`http://127.0.0.1:${launcher.port}/${fragment}`);
    await go("#/forwarding");
    await page.getByText("Nothing is forwarded at the moment.").waitFor();
    const add = page.getByRole("form", { name: "Add a server" });
    await add.getByLabel("DSN").fill(`http://${key}@example.com/1`);
    await add.getByRole("button", { name: "Add and send a test" }).click();
    await add.getByRole("alert").filter({ hasText: "must begin with https" }).waitFor();
    await page.getByText("Invite testers").click();
    const form = page.getByRole("form", { name: "Invite testers" });
    await form.getByLabel("Who asks").fill("Lantern Games");
    await form.getByLabel("DSN").fill(`https://${key}@errors.example.com/7`);
    for (const part of ["A server in the local network", "Bucket for videos"]) await form.getByText(part).click();
    await form.getByRole("button", { name: "Make the link" }).click();
    await form.getByRole("region", { name: "Link for testers" }).waitFor();
    await assertAccessibleInBothSchemes(page, "a form with an error, and a link for testers");

    await page.goto(invitationLink(invitation, launcher.port));
    await page.getByText(`lantern-videos/ at ${nobody}`).waitFor();
    await assertAccessibleInBothSchemes(page, "an invitation");
    await page.getByRole("switch", { name: "Error reports" }).click();
    await page.getByRole("switch", { name: "Videos of errors" }).click();
    await page.getByRole("button", { name: "Agree and send" }).click();
    await page.getByText("No video is sent before you enter the keys of the bucket.").waitFor();
    await assertAccessibleInBothSchemes(page, "the question for the keys of a bucket");

    await page.getByRole("link", { name: "See what was sent, or switch it off" }).click();
    const card = page.getByRole("region", { name: nobody });
    await card.getByRole("button", { name: "Send a test" }).click();
    await card.locator(".test-result .error").first().waitFor();
    for (const summary of await card.locator(":scope > details > summary").all()) await summary.click();
    await assertAccessibleInBothSchemes(page, "a server that does not answer");
    await card.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").waitFor();
    await assertAccessibleInBothSchemes(page, "confirmation before deleting");
    // The browser also reports the address that the launcher refuses.
    assert.deepEqual(
      stage.complaints.filter((text) => !text.includes("422")),
      [],
    );
  });
