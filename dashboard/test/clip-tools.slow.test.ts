// Tests of what needs a layout and a real clip in the player: dragging, playing a range, and the download of a frame.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes } from "./accessible.ts";
import { answerAs } from "./answer-as.ts";
import { answerMedia } from "./clip-media.ts";
import { clipOf } from "./clip-samples.ts";
import { isInDialog } from "./clips-stage.ts";
import { launcherWithClips } from "./component/fake-clips.ts";
import { eventually, openStage } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

const video = (page: Page) => page.locator("video[controls]");
const state = (page: Page) =>
  video(page).evaluate((element) => {
    const { currentTime, paused, loop, playbackRate } = element as HTMLVideoElement;
    return { at: currentTime, paused, loop, playbackRate };
  });
const edge = (page: Page, end: "start" | "end") =>
  page.getByRole("slider", { name: end === "start" ? "Start of the selection" : "End of the selection" });
const positionOf = async (page: Page, end: "start" | "end") =>
  Number(Number(await edge(page, end).getAttribute("aria-valuenow")).toFixed(2));

/** Opens the player with a clip that can be played. */
async function openPlayer() {
  const clip = clipOf(1);
  const { launcher: fake } = launcherWithClips({ clips: [clip] });
  const stage = await openStage({
    prepare: async (page) => {
      await answerAs(page, fake);
      await answerMedia(page);
    },
  });
  const { page, launcher } = stage;
  await page.goto(`http://127.0.0.1:${launcher.port}/#/clips/${clip.id}`);
  await video(page).waitFor();
  await eventually(() => video(page).evaluate((element) => (element as HTMLVideoElement).readyState >= 2), true);
  return stage;
}

test("edges of a range are dragged, and the range plays to its end, once or in a loop", { skip }, async () => {
  await using stage = await openPlayer();
  const { page } = stage;
  await page.getByRole("button", { name: "Trim", exact: true }).click();
  await eventually(() => isInDialog(page, "Save as a new clip"), true);
  const line = await page.locator(".part-line").boundingBox();
  assert.ok(line);
  const near = async (end: "start" | "end", second: number) => Math.abs((await positionOf(page, end)) - second) < 0.1;
  const drag = async (end: "start" | "end", second: number) => {
    const handle = await edge(page, end).boundingBox();
    assert.ok(handle);
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
    await page.mouse.down();
    await page.mouse.move(line.x + (line.width * second) / 17, line.y + 4, { steps: 4 });
    await page.mouse.up();
    // The page draws the new position one frame after the pointer moved.
    await eventually(() => near(end, second), true);
  };
  await drag("start", 3);
  await drag("end", 4);
  assert.deepEqual([await near("start", 3), await near("end", 4)], [true, true]);
  await page.getByRole("button", { name: "Play the selection" }).click();
  await eventually(async () => {
    const { at, paused } = await state(page);
    return paused && Math.abs(at - 4) < 0.1;
  }, true);
  await page.getByRole("button", { name: "Loop" }).click();
  // Watched in the page itself, frame by frame, however long a frame takes: playback jumps back to the start of the range.
  const jumping = video(page).evaluate(
    (element) =>
      new Promise<{ framesBehind: number; to: number }>((resolve) => {
        const player = element as HTMLVideoElement;
        let framesBehind = 0;
        let hasPlayed = false;
        const checkFrame = () => {
          requestAnimationFrame(checkFrame);
          if (player.seeking || player.paused) return;
          hasPlayed ||= player.currentTime < 3.9;
          if (hasPlayed && player.currentTime > 4.1) framesBehind += 1;
        };
        player.addEventListener("seeking", () => hasPlayed && resolve({ framesBehind, to: player.currentTime }));
        checkFrame();
      }),
  );
  await page.getByRole("button", { name: "Play the selection" }).click();
  const jump = await jumping;
  assert.ok(jump.framesBehind <= 1 && Math.abs(jump.to - 3) < 0.1, JSON.stringify(jump));
  await page.getByRole("button", { name: "Trim", exact: true }).click();
  await eventually(async () => (await state(page)).loop, true);
  await page.getByRole("button", { name: "Loop" }).focus();
  await page.keyboard.press(">");
  await eventually(async () => (await state(page)).playbackRate, 1.5);
  await eventually(() => page.getByRole("combobox", { name: "Speed" }).inputValue(), "1.5");
  assert.deepEqual(stage.complaints, []);
});

test("the frame of an upright copy is dragged, and the shown frame is saved as a download", { skip }, async () => {
  await using stage = await openPlayer();
  const { page } = stage;
  await page.getByRole("button", { name: "Export" }).click();
  await eventually(() => isInDialog(page, "Make a copy"), true);
  await page.getByRole("radio", { name: "Vertical 9:16" }).check();
  const frame = page.getByRole("slider", { name: "Position of the vertical frame" });
  const position = async () => Number(await frame.getAttribute("aria-valuenow"));
  await frame.focus();
  await page.keyboard.press("Home");
  await eventually(position, 0);
  await assertAccessibleInBothSchemes(page, "player with the upright frame");
  const box = await frame.boundingBox();
  const whole = await page.locator(".crop").boundingBox();
  assert.ok(box && whole);
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(whole.x + whole.width / 2, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await eventually(async () => Math.abs((await position()) - 50) <= 1, true);
  await page.keyboard.press("l");
  await eventually(async () => (await state(page)).at, 5);
  const downloading = page.waitForEvent("download");
  await page.keyboard.press("s");
  assert.equal((await downloading).suggestedFilename(), "boss at 5.png");
  assert.deepEqual(stage.complaints, []);
});
