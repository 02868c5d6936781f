// Tests of a trim and an export with the real launcher, a real screen, the real ffmpeg and a real browser.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { getClip, listClips } from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { openClockWindow } from "../../tools/engines/clock-window.ts";
import { openDisplay } from "../../tools/engines/display.ts";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clientOf } from "./issue-stage.ts";
import { saveClip } from "./saved-clip.ts";
import { downloadedBytes } from "./shared-browser.ts";
import { eventually, openPage, openStage } from "./stage.ts";

const skip = skipWithout("Chromium", "Xvfb", "ffmpeg");

const lengthOf = (page: Page) =>
  page.locator("video[controls]").evaluate((video) => (video as HTMLVideoElement).duration);

test("a trim of a real clip plays as a clip of its own, and an export of it is downloaded", { skip }, async () => {
  await using opened = new AsyncDisposableStack();
  const display = await openDisplay("640x360");
  opened.defer(display.close);
  const window = await openClockWindow({ display: display.name, width: 640, height: 360, framesPerSecond: 30 });
  opened.defer(window.close);
  const { page, launcher, complaints } = opened.use(await openStage({}, { display: display.name }));
  const client = clientOf(launcher);
  await saveClip(client, "The whole");
  await openPage(page, "Clips");
  await page.locator(".clip-link").click();
  await page.locator("video[controls]").waitFor();

  await page.getByRole("button", { name: "Trim", exact: true }).click();
  await page.getByRole("slider", { name: "Start of the selection" }).focus();
  for (let frames = 0; frames < 15; frames += 1) await page.keyboard.press("ArrowRight");
  await page.getByRole("slider", { name: "End of the selection" }).focus();
  await page.keyboard.press("Shift+ArrowLeft");
  const marked = await page.locator(".part-says").innerText();
  const seconds = Number(/: ([\d.]+) s$/u.exec(marked)?.[1]);
  await page.getByRole("textbox", { name: "Name of the new clip" }).fill("The middle");
  await page.keyboard.press("Enter");
  const made = page.getByRole("dialog", { name: "The middle" });
  await made.locator("video[controls]").waitFor();
  await eventually(async () => Math.abs((await lengthOf(page)) - seconds) < 0.1, true);
  const id = new URL(page.url()).hash.split("/").at(-1) ?? "";
  const clip = await client.call(getClip, { params: { id } });
  assert.ok(clip.path !== null && statSync(clip.path).size === clip.bytes, JSON.stringify(clip));
  const { clips } = await client.call(listClips);
  assert.deepEqual(clips.map(({ title }) => title).toSorted(), ["The middle", "The whole"]);

  await made.getByRole("button", { name: "Export" }).click();
  await made.getByRole("button", { name: "Make a copy" }).click();
  const copy = made.getByRole("button", { name: "Download the copy for Discord" });
  await copy.waitFor();
  const download = page.waitForEvent("download");
  await copy.click();
  const { length } = await downloadedBytes(await download);
  assert.ok(length > 1_000, `${length} bytes`);
  await made.getByRole("button", { name: "Remove the copy for Discord from this list" }).click();
  await copy.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});
