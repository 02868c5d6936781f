// From a trigger to a clip that plays in the page: the real launcher, a real screen, the real ffmpeg, a real browser.
import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { test } from "node:test";
import { changeRecordingRule, getRecorder, hasCode } from "@kit/contract";
import type { Page } from "playwright-core";
import { openClockWindow } from "../../tools/engines/clock-window.ts";
import { openDisplay } from "../../tools/engines/display.ts";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clientOf } from "./issue-stage.ts";
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
  await page.getByRole("combobox", { name: "When to record" }).selectOption(when);
  await page.getByText("Saved", { exact: true }).waitFor();
};

/**
 * Waits until that much is held of what the recorder chose. What it captured by a first guess, while it was finding out,
 * may not fit into one file with the rest: a clip that needed seconds of both would be shorter.
 */
async function untilHeld({ launcher }: Stage, seconds: number): Promise<void> {
  const client = clientOf(launcher);
  let settledAtMs: number | undefined;
  const look = async () => {
    const { state, detail, heldSeconds } = (await client.call(getRecorder)).state;
    if (state !== "recording" || hasCode(detail, "recorder.still_probing")) settledAtMs = undefined;
    else settledAtMs ??= performance.now();
    const ownSeconds = settledAtMs === undefined ? 0 : (performance.now() - settledAtMs) / 1_000;
    return Math.min(ownSeconds, heldSeconds) > seconds;
  };
  await eventually(look, true, patience.timeout);
}

/** Two seconds before and one after, each moment by itself: how a person sets that is another test's matter. */
async function shorten({ launcher }: Stage, eventId: string): Promise<void> {
  const short = { preSeconds: 2, postSeconds: 1, mergeGapSeconds: 0, cooldownSeconds: 0 };
  await clientOf(launcher).call(changeRecordingRule, { body: { eventId, ...short } });
}

/** What the browser itself finds in the file: its length, and whether it plays. */
async function assertPlays(page: Page, secondsMin: number): Promise<void> {
  const video = page.locator("video[controls]");
  // What stands in its place says why there is none.
  const instead = async (cause: Error) => {
    throw new Error(`${cause.message}\n${await page.locator("main, [role=dialog]").last().innerText()}`, { cause });
  };
  await video.waitFor().catch(instead);
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
  await shorten(stage, "mygame_won");
  await setRecords(page, "Always");
  await page.getByRole("link", { name: "Recorder: Recording" }).waitFor(patience);
  await page
    .getByRole("definition")
    .filter({ hasText: /^([3-9]|\d\d) seconds, / })
    .waitFor(patience);
  await untilHeld(stage, 3);

  await page.getByRole("link", { name: "Live" }).click();
  await page.getByRole("status").filter({ hasText: "Listening" }).waitFor();
  await rowWith(page, "mygame_won").filter({ hasText: "Marker saved" }).waitFor();
  const { id } = await launcher.send("recording", { eventId: "mygame_won" });
  const row = page.locator(`.row[data-key="${id}"]`);
  await row.click();
  const details = page.getByRole("complementary", { name: "Details" });
  const states = details.getByRole("list", { name: "States, oldest first" });
  await states.filter({ hasText: /Saved|Failed|Marker saved/ }).waitFor(patience);
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
  // Its row is taken back first, the file right after it.
  await eventually(async () => existsSync(path), true);
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
