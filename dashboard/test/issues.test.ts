// Tests of issues in a real browser with the real launcher: an error from the Live page to its issue, the commands, and its video.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clipOf } from "./clip-samples.ts";
import { issueOf, issueWith, shareIssueStage, toastWith, untilShown } from "./issue-stage.ts";
import { downloadedBytes } from "./shared-browser.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareIssueStage(skip, { acceptDownloads: true });

test("an error on the Live page leads to its issue, which is downloaded and translated, and leads back to the Live page", {
  skip,
}, async () => {
  const stage = await open("#/live");
  const { page, report, complaints } = stage;
  const [event = ""] = await report("Path is lost");
  const id = await issueOf(stage, event);
  await page.locator(`.row[data-key="${event}"]`).click();
  await page.getByRole("link", { name: "Open the issue" }).click();
  await page.getByRole("heading", { level: 1, name: "Path is lost" }).waitFor();
  await eventually(() => page.locator(".frame-name").allTextContents(), ["path_is_lost", "_ready"]);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "JSON" }).click();
  const file = await downloading;
  assert.equal(file.suggestedFilename(), `kit-issue-${id}.json`);
  const detail = JSON.parse((await downloadedBytes(file)).toString());
  assert.deepEqual([detail.issue.id, detail.report.event], [id, event]);
  await page.evaluate(() => localStorage.setItem("kit-language", "ja"));
  await page.reload();
  await page.getByText("Markdown をコピー", { exact: true }).waitFor();
  await page.getByText("リンクをコピー", { exact: true }).waitFor();
  await page.evaluate(() => localStorage.removeItem("kit-language"));
  await page.reload();
  await page.getByRole("region", { name: "What happened before" }).getByRole("link").last().click();
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByRole("heading", { name: "Path is lost", exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test("issues are resolved, muted and merged, each with undo, and an issue that occurs again is shown as regressed", {
  skip,
}, async () => {
  const stage = await open("#/issues?search=elm");
  const { page, report, complaints } = stage;
  const titles = ["Elm one splits", "Elm two splits", "Elm three splits"] as const;
  for (const title of titles.toReversed()) await issueOf(stage, (await report(title))[0] ?? "");
  await page.reload();
  await untilShown(page, titles);
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  await toastWith(page, "Resolved.").waitFor();
  await untilShown(page, titles.slice(1));
  await toastWith(page, "Resolved.").getByRole("button", { name: "Undo" }).click();
  await untilShown(page, titles);

  const select = async () => {
    for (const which of ["one", "two"])
      await page.getByRole("checkbox", { name: `Select: Elm ${which} splits` }).click();
  };
  await select();
  await page.keyboard.press("m");
  await page.getByRole("dialog", { name: "Mute for how long?" }).waitFor();
  // The first choice has the focus.
  await page.keyboard.press("Enter");
  await toastWith(page, "2 issues muted.").getByRole("button", { name: "Undo" }).click();
  await untilShown(page, titles);

  await select();
  await page.getByRole("button", { name: "Merge" }).click();
  const dialog = page.getByRole("dialog", { name: "Merge 2 issues into one" });
  await dialog.getByRole("radio", { name: /Elm one/ }).click();
  await dialog.getByRole("button", { name: "Merge" }).click();
  await issueWith(page, "Elm one").getByText("2 reports", { exact: true }).waitFor();
  await untilShown(page, [titles[0], titles[2]]);
  await toastWith(page, "2 issues merged into one.").getByRole("button", { name: "Undo" }).click();
  await untilShown(page, titles);
  await issueWith(page, "Elm one").getByText("1 report", { exact: true }).waitFor();

  await page.getByRole("checkbox", { name: "Select: Elm two splits" }).click();
  await page.getByRole("button", { name: "Resolve" }).click();
  await untilShown(page, [titles[0], titles[2]]);
  await report(titles[1]);
  await page.getByRole("button", { name: "Show new (1 issue)" }).click();
  await untilShown(page, [titles[1], titles[0], titles[2]]);
  await issueWith(page, "Elm two").getByText("Regressed").waitFor();
  assert.deepEqual(complaints, []);
});

test("the video starts at the error, and plays the seconds before it", { skip }, async () => {
  const stage = await open("#/issues");
  const { page, report, answers, go, complaints } = stage;
  const [event = ""] = await report("Reed is broken");
  const [moment] = clipOf(1).events;
  assert.ok(moment);
  answers.clips = [clipOf(1, { events: [{ ...moment, id: event, kind: "monitor", offset: 12 }] })];
  await go(`#/issues/${await issueOf(stage, event)}`);
  const video = page.getByRole("region", { name: "Video" }).locator("video");
  const at = () => video.evaluate((element) => Math.round((element as HTMLVideoElement).currentTime));
  await eventually(at, 12);
  // The slowest speed, because the test may look late at a video that plays.
  await video.evaluate((element: HTMLVideoElement) => {
    element.playbackRate = 0.0625;
  });
  await page.getByRole("button", { name: "10 seconds before" }).click();
  await eventually(async () => [2, 3, 4].includes(await at()), true);
  await eventually(() => video.evaluate((element) => (element as HTMLVideoElement).paused), false);
  await page.getByRole("button", { name: "At the error" }).click();
  await eventually(() => video.evaluate((element) => (element as HTMLVideoElement).paused), true);
  await eventually(at, 12);
  await page.getByRole("link", { name: /^#1.*with a video$/ }).waitFor();
  assert.deepEqual(complaints, []);
});
