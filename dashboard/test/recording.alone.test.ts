// Tests from an event to a clip that plays in the page: the real launcher, a real screen, the real ffmpeg, a real browser.
import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { changeRecordingRule, getRecorder, hasCode } from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { openClockWindow } from "../../tools/engines/clock-window.ts";
import { openDisplay } from "../../tools/engines/display.ts";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clientOf } from "./issue-stage.ts";
import { eventually, openPage, openStage, rowWith, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium", "Xvfb", "ffmpeg");

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
  await page.getByRole("combobox", { name: "When to record" }).selectOption(when);
  await page.getByText("Saved", { exact: true }).waitFor();
};

/**
 * Waits until the replay buffer holds that much from the chosen settings. Footage from before the launcher chose them
 * may not fit into one file with the rest, so a clip across both would be shorter.
 */
async function untilHeld({ launcher }: Stage, seconds: number): Promise<void> {
  const client = clientOf(launcher);
  let settledAtMs: number | undefined;
  const check = async () => {
    const { state, detail, heldSeconds } = (await client.call(getRecorder)).state;
    if (state !== "recording" || hasCode(detail, "recorder.still_probing")) settledAtMs = undefined;
    else settledAtMs ??= performance.now();
    const ownSeconds = settledAtMs === undefined ? 0 : (performance.now() - settledAtMs) / 1_000;
    return Math.min(ownSeconds, heldSeconds) > seconds;
  };
  await eventually(check, true);
}

/** Makes clips of 2 s before and 1 s after the moment, without merging. Another test covers how a person sets this. */
async function shortenClips({ launcher }: Stage, eventId: string): Promise<void> {
  const short = { preSeconds: 2, postSeconds: 1, mergeGapSeconds: 0, cooldownSeconds: 0 };
  await clientOf(launcher).call(changeRecordingRule, { body: { eventId, ...short } });
}

/** Checks in the browser the length of the video, and that it plays. */
async function assertPlays(page: Page, secondsMin: number): Promise<void> {
  const video = page.locator("video[controls]");
  // If there is no video, the error contains the text that the page shows instead.
  const failWithPage = async (cause: Error) => {
    throw new Error(`${cause.message}\n${await page.locator("main, [role=dialog]").last().innerText()}`, { cause });
  };
  await video.waitFor().catch(failWithPage);
  await eventually(() => video.evaluate((element) => (element as HTMLVideoElement).readyState >= 1), true);
  const seconds = await video.evaluate((element) => (element as HTMLVideoElement).duration);
  assert.ok(seconds >= secondsMin && seconds < secondsMin + 3, `${seconds} s`);
  await page.keyboard.press("k");
  await eventually(() => video.evaluate((element) => (element as HTMLVideoElement).currentTime > 0.2), true);
}

test("the row of an event changes to saved, and its clip plays, is deleted and restored", { skip }, async () => {
  await using stage = await openRecording();
  const { page, launcher } = stage;
  await setRecords(page, "Never: moments become markers");
  await page.getByRole("link", { name: "Recorder: Off" }).waitFor();
  await launcher.send("recording", { eventId: "mygame_won" });
  await shortenClips(stage, "mygame_won");
  await setRecords(page, "Always");
  await page.getByRole("link", { name: "Recorder: Recording" }).waitFor();
  await page
    .getByRole("definition")
    .filter({ hasText: /^([3-9]|\d\d) seconds, / })
    .waitFor();
  await untilHeld(stage, 3);

  await openPage(page, "Live");
  await page.getByRole("status").filter({ hasText: "Listening" }).waitFor();
  await rowWith(page, "mygame_won").filter({ hasText: "Marker saved" }).waitFor();
  const { id } = await launcher.send("recording", { eventId: "mygame_won" });
  const row = page.locator(`.row[data-key="${id}"]`);
  await row.click();
  const details = page.getByRole("complementary", { name: "Details" });
  const states = details.getByRole("list", { name: "States, oldest first" }).locator(".timeline-state");
  await states.filter({ hasText: /Saved|Failed|Marker saved/ }).waitFor();
  // The feed may report the last state before the page has fetched the first one.
  await eventually(() => states.allInnerTexts(), ["Accepted", "Recording", "Saved"]);
  await row.filter({ hasText: "Saved" }).waitFor();
  await details.locator(".clip-tile").click();
  await assertPlays(page, 3);

  const path = (await page.locator(".clip-path").textContent()) ?? "";
  assert.ok(statSync(path).size > 1_000, path);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const card = page.locator(".clip-card");
  await card.waitFor({ state: "detached" });
  // The page removes the card before the launcher has moved the file.
  await eventually(async () => existsSync(path), false);
  await page.getByText("1 marker", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await card.waitFor();
  // The row is restored first, the file right after it.
  await eventually(async () => existsSync(path), true);
  assert.deepEqual(stage.complaints, []);
});

test("a test clip is made while nothing is being recorded, and can be played at once, outside the gallery", {
  skip,
}, async () => {
  await using stage = await openRecording();
  const { page } = stage;
  await openPage(page, "Clips");
  await page.getByRole("button", { name: "Record a test clip" }).click();
  await page.locator(".clip-tile").filter({ hasText: "Test recording" }).waitFor();
  assert.equal(await page.locator(".clip-card").count(), 0);
  await page.locator(".clip-tile").click();
  await assertPlays(page, 2);
  assert.deepEqual(stage.complaints, []);
});
