// Tests of the Clips page in a real browser: what it shows, and each action by mouse and by keyboard.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clipOf, everyKind, markerOf, recorderStateOf, reportOf } from "./clip-samples.ts";
import { cardWith, shareStage, titlesShown } from "./clips-stage.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareStage(skip);

test("each card shows the state of its clip, and a marker is not a card", { skip }, async () => {
  const stage = await open("#/clips", { clips: everyKind() });
  const { page } = stage;
  await cardWith(page, "mygame_just_now").getByText("Cutting the clip").waitFor();
  const boss = cardWith(page, "mygame_boss_defeated");
  for (const says of ["Pinned", "3 moments", "2 minutes ago", "17 seconds"]) {
    await boss.getByText(says).waitFor();
  }
  await cardWith(page, "mygame_view").getByText("Screenshot").waitFor();
  await cardWith(page, "mygame_lost").getByText("The footage was lost").waitFor();
  await cardWith(page, "mygame_moved").getByText("File missing").waitFor();
  assert.equal(await cardWith(page, "mygame_step").count(), 0);
  const marker = page.getByRole("listitem").filter({ hasText: "mygame_step" });
  await marker.filter({ hasText: "ffmpeg was not found" }).waitFor();
  await page.getByText("Moments without video: nothing was being recorded.").waitFor();
  await page.getByText("21 MB of 20 GB").waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("the preview plays silently while a card is hovered or focused, but not with reduced motion", {
  skip,
}, async () => {
  const stage = await open("#/clips", { clips: [clipOf(1)] });
  const { page } = stage;
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const preview = page.locator(".clip-preview");
  const plays = () => preview.evaluateAll((all) => all.map((video) => (video as HTMLVideoElement).currentTime > 0));
  await cardWith(page, "mygame").hover();
  await eventually(plays, [true]);
  assert.equal(await preview.evaluate((video) => (video as HTMLVideoElement).muted), true);
  await page.getByRole("heading", { name: "Clips", exact: true }).hover();
  await eventually(plays, []);
  await page.locator(".clip-link").focus();
  await eventually(plays, [true]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.locator(".clip-link").blur();
  await cardWith(page, "mygame").hover();
  await page.getByRole("button", { name: /^Pin/ }).waitFor();
  await eventually(plays, []);
  assert.deepEqual(stage.complaints, []);
});

test("a deleted clip disappears at once, and Undo restores it", { skip }, async () => {
  const clips = [clipOf(1, { title: "mygame_one" }), clipOf(2, { title: "mygame_two" })];
  const stage = await open("#/clips", { clips });
  const { page } = stage;
  await cardWith(page, "mygame_one").hover();
  await page.getByRole("button", { name: "Delete: mygame_one" }).click();
  await eventually(() => titlesShown(page), ["mygame_two"]);
  const toast = page.getByRole("status").filter({ hasText: "Moved to the trash." });
  await toast.getByRole("button", { name: "Undo" }).click();
  await eventually(() => titlesShown(page), ["mygame_one", "mygame_two"]);
  await page.getByRole("status").filter({ hasText: "Restored from the trash." }).waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByText("Restored from the trash.").waitFor({ state: "detached" });
  assert.deepEqual(stage.complaints, []);
});

test("a clip in the trash can be restored, or deleted permanently after a confirmation", { skip }, async () => {
  const deletedAt = new Date().toISOString();
  const clips = [
    clipOf(1, { title: "mygame_one", deletedAt }),
    clipOf(2, { title: "mygame_two", deletedAt }),
    clipOf(3),
  ];
  const stage = await open("#/clips", { clips });
  const { page } = stage;
  await page.getByRole("switch", { name: "Trash" }).click();
  await eventually(() => titlesShown(page), ["mygame_one", "mygame_two"]);
  await page.getByRole("button", { name: "Restore: mygame_one" }).click();
  await eventually(() => titlesShown(page), ["mygame_two"]);
  await page.getByRole("button", { name: "Delete permanently: mygame_two" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete permanently?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(await titlesShown(page), ["mygame_two"]);
  await page.getByRole("button", { name: "Delete permanently: mygame_two" }).click();
  await dialog.getByRole("button", { name: "Delete permanently" }).click();
  await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
  await page.getByRole("button", { name: "Show all clips" }).click();
  await eventually(async () => (await titlesShown(page)).length, 2);
  assert.deepEqual(stage.complaints, []);
});

test("the keyboard moves through the cards, opens a clip, returns to its card, pins and deletes it", {
  skip,
}, async () => {
  const clips = [1, 2, 3].map((n) => clipOf(n, { title: `mygame_${n}` }));
  const stage = await open("#/clips", { clips });
  const { page } = stage;
  const focused = () => page.evaluate(() => document.activeElement?.querySelector(".clip-title")?.textContent ?? "");
  await page.locator(".clip-link").first().focus();
  await page.keyboard.press("ArrowRight");
  await eventually(focused, "mygame_2");
  await page.keyboard.press("End");
  await eventually(focused, "mygame_3");
  await page.keyboard.press("ArrowLeft");
  await eventually(focused, "mygame_2");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "mygame_2" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await eventually(focused, "mygame_2");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Pin: mygame_2");
  await page.keyboard.press("Enter");
  await cardWith(page, "mygame_2").getByText("Pinned").waitFor();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Delete");
  await eventually(() => titlesShown(page), ["mygame_1", "mygame_3"]);
  assert.deepEqual(stage.complaints, []);
});

test("filters by game and kind narrow the list, and survive a reload", { skip }, async () => {
  const clips = [
    clipOf(1, { title: "alpha_one", game: "alpha" }),
    clipOf(2, { title: "beta_one", game: "beta" }),
    clipOf(3, { title: "alpha_view", game: "alpha", kind: "screenshot" }),
    markerOf(4, { title: "loner", game: null }),
  ];
  const stage = await open("#/clips", { clips });
  const { page } = stage;
  await page.getByRole("combobox", { name: "Game" }).selectOption("alpha");
  await eventually(() => titlesShown(page), ["alpha_one", "alpha_view"]);
  await page.getByRole("radio", { name: "Screenshots" }).click();
  await eventually(() => titlesShown(page), ["alpha_view"]);
  await page.reload();
  await eventually(() => titlesShown(page), ["alpha_view"]);
  await page.getByRole("radio", { name: "Markers" }).click();
  await page.getByRole("heading", { name: "No clip matches these filters" }).waitFor();
  await page.getByRole("combobox", { name: "Game" }).selectOption("unsorted");
  await page.getByText("1 marker", { exact: true }).waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("without any clip the page explains how to get one, and records a test clip", { skip }, async () => {
  const test = { ok: true, says: "3 s of screen :0 were recorded.", tried: [], clip: clipOf(1).id };
  const recorded = [clipOf(1, { title: "Test recording" })];
  const stage = await open("#/clips", { clips: [], test, recorded });
  const { page, answers } = stage;
  await page.getByRole("heading", { name: "No clips yet" }).waitFor();
  await page.getByText("npx kit fire recording mygame_boss_defeated").waitFor();
  await page.getByRole("button", { name: "Record a test clip" }).click();
  await eventually(() => titlesShown(page), ["Test recording"]);
  assert.deepEqual(answers.changes, ["POST /api/recorder/test"]);
  assert.deepEqual(stage.complaints, []);
});

test("without any clip and with a failed recorder the page shows the problem, and links to the recorder", {
  skip,
}, async () => {
  const detail = "ffmpeg was not found. Install it, for instance by: apt install ffmpeg";
  const stage = await open("#/clips", { report: reportOf({ state: recorderStateOf({ state: "broken", detail }) }) });
  const { page } = stage;
  await page.locator("main").getByText(detail).waitFor();
  await page.getByText("become markers without video").waitFor();
  await page.getByRole("link", { name: "Open the recorder" }).click();
  await page.getByRole("heading", { name: "The recorder cannot record" }).waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("Free up space lists what goes and why, moves it to the trash, undoes that, and deletes it for good", {
  skip,
}, async () => {
  const clips = [clipOf(1), clipOf(2, { title: "mygame_old" })];
  const cleanup = clips.slice(1).map((clip) => ({ clip, why: "the oldest of the lowest priority" }));
  const stage = await open("#/clips", { clips, cleanup });
  const { page, answers } = stage;
  await page.getByRole("button", { name: "Free up space…" }).click();
  const dialog = page.getByRole("dialog", { name: "Free up space" });
  await dialog.getByText("1 clip, 4.2 MB:").waitFor();
  await dialog
    .getByRole("listitem")
    .filter({ hasText: "mygame_old" })
    .filter({ hasText: "the oldest of the lowest" })
    .waitFor();
  const asked = page.waitForRequest(/clips-cleanup\?freeBytes=500000000&by=age$/u);
  await dialog.getByRole("textbox", { name: "How much (GB)" }).fill("0.5");
  await dialog.getByRole("combobox", { name: "Which clips go first" }).selectOption("age");
  await asked;
  assert.deepEqual(answers.changes, []);
  const { id = "" } = clips[1] ?? {};
  await dialog.getByRole("button", { name: "Move 1 clip to the trash" }).click();
  await dialog.getByRole("button", { name: "Undo" }).click();
  await dialog.getByRole("button", { name: "Move 1 clip to the trash" }).click();
  const deleted = page.waitForRequest(/\?forever=true$/u);
  await dialog.getByRole("button", { name: "Delete permanently" }).click();
  await deleted;
  await dialog.getByText("4.2 MB are free now.").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(answers.changes, [
    `DELETE /api/clips/${id}`,
    `POST /api/clips/${id}/restore`,
    `DELETE /api/clips/${id}`,
    `DELETE /api/clips/${id}`,
  ]);
  assert.deepEqual(stage.complaints, []);
});
