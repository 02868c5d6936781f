// Test of one session in a real browser: its track has a layout, and its clips are played.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { answerAs } from "./answer-as.ts";
import { answerMedia } from "./clip-media.ts";
import { launcherWithSessions } from "./component/fake-sessions.ts";
import { fullTimeline, sessionOf } from "./session-samples.ts";
import { eventually, openStage } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

const video = (page: Page) => page.locator(".beside video");
const playsAt = (page: Page) =>
  video(page).evaluate((element) => Math.round((element as HTMLVideoElement).currentTime));
const paused = (page: Page) => video(page).evaluate((element) => (element as HTMLVideoElement).paused);
const widthOf = (page: Page) => page.locator(".track-drawing").evaluate((svg) => svg.clientWidth);
/** Whether the selected mark is in the part of the track that is scrolled into view. */
const isSeen = (page: Page) =>
  page.locator('.track-mark[data-current="true"]').evaluate((mark) => {
    const [box, frame] = [mark, mark.closest(".track-window")].map((each) => each?.getBoundingClientRect());
    return box !== undefined && frame !== undefined && box.left >= frame.left && box.right <= frame.right;
  });

test("a session's track folds gaps, zooms around the selected item, and a mark plays its clip from its second", {
  skip,
}, async () => {
  const session = sessionOf(2);
  const { launcher: fake } = launcherWithSessions({ timelines: { [session.id]: [fullTimeline(session)] } });
  await using stage = await openStage({
    prepare: async (opened) => {
      await answerAs(opened, fake);
      await answerMedia(opened);
    },
  });
  const { page, launcher, complaints } = stage;
  await page.goto(`http://127.0.0.1:${launcher.port}/#/sessions/${session.id}`);
  await eventually(() => page.locator(".track-folded").count(), 4);
  const whole = await widthOf(page);
  const track = page.getByRole("slider", { name: "What happened, in chronological order" });
  await track.focus();
  await page.keyboard.press("End");
  for (const _ of [1, 2, 3]) await page.keyboard.press("+");
  await eventually(async () => (await widthOf(page)) > 2 * whole, true);
  await eventually(() => isSeen(page), true);
  await page.keyboard.press("Home");
  await eventually(() => isSeen(page), true);
  await page.locator(".track-poster image").waitFor();
  for (const _ of [1, 2, 3]) await page.keyboard.press("-");
  await eventually(() => widthOf(page), whole);
  assert.equal(await page.getByRole("button", { name: "Zoom out" }).isDisabled(), true);

  await page.locator(".item").filter({ hasText: "prologue done" }).last().getByRole("button").click();
  await eventually(() => playsAt(page), 12);
  await page.keyboard.press("j");
  await eventually(() => playsAt(page), 7);
  await track.focus();
  await page.keyboard.press("Space");
  await eventually(() => paused(page), false);
  await page.keyboard.press("k");
  await eventually(() => paused(page), true);
  // The opened item is in the address.
  await page.reload();
  await page.getByRole("complementary", { name: "prologue done" }).waitFor();
  assert.deepEqual(complaints, []);
});
