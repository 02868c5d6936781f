// Tests of posting a clip from where it is watched, with the real launcher, a real screen, the real ffmpeg and a stand-in network.
// What the dialog proposes and requests is tested in `src/pages/clips/post-dialog.test.tsx`.
import assert from "node:assert/strict";
import { addAccount, changePostSettings, getClip, listClips, listPosts } from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { openClockWindow } from "../../tools/engines/clock-window.ts";
import { openDisplay } from "../../tools/engines/display.ts";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clientOf } from "./issue-stage.ts";
import { openSampleNetwork } from "./sample-network.ts";
import { saveClip } from "./saved-clip.ts";
import { eventually, openPage, openStage } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them.
process.env.KIT_SECRETS = "file";

const skip = skipWithout("Chromium", "Xvfb", "ffmpeg");

/** Opens a launcher with a recorded clip and a Discord account, and the page of that clip. */
async function openWithClip() {
  const opened = new AsyncDisposableStack();
  const network = opened.use(await openSampleNetwork("Boss log"));
  const display = await openDisplay("640x360");
  opened.defer(display.close);
  const window = await openClockWindow({ display: display.name, width: 640, height: 360, framesPerSecond: 30 });
  opened.defer(window.close);
  const stage = opened.use(await openStage({}, { display: display.name }));
  const client = clientOf(stage.launcher);
  await client.call(addAccount, { body: { network: "discord", fields: { url: network.url } } });
  await client.call(changePostSettings, { body: { undoSeconds: 600 } });
  const { page } = stage;
  await saveClip(client, "Boss hall");
  await openPage(page, "Clips");
  await page.locator(".clip-link").click();
  await page.locator("video[controls]").waitFor();
  return { ...stage, network, client, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

test("a part of a clip is posted with another text, undone and approved; then the whole clip with two clicks, which counts as shared", {
  skip,
}, async () => {
  await using stage = await openWithClip();
  const { page, network, client, complaints } = stage;
  await page.getByRole("button", { name: "Trim", exact: true }).click();
  await page.getByRole("slider", { name: "End of the selection" }).focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await page.getByRole("button", { name: "Post this part…" }).click();
  const dialog = dialogOf(page, /^Post 0:00 to 0:0\d of this clip$/);
  await dialog.getByLabel("Text", { exact: true }).fill("The good part");
  await dialog.locator(".preview").getByText("13 / 2,000").waitFor();
  await dialog.getByRole("button", { name: "Post", exact: true }).click();
  const toast = page.locator(".toast").filter({ hasText: /Approved: Boss hall\. It will be sent in \d{3} s/iu });
  await toast.getByRole("button", { name: "Undo" }).click();
  await page.locator(".toast").filter({ hasText: "Back to draft: Boss hall." }).waitFor();
  const only = async () => (await client.call(listPosts)).posts[0];
  await eventually(async () => (await only())?.footage.state, "ready");
  const post = await only();
  const { clips } = await client.call(listClips);
  const part = clips.find(({ trimmedFrom }) => trimmedFrom !== null);
  assert.deepEqual([post?.state, post?.text, post?.fromClip], ["draft", "The good part", part?.id]);
  await client.call(changePostSettings, { body: { undoSeconds: 0 } });
  await page.getByRole("button", { name: "Close the player" }).click();
  await page
    .getByRole("link", { name: /^Posts/ })
    .first()
    .click();
  const card = page.getByRole("article", { name: "Boss hall" });
  await card.getByRole("button", { name: "Approve: Boss hall" }).click();
  await eventually(async () => network.messages.length, 1);
  assert.match(network.messages[0] ?? "", /The good part/);

  const whole = clips.find(({ trimmedFrom }) => trimmedFrom === null)?.id ?? "";
  await page.evaluate((id) => {
    location.hash = `#/clips/${id}`;
  }, whole);
  await page.getByRole("button", { name: "Post…" }).click();
  await dialogOf(page, "Post this clip").getByRole("button", { name: "Post", exact: true }).click();
  await eventually(async () => network.messages.length, 2);
  assert.match(network.messages[1] ?? "", /"content":"Boss hall"/);
  assert.match(network.messages[1] ?? "", /filename="clip\.mp4"/);
  await eventually(async () => (await client.call(getClip, { params: { id: whole } })).shared, true);
  assert.deepEqual(complaints, []);
});
