// Tests of Home's accessibility and width in both colour schemes, and of the focus after its dialog.
import assert from "node:assert/strict";
import {
  type GameSession,
  getRecorder,
  listClips,
  listPosts,
  listSessions,
  makeReel,
  saveRecording,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import { answerAs } from "./answer-as.ts";
import { recorderStateOf, reportOf } from "./clip-samples.ts";
import { createFakeLauncher } from "./component/fake-launcher.ts";
import { answerPictures } from "./post-pictures.ts";
import { postOf } from "./post-samples.ts";
import { playedClipOf, sessionOf } from "./session-samples.ts";
import { eventually, openStage } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

test("Home is accessible in its states, and the focus returns to the button of a reel that was made", {
  skip,
}, async () => {
  const fake = createFakeLauncher();
  const { when } = fake;
  let sessions: GameSession[] = [];
  when(listSessions).reply(() => ({ sessions, more: false, forgotten: 0 }));
  const clips = [1, 2, 3].map((n) => playedClipOf(n));
  when(listClips).reply(() => ({ clips, more: false, bytes: 0, quotaBytes: 1e10 }));
  when(listPosts).reply(() => ({ posts: [1, 2, 3].map((n) => postOf(n)), more: false, drafts: 5, held: 0 }));
  const detail = message("window.of_game_not_found");
  when(getRecorder).reply(() => reportOf({ state: recorderStateOf({ state: "recording", detail }) }));
  const marker = playedClipOf(7, { kind: "marker", state: "marked", reason: "Nothing is recorded yet" });
  when(saveRecording).reply(() => marker);
  when(makeReel).reply(() => playedClipOf(20, { parts: [] }));
  const prepare = async (page: Page) => {
    await answerAs(page, fake);
    await answerPictures(page);
  };
  await using stage = await openStage({ bypassCSP: true, prepare });
  const { page, launcher, complaints } = stage;
  const open = async (fragment: string) => {
    await page.goto("about:blank");
    await page.goto(`http://127.0.0.1:${launcher.port}/${fragment}`);
  };
  const notice = page.getByRole("region", { name: "Kit records the whole screen" });
  await open("#/home");
  await notice.getByRole("button", { name: "Dismiss" }).waitFor();
  await page.getByRole("button", { name: "Save the last 30 seconds" }).click();
  await page.getByText("No clip: Nothing is recorded yet").waitFor();
  await assertAccessibleInBothSchemes(page, "Home with drafts, while the whole screen is recorded");
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await page.getByRole("region", { name: "Add your game" }).waitFor();
  await assertAccessibleInBothSchemes(page, "Home before the first session");

  sessions = [sessionOf(1, { game: "mygame" })];
  await open("#/home");
  await page.getByRole("region", { name: "Share your clips" }).waitFor();
  await page.setViewportSize(narrow);
  await assertAccessibleInBothSchemes(page, "Home with clips at 360 px");
  await page.getByRole("button", { name: "Reel of the best moments" }).click();
  await page.getByRole("dialog", { name: "Make a reel" }).waitFor();
  await assertAccessibleInBothSchemes(page, "Home with the dialog of a reel at 360 px");
  await page.getByRole("button", { name: "Make the reel" }).click();
  await page.getByRole("link", { name: "Open the reel" }).waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Reel of the best moments");
  assert.deepEqual(complaints, []);
});
