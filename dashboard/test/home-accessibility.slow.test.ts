// Tests of Home's accessibility and width in both colour schemes, and of the focus after its dialog.
import assert from "node:assert/strict";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import { recorderStateOf } from "./clip-samples.ts";
import { postOf } from "./post-samples.ts";
import { playedClipOf, sessionOf } from "./session-samples.ts";
import { shareSessionStage } from "./session-stage.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareSessionStage(skip, { bypassCSP: true });

test("Home is accessible in its states, and the focus returns to the button of a reel that was made", {
  skip,
}, async () => {
  const { page, clips, answers, complaints, go } = await open("");
  await page.getByRole("region", { name: "Connect your game" }).waitFor();
  await assertAccessibleInBothSchemes(page, "Home before the first session");

  answers.sessions = [sessionOf(1, { game: "mygame" })];
  const posts = [1, 2, 3].map((n) => postOf(n));
  await page.route(/\/api\/posts\?/u, (route) => route.fulfill({ json: { posts, more: false, drafts: 5, held: 0 } }));
  await page.route("**/api/posts/*/picture*", (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg" />' }),
  );
  const marker = playedClipOf(7, { kind: "marker", state: "marked", reason: "Nothing is recorded yet" });
  await page.route("**/api/recording/save", (route) => route.fulfill({ json: marker }));
  const detail = message("window.of_game_not_found");
  clips.report = { ...clips.report, state: recorderStateOf({ state: "recording", detail }) };
  await go("#/home");
  await page.reload();
  const notice = page.getByRole("region", { name: "Kit records the whole screen" });
  await page.getByRole("button", { name: "Save the last 30 seconds" }).click();
  await page.getByText("No clip: Nothing is recorded yet").waitFor();
  await notice.waitFor();
  await assertAccessibleInBothSchemes(page, "Home with drafts, while the whole screen is recorded");
  await notice.getByRole("button", { name: "Dismiss" }).click();
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
