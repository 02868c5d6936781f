// Test of a real clip in a real browser: the gallery previews it, and the player plays it and steps through its frames.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { answerAs } from "./answer-as.ts";
import { answerMedia } from "./clip-media.ts";
import { clipOf, everyKind } from "./clip-samples.ts";
import { cardWith } from "./clips-stage.ts";
import { launcherWithClips } from "./component/fake-clips.ts";
import { eventually, openStage } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

test("a card previews its clip silently, and the player plays it from a moment and by keys", { skip }, async () => {
  const clip = clipOf(2);
  const { launcher: fake } = launcherWithClips({ clips: everyKind() });
  await using stage = await openStage({
    prepare: async (opened) => {
      await answerAs(opened, fake);
      await answerMedia(opened);
    },
  });
  const { page, launcher, complaints } = stage;
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto(`http://127.0.0.1:${launcher.port}/#/clips`);

  const card = cardWith(page, "mygame_boss_defeated");
  const preview = page.locator(".clip-preview");
  const plays = () => preview.evaluateAll((all) => all.map((video) => (video as HTMLVideoElement).currentTime > 0));
  await card.hover();
  await eventually(plays, [true]);
  assert.equal(await preview.evaluate((video) => (video as HTMLVideoElement).muted), true);
  await page.getByRole("heading", { name: "Clips", exact: true }).hover();
  await eventually(plays, []);
  await card.locator(".clip-link").focus();
  await eventually(plays, [true]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await card.locator(".clip-link").blur();
  await card.hover();
  await eventually(plays, []);

  await card.click();
  await page.getByRole("dialog", { name: clip.title }).waitFor();
  const video = page.locator("video[controls]");
  const now = () => video.evaluate((element) => (element as HTMLVideoElement).currentTime);
  const paused = () => video.evaluate((element) => (element as HTMLVideoElement).paused);
  await eventually(() => video.evaluate((element) => Math.round((element as HTMLVideoElement).duration)), 17);
  // The slowest speed, so that the moment is still the current one when the test looks.
  await video.evaluate((element) => {
    (element as HTMLVideoElement).playbackRate = 0.0625;
  });
  const moments = page.getByRole("list", { name: "Moments in order of time" });
  await moments.getByRole("button", { name: "Nil has no hp" }).click();
  await moments.locator('[data-current="true"]').filter({ hasText: "Nil has no hp" }).waitFor();
  await eventually(async () => (await now()) >= 8, true);
  assert.equal(await paused(), false);
  await page.keyboard.press("k");
  await eventually(paused, true);
  const at = (expected: number) =>
    eventually(async () => Math.round((await now()) * 1_000), Math.round(expected * 1_000));
  for (const [key, expected] of [
    ["Home", 0],
    ["]", 3],
    [".", 3 + 1 / 30],
    [",", 3],
  ] as const) {
    await page.keyboard.press(key);
    await at(expected);
  }
  await video.focus();
  await page.keyboard.press("Space");
  await eventually(paused, false);
  await page.keyboard.press("k");
  // The browser keeps the focus inside the dialog, and gives it back to the card.
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute("data-clip")), clip.id);
  assert.deepEqual(complaints, []);
});
