// From a trigger to a clip that plays in the page: the real launcher, a real screen, the real ffmpeg, a real browser.
import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openClockWindow } from "../../tools/engines/clock-window.ts";
import { openDisplay } from "../../tools/engines/display.ts";
import { skipWithout } from "../../tools/engines/locate.ts";
import { eventually, openStage, rowWith, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium", "Xvfb", "ffmpeg");
/** The encoder is chosen by running each; a busy machine takes its time over that. */
const patience = { timeout: 60_000 };

/** A stage whose launcher may record a screen that shows a clock. */
async function openRecording(): Promise<Stage> {
  await using opened = new AsyncDisposableStack();
  const display = await openDisplay("640x360");
  opened.defer(display.close);
  const window = await openClockWindow({ display: display.name, width: 640, height: 360, framesPerSecond: 30 });
  opened.defer(window.close);
  const stage = opened.use(await openStage({}, { display: display.name }));
  const open = opened.move();
  return { ...stage, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

const setRecords = async (page: Page, when: string) => {
  await page.getByRole("link", { name: /^Recorder/ }).click();
  await page.getByRole("combobox", { name: "Records" }).selectOption(when);
  await page.getByText("Saved", { exact: true }).waitFor();
};

/** Two seconds before and one after, each moment by itself: what a rule can do more is another test's matter. */
async function shorten(page: Page, eventId: string): Promise<void> {
  const rule = [
    ["Seconds before the moment", "2"],
    ["Seconds after the moment", "1"],
    ["Seconds after a clip's end in which another moment still joins it", "0"],
    ["Seconds in which the same id makes a clip no longer", "0"],
  ] as const;
  for (const [says, seconds] of rule) {
    const kept = page.waitForResponse((answer) => answer.request().method() === "PUT" && answer.ok());
    await page.getByRole("textbox", { name: `${says}: ${eventId}` }).fill(seconds);
    await page.keyboard.press("Enter");
    await kept;
  }
}

/** What the browser itself finds in the file: its length, and whether it plays. */
async function assertPlays(page: Page, secondsMin: number): Promise<void> {
  const video = page.locator("video[controls]");
  await video.waitFor();
  await eventually(() => video.evaluate((element) => (element as HTMLVideoElement).readyState >= 1), true);
  const seconds = await video.evaluate((element) => (element as HTMLVideoElement).duration);
  assert.ok(seconds >= secondsMin && seconds < secondsMin + 3, `${seconds} s`);
  await page.keyboard.press("k");
  await eventually(() => video.evaluate((element) => (element as HTMLVideoElement).currentTime > 0.2), true);
}

test("a trigger's row goes on to saved, and its clip plays, is deleted and comes back", { skip }, async () => {
  await using stage = await openRecording();
  const { page, launcher } = stage;
  await setRecords(page, "Never: moments become markers");
  await page.getByRole("link", { name: "Recorder: Off" }).waitFor();
  await launcher.send("recording", { eventId: "mygame_won" });
  await shorten(page, "mygame_won");
  await setRecords(page, "Always");
  await page.getByRole("link", { name: "Recorder: Recording" }).waitFor(patience);
  await page
    .getByRole("definition")
    .filter({ hasText: /^([3-9]|\d\d) seconds, / })
    .waitFor(patience);

  await page.getByRole("link", { name: "Live" }).click();
  await page.getByRole("status").filter({ hasText: "Listening" }).waitFor();
  await rowWith(page, "mygame_won").filter({ hasText: "Marked" }).waitFor();
  const { id } = await launcher.send("recording", { eventId: "mygame_won" });
  const row = page.locator(`.row[data-key="${id}"]`);
  await row.click();
  const details = page.getByRole("complementary", { name: "Details" });
  const states = details.getByRole("list", { name: "States, oldest first" });
  await states.filter({ hasText: /Saved|Failed|Marked/ }).waitFor(patience);
  const said = await states.innerText();
  assert.deepEqual(await states.locator(".timeline-state").allInnerTexts(), ["Accepted", "Recording", "Saved"], said);
  await row.filter({ hasText: "Saved" }).waitFor();
  await details.locator(".clip-tile").click();
  await assertPlays(page, 3);

  const path = await page.locator(".clip-path").innerText();
  assert.ok(statSync(path).size > 1_000, path);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const card = page.locator(".clip-card");
  await card.waitFor({ state: "detached" });
  assert.equal(existsSync(path), false);
  await page.getByText("1 marker", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await card.waitFor();
  assert.equal(existsSync(path), true);
  assert.deepEqual(stage.complaints, []);
});

test("a test clip is made where nothing is recorded yet, and the gallery shows it the moment it is there", {
  skip,
}, async () => {
  await using stage = await openRecording();
  const { page } = stage;
  await page.getByRole("link", { name: "Clips" }).click();
  await page.getByRole("button", { name: "Record a test clip" }).click();
  await page.locator(".clip-card").filter({ hasText: "Test recording" }).waitFor(patience);
  await page.locator(".clip-link").click();
  await assertPlays(page, 2);
  assert.deepEqual(stage.complaints, []);
});
