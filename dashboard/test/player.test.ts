// Tests of the player in a real browser with a real video: moments, keys, and clips that cannot be played.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clipOf, everyKind, markerOf } from "./clip-samples.ts";
import { cardWith, shareStage, titlesShown } from "./clips-stage.ts";
import { copiedBy, eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareStage(skip, { permissions: ["clipboard-read", "clipboard-write"] });

const dialogOf = (page: Page) => page.getByRole("dialog");
const video = (page: Page) => page.locator("video[controls]");
const now = (page: Page) => video(page).evaluate((element) => (element as HTMLVideoElement).currentTime);
const paused = (page: Page) => video(page).evaluate((element) => (element as HTMLVideoElement).paused);

/** Opens the clip with three moments, at 3, 8 and 12 s, and waits until its length is known. */
async function openBoss(page: Page): Promise<void> {
  await cardWith(page, "mygame_boss_defeated").click();
  await video(page).waitFor();
  await eventually(() => video(page).evaluate((element) => Math.round((element as HTMLVideoElement).duration)), 17);
}

test("a click on a moment plays from there, and the current moment is highlighted", { skip }, async () => {
  const stage = await open("#/clips", { clips: everyKind() });
  const { page } = stage;
  await openBoss(page);
  const moments = page.getByRole("list", { name: "Moments in order of time" });
  // The slowest speed, so that the moment is still the current one when the test looks.
  await video(page).evaluate((element) => {
    (element as HTMLVideoElement).playbackRate = 0.0625;
  });
  await moments.getByRole("button", { name: "Nil has no hp" }).click();
  await moments.locator('[data-current="true"]').filter({ hasText: "Nil has no hp" }).waitFor();
  await eventually(async () => (await now(page)) >= 8, true);
  assert.equal(await paused(page), false);
  await page.locator(".chapter-strip a").nth(2).click();
  await moments.locator('[data-current="true"]').filter({ hasText: "mygame_boss_defeated" }).waitFor();
  assert.equal(await page.locator(".clip-card").getByText("8 of 12 s before").count(), 0, "no footnote on a card");
  assert.equal(await dialogOf(page).getByText("8 of 12 s before").isVisible(), false, "folded in the player");
  await dialogOf(page).getByText("1 note").click();
  await dialogOf(page).getByText("8 of 12 s before").waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("keys play, pause and move by seconds, frames and moments, wherever the focus is", { skip }, async () => {
  const stage = await open("#/clips", { clips: everyKind() });
  const { page } = stage;
  await openBoss(page);
  const at = (expected: number) =>
    eventually(async () => Math.round((await now(page)) * 1_000), Math.round(expected * 1_000));
  for (const [key, expected] of [
    ["l", 5],
    ["ArrowRight", 7],
    ["j", 2],
    ["]", 3],
    ["]", 8],
    ["[", 3],
    [".", 3 + 1 / 30],
    [",", 3],
    ["Home", 0],
  ] as const) {
    await page.keyboard.press(key);
    await at(expected);
  }
  await page.keyboard.press("k");
  await eventually(() => paused(page), false);
  await video(page).focus();
  await page.keyboard.press("Space");
  await eventually(() => paused(page), true);
  await page.getByText("Keyboard shortcuts", { exact: true }).click();
  await page.getByText("One frame back or forward").waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("a clip is renamed, unpinned and deleted in the player, and the deletion can be undone", { skip }, async () => {
  const stage = await open("#/clips", { clips: everyKind() });
  const { page, answers } = stage;
  await openBoss(page);
  await page.getByRole("button", { name: "Rename" }).click();
  const field = page.getByRole("textbox", { name: "Title of the clip" });
  await field.fill("not this");
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Rename" }).click();
  await field.fill("The fox wins, k?");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "The fox wins, k?" }).waitFor();
  await page.getByRole("button", { name: "Pinned" }).click();
  await page.getByRole("button", { name: "Pin", exact: true }).waitFor();
  await dialogOf(page).getByRole("button", { name: "Delete" }).click();
  await dialogOf(page).waitFor({ state: "detached" });
  await eventually(async () => (await titlesShown(page)).includes("The fox wins, k?"), false);
  await page.getByRole("button", { name: "Undo" }).click();
  await cardWith(page, "The fox wins, k?").waitFor();
  const { id } = answers.clips[1] ?? {};
  assert.deepEqual(answers.changes, [
    `PUT /api/clips/${id} {"title":"The fox wins, k?"}`,
    `PUT /api/clips/${id} {"pinned":false}`,
    `DELETE /api/clips/${id}`,
    `POST /api/clips/${id}/restore`,
  ]);
  assert.deepEqual(stage.complaints, []);
});

test("a title that the launcher refuses stays in the field, with the reason", { skip }, async () => {
  const stage = await open("#/clips", { clips: [clipOf(1)] });
  const { page, answers } = stage;
  await cardWith(page, "mygame").click();
  await page.getByRole("button", { name: "Rename" }).click();
  answers.refuseWith = "A name has one line.";
  await page.getByRole("textbox", { name: "Title of the clip" }).fill("refused");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "A name has one line." }).waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Title of the clip" }).inputValue(), "refused");
});

test("the file is downloaded, its path copied, and its command line shown", { skip }, async () => {
  const stage = await open("#/clips", { clips: [clipOf(1)] });
  const { page } = stage;
  await cardWith(page, "mygame").click();
  const [clip] = stage.answers.clips;
  assert.ok(clip?.path);
  const link = page.getByRole("link", { name: "Download" });
  assert.match(
    (await link.getAttribute("href")) ?? "",
    new RegExp(`^/api/clips/${clip.id}/video\\?download=true&pass=[\\w-]{43}$`, "u"),
  );
  await page.getByRole("button", { name: "Copy the file's path" }).click();
  await eventually(() => copiedBy(page), clip.path);
  await page.getByText(`npx kit clip ${clip.id}`).waitFor();
  await page.getByRole("link", { name: "Receipt of mygame_boss_defeated" }).click();
  await page.getByRole("heading", { name: "Live" }).waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("a clip that cannot be played shows the reason, and no video", { skip }, async () => {
  const stage = await open("#/clips", { clips: [...everyKind(), markerOf(9)] });
  const { page, answers } = stage;
  const cases = [
    ["mygame_just_now", "Cutting the clip", "Step 2 of 3"],
    ["mygame_lost", "The clip could not be created", "The footage was lost"],
    ["mygame_moved", "The file was moved or deleted", "mygame 5.mp4"],
    ["mygame_step", "This marker has no video", "No recorder ran"],
  ] as const;
  for (const [title, heading, why] of cases) {
    const clip = answers.clips.find((known) => known.title === title);
    await stage.go(`#/clips/${clip?.id}`);
    const status = dialogOf(page).getByRole("status").filter({ hasText: heading });
    await status.filter({ hasText: why }).waitFor();
    assert.equal(await video(page).count(), 0, title);
    assert.equal(await page.getByRole("link", { name: "Download" }).count(), 0, title);
  }
  assert.deepEqual(stage.complaints, []);
});

test("the address of a deleted clip shows that it is gone, and closing it opens the gallery", { skip }, async () => {
  const stage = await open("#/clips", { clips: [clipOf(1)] });
  const { page } = stage;
  await stage.go("#/clips/01990000-0000-7000-8000-00000000dead");
  await dialogOf(page).getByText("This clip was deleted permanently or never existed").waitFor();
  await page.getByRole("button", { name: "Close the player" }).click();
  await eventually(async () => new URL(page.url()).hash, "#/clips");
  await cardWith(page, "mygame").waitFor();
});

test("a screenshot is shown as a picture", { skip }, async () => {
  const stage = await open("#/clips", { clips: everyKind() });
  const { page } = stage;
  await cardWith(page, "mygame_view").click();
  await page.getByRole("img", { name: "Screenshot of the moment" }).waitFor();
  assert.equal(await video(page).count(), 0);
});
