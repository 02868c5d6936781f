// Tests in a real browser of what leaves the player: exports with presets, the file on the clipboard, and one frame.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes } from "./accessible.ts";
import { clipOf, exportOf, reportOf } from "./clip-samples.ts";
import { isInDialog, shareStage } from "./clips-stage.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareStage(skip);

const video = (page: Page) => page.locator("video[controls]");

async function openPlayer(page: Page): Promise<void> {
  await video(page).waitFor();
  await eventually(() => video(page).evaluate((element) => (element as HTMLVideoElement).readyState >= 2), true);
}

/** Opens the player with a clip that can be played. */
async function openClip() {
  const clip = clipOf(1);
  const stage = await open(`#/clips/${clip.id}`, { clips: [clip] });
  await openPlayer(stage.page);
  return { clip, stage, page: stage.page, answers: stage.answers };
}

test("several exports are made at once, shown with their progress, cancelled, and downloaded when ready", {
  skip,
}, async () => {
  const { clip, stage, page, answers } = await openClip();
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByText("up to 21 MB").waitFor();
  await eventually(() => isInDialog(page, "Make a copy"), true);
  await page.getByText("The clip (4.2 MB) is small enough, so it is copied unchanged.").waitFor();
  await page.getByRole("button", { name: "Make a copy" }).click();
  const copies = page.getByRole("list", { name: "Copies" }).getByRole("listitem");
  await copies.filter({ hasText: "Discord" }).filter({ hasText: "0 % complete, 0:12 left" }).waitFor();
  await page.getByRole("radio", { name: "Custom size" }).check();
  const size = page.getByRole("textbox", { name: "Megabytes" });
  await size.fill("0.1");
  assert.equal(await page.getByRole("button", { name: "Make a copy" }).isDisabled(), true);
  await size.fill("2");
  await page.getByText("the copy is re-encoded, possibly at a lower resolution").waitFor();
  await page.getByRole("button", { name: "Make a copy" }).click();
  await eventually(() => copies.count(), 2);
  assert.deepEqual(answers.changes, [
    `POST /api/clip-exports {"clip":"${clip.id}","preset":"discord"}`,
    `POST /api/clip-exports {"clip":"${clip.id}","bytesMax":2000000}`,
  ]);
  const ready = { state: "ready" as const, progress: 1, bytes: 1_900_000, notes: ["a smaller picture: 854×480"] };
  answers.exports = [exportOf(2, { preset: null, bytesMax: 2_000_000, ...ready }), exportOf(1, { progress: 0.6 })];
  await copies.filter({ hasText: "Up to 2 MB" }).filter({ hasText: "a smaller picture: 854×480" }).waitFor();
  await page.getByRole("status").filter({ hasText: "The copy for Up to 2 MB is ready." }).waitFor();
  assert.equal(await page.getByRole("progressbar", { name: "Copy for Discord" }).getAttribute("value"), "60");
  const requested = page.waitForRequest((request) => request.url().endsWith("/api/session/download"));
  await page.getByRole("button", { name: "Download the copy for Up to 2 MB" }).click();
  assert.deepEqual((await requested).postDataJSON(), { address: `/api/clip-exports/${exportOf(2).id}/file` });
  await page.getByRole("button", { name: "Cancel the copy for Discord" }).click();
  await eventually(() => copies.count(), 1);
  await page.getByRole("button", { name: "Close the player" }).click();
  await page.getByRole("button", { name: "1 copy", exact: true }).click();
  await page
    .getByRole("dialog", { name: "Copies of clips" })
    .getByRole("link", { name: "mygame_boss_defeated.mp4" })
    .waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("a person who recorded a microphone is told where it is, and may include it in an export", { skip }, async () => {
  const clip = clipOf(1, { microphone: true });
  const { page, answers } = await open(`#/clips/${clip.id}`, { clips: [clip] });
  await openPlayer(page);
  await page.getByText("The file has your microphone as a second sound track.").waitFor();
  await page.getByRole("button", { name: "Export" }).click();
  const microphone = page.getByRole("switch", { name: "Include my microphone" });
  assert.equal(await microphone.isChecked(), false);
  await page.getByRole("radio", { name: "GIF" }).check();
  await eventually(() => microphone.count(), 0);
  await page.getByRole("radio", { name: "Email" }).check();
  await microphone.click();
  await page.getByRole("button", { name: "Make a copy" }).click();
  await eventually(
    async () => answers.changes,
    [`POST /api/clip-exports {"clip":"${clip.id}","preset":"email","microphone":true}`],
  );
});

const frame = (page: Page) => page.getByRole("slider", { name: "Position of the vertical frame" });
const positionOf = async (page: Page) => Number(await frame(page).getAttribute("aria-valuenow"));
const lastBody = (changes: readonly string[]) => JSON.parse((changes.at(-1) ?? "").replace(/^POST \S+ /u, ""));

test("the frame of an upright copy is moved with keys and by dragging, and goes with the selected part", {
  skip,
}, async () => {
  const { clip, stage, page, answers } = await openClip();
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("radio", { name: "Vertical 9:16" }).check();
  await frame(page).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await eventually(() => positionOf(page), 61);
  await assertAccessibleInBothSchemes(page, "player with the upright frame");
  await page.keyboard.press("Home");
  await eventually(() => positionOf(page), 0);
  const box = await frame(page).boundingBox();
  const whole = await page.locator(".crop").boundingBox();
  assert.ok(box && whole);
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(whole.x + whole.width / 2, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await eventually(async () => Math.abs((await positionOf(page)) - 50) <= 1, true);
  await page.keyboard.press("End");
  await page.keyboard.press("l");
  await page.keyboard.press("i");
  await page.getByText("Only the selection: 0:05.00 to 0:17.00.").waitFor();
  await page.getByRole("button", { name: "Make a copy", exact: true }).click();
  await eventually(async () => answers.changes.length, 1);
  assert.deepEqual(lastBody(answers.changes), {
    clip: clip.id,
    preset: "vertical",
    range: { fromSeconds: 5, toSeconds: 17 },
    crop: { position: 1 },
  });
  await page.getByRole("radio", { name: "GIF" }).check();
  await frame(page).waitFor({ state: "detached" });
  await page.getByText("up to 10 MB, 15 s").first().waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("the file is copied with a button and with C, a refusal is shown, and nothing is offered without a desktop", {
  skip,
}, async () => {
  const { clip, page, answers } = await openClip();
  answers.refuseWith = "Install the package wl-clipboard.";
  await page.getByRole("button", { name: "Copy file" }).click();
  await page.getByRole("alert").filter({ hasText: "Install the package wl-clipboard." }).waitFor();
  await page.keyboard.press("c");
  await page.getByText("File copied. Paste it into a chat, an email or a folder.", { exact: true }).waitFor();
  await page.getByRole("alert").waitFor({ state: "detached" });
  assert.deepEqual(answers.changes, Array(2).fill(`POST /api/clips-clipboard {"clips":["${clip.id}"]}`));
  answers.report = reportOf({ canCopyFiles: false });
  await page.reload();
  await openPlayer(page);
  await page.getByRole("button", { name: "Copy file" }).waitFor({ state: "detached" });
});

test("the shown frame is saved as a download with S, and the page says its name", { skip }, async () => {
  const { stage, page } = await openClip();
  await page.keyboard.press("l");
  await eventually(() => video(page).evaluate((element) => (element as HTMLVideoElement).currentTime), 5);
  const downloading = page.waitForEvent("download");
  await page.keyboard.press("s");
  const download = await downloading;
  assert.equal(download.suggestedFilename(), "boss at 5.png");
  await page.getByText("Saved boss at 5.png to your browser's downloads.").waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("selected clips are copied and exported together", { skip }, async () => {
  const clips = [2, 1].map((n) => clipOf(n, { title: `clip ${n}`, microphone: n === 2 }));
  const { page, answers, complaints } = await open("#/clips", { clips });
  for (const { title } of clips) await page.getByRole("checkbox", { name: `Select: ${title}` }).dispatchEvent("click");
  await page.getByRole("button", { name: "Copy files" }).click();
  await page.getByText(/^2 files copied\. .* Your microphone is included\.$/u).waitFor();
  const ids = clips.map(({ id }) => id);
  assert.deepEqual(lastBody(answers.changes).clips.toSorted(), ids.toSorted());
  await page.getByRole("button", { name: "Export…" }).click();
  const dialog = page.getByRole("dialog", { name: "Export 2 clips" });
  await dialog.getByRole("radio", { name: "Email" }).check();
  await assertAccessibleInBothSchemes(page, "export of a selection");
  await dialog.getByRole("button", { name: "Make 2 copies" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Making the copies.").waitFor();
  assert.deepEqual(
    answers.exports.map(({ clip, preset }) => `${clip} ${preset}`).toSorted(),
    ids.map((id) => `${id} email`).toSorted(),
  );
  assert.deepEqual(complaints, []);
});
