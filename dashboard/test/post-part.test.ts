// Tests of the part of a clip that a post carries, in a real browser: it is shown, played, and changed by a person.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { postIdOf, postOf, readyFootage } from "./post-samples.ts";
import { postWith, sharePostStage, toast } from "./post-stage.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = sharePostStage(skip);

const around = { fromSeconds: 12, toSeconds: 29 };
const footage = { ...readyFootage, clipSeconds: 41.2, part: around, momentPart: around };
const path = `/api/posts/${postIdOf(998)}`;

test("a draft says which seconds of its clip it carries, and plays exactly the file that is posted", {
  skip,
}, async () => {
  const { page, complaints } = await open("#/posts", { posts: [postOf(1, { footage, text: "Down!" })] });
  const card = postWith(page, "Down!");
  await card.getByText("0:12 to 0:29 of 0:41").waitFor();
  // The stand-in has no video, so the player soon shows an error instead of its element.
  const loading = page.waitForRequest((request) => new URL(request.url()).pathname === `${path}/video`);
  await card.getByRole("button", { name: "Play what is posted, 17 seconds long" }).click();
  await loading;
  const dialog = page.getByRole("dialog", { name: "What is posted" });
  await dialog.getByRole("link", { name: "Open the whole clip" }).waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});

test("a person has the whole clip posted, other seconds, or those of the moment again", { skip }, async () => {
  const { page, answers, complaints } = await open("#/posts", { posts: [postOf(1, { footage, text: "Down!" })] });
  const edit = async (choice: string, type?: () => Promise<void>) => {
    await postWith(page, "Down!").getByRole("button", { name: /^Edit/ }).click();
    await page.getByLabel("Part of the clip", { exact: true }).selectOption(choice);
    await type?.();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await toast(page, "Saved: boss defeated.").waitFor();
    await postWith(page, "Down!").getByRole("button", { name: /^Edit/ }).waitFor();
  };
  const part = (value: object | null) => `PUT ${path} ${JSON.stringify({ part: value })}`;
  await edit("whole");
  await edit("other", async () => {
    await page.getByLabel("Start and end, in seconds").fill("30");
    await page.getByText("Choose at least 0.5 s between 0 and 41.2 s.").waitFor();
    await page.getByLabel("End, in seconds", { exact: true }).fill("35,5");
  });
  await eventually(async () => answers.changes, [part(null), part({ fromSeconds: 30, toSeconds: 35.5 })]);
  assert.deepEqual(complaints, []);
});
