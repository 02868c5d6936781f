// Tests of media passes with the real launcher: when a pass expires, the launcher restarts or another tab signs in, the page gets
// a new pass by itself, and pictures, videos and downloads go on. A pass is made to expire by letting the launcher refuse it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { changeLibraryGame, passParameter, setCover } from "@kit/contract";
import type { Page, Route } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clipOf } from "./clip-samples.ts";
import { cardWith, shareStage } from "./clips-stage.ts";
import { clientOf } from "./issue-stage.ts";
import { downloadedBytes } from "./shared-browser.ts";
import { eventually, openStage, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const pictureOf = (size: 192 | 512) =>
  readFileSync(join(import.meta.dirname, `../public/icons/kit-${size}.png`), "base64");
const giveCover = ({ launcher }: Stage, size: 192 | 512) =>
  clientOf(launcher).call(setCover, { params: { game: "lanternwood" }, body: { picture: pictureOf(size) } });

const cover = (page: Page) => page.getByRole("article", { name: "lanternwood" }).locator(".game-cover img");
const passOf = async (page: Page) => {
  const src = (await cover(page).getAttribute("src")) ?? "";
  return new URL(src, page.url()).searchParams.get(passParameter) ?? "";
};
const isSeen = (page: Page) =>
  eventually(() => cover(page).evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0), true);
const toGames = (page: Page, { launcher }: Stage) => page.goto(`http://127.0.0.1:${launcher.port}/#/games`);

/** Lets the pass expire: replaces its signature in every request, so that the launcher refuses it. */
async function expire(page: Page, pass: string): Promise<void> {
  const other = pass.endsWith("A") ? `${pass.slice(0, -1)}E` : `${pass.slice(0, -1)}A`;
  const replaceSignature = (route: Route) => route.continue({ url: route.request().url().replace(pass, other) });
  await page.context().route((url) => url.searchParams.get(passParameter) === pass, replaceSignature);
}

/** Opens a page with a game's cover; returns the pass in the cover's address. */
async function openCover(stage: Stage): Promise<string> {
  const { page, launcher } = stage;
  await launcher.send("recording", { eventId: "lanternwood_step" });
  await clientOf(launcher).call(changeLibraryGame, { body: { game: "lanternwood" } });
  await giveCover(stage, 192);
  await toGames(page, stage);
  await isSeen(page);
  return passOf(page);
}

/** Leaves out the browser's messages about refused pictures, which the tests cause. */
const serious = (complaints: readonly string[]) =>
  complaints.filter((text) => !/401|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|ERR_SOCKET/u.test(text));

test("an open page renews its pass in time, and a page that missed the time gets one when a picture is refused", {
  skip,
}, async () => {
  await using stage = await openStage({ prepare: (page) => page.clock.install() });
  const { page } = stage;
  const first = await openCover(stage);
  await expire(page, first);
  await page.clock.fastForward("31:00");
  await eventually(async () => (await passOf(page)) !== first, true);
  await isSeen(page);
  const second = await passOf(page);
  await expire(page, second);
  // Longer than the page waits after it got a pass, shorter than until it requests the next.
  await page.clock.fastForward("02:00");
  await giveCover(stage, 512);
  await eventually(async () => ![first, second].includes(await passOf(page)), true);
  await isSeen(page);
  assert.deepEqual(serious(stage.complaints), []);
});

test("a cover is shown after a restart of the launcher, in a second tab, and in both after a tab signs in again", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  const first = await openCover(stage);
  await launcher.killHard();
  await launcher.start();
  const path = `/api/library/lanternwood/cover?${passParameter}=${first}`;
  assert.equal(await page.evaluate(async (address) => (await fetch(address)).status, path), 200);
  await page.reload();
  await isSeen(page);
  const second = await stage.newPage();
  await toGames(second, stage);
  await isSeen(second);
  const before = await passOf(page);
  const third = await stage.newPage();
  await third.goto(await launcher.ownLink());
  await third.getByRole("heading", { name: "Home" }).waitFor();
  for (const tab of [page, second]) {
    await eventually(async () => (await passOf(tab)) !== before, true);
    await isSeen(tab);
  }
  assert.deepEqual(serious(stage.complaints), []);
});

test("a backup is downloaded twice after the pass expired", { skip }, async () => {
  await using stage = await openStage();
  const { page } = stage;
  await expire(page, await openCover(stage));
  await page.evaluate(() => {
    location.hash = "#/storage";
  });
  await page.getByRole("button", { name: "Make a backup now" }).click();
  for (const _ of ["once", "again"]) {
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Download the backup from/u }).click();
    const saved = await downloadedBytes(await saving);
    assert.equal(saved.subarray(0, 15).toString(), "SQLite format 3");
  }
  assert.deepEqual(serious(stage.complaints), []);
});

const open = shareStage(skip);

test("a video whose pass expires during playback continues where it was, at its speed", { skip }, async () => {
  const { page } = await open("#/clips", { clips: [clipOf(1)] });
  const passes = new Set<string>();
  const middle = Promise.withResolvers<void>();
  // The first pass only gets the start of the video and then expires.
  await page.route(/\/video\?/u, async (route) => {
    const headers = route.request().headers();
    const url = new URL(route.request().url());
    passes.add(url.searchParams.get(passParameter) ?? "");
    if (passes.size > 1) return route.fallback();
    if (/bytes=0-/u.test(headers.range ?? ""))
      return route.fallback({ headers: { ...headers, range: "bytes=0-199999" } });
    await middle.promise;
    return route.fulfill({ status: 401, contentType: "application/problem+json", body: "{}" });
  });
  await cardWith(page, clipOf(1).title).click();
  const video = page.locator("video[controls]");
  const now = () => video.evaluate((element: HTMLVideoElement) => element.currentTime);
  await eventually(() => video.evaluate((element: HTMLVideoElement) => Math.round(element.duration)), 17);
  await video.evaluate((element: HTMLVideoElement) => {
    // So slow that it still plays when the test looks.
    element.playbackRate = 0.5;
    const onPlaying = () => Object.assign(window, { kitContinuedAt: element.currentTime });
    const onLoaded = () => element.addEventListener("playing", onPlaying, { once: true });
    // The page loads the video a second time with the new pass.
    element.addEventListener("loadedmetadata", onLoaded, { once: true });
    return element.play();
  });
  await eventually(async () => (await now()) > 1, true);
  const before = await now();
  middle.resolve();
  await eventually(async () => passes.size, 2);
  const continuedAt = () =>
    page.evaluate(() => (window as unknown as { kitContinuedAt?: number }).kitContinuedAt ?? -1);
  await eventually(async () => (await continuedAt()) >= 0, true);
  const at = await continuedAt();
  // The browser may continue at a picture a little before.
  assert.ok(at >= before - 0.1, `continued at ${at} s, but was at ${before} s`);
  const [rate, isPaused] = await video.evaluate((each: HTMLVideoElement) => [each.playbackRate, each.paused]);
  assert.deepEqual([rate, isPaused], [0.5, false]);
  await video.evaluate((element: HTMLVideoElement) => {
    element.playbackRate = 4;
  });
  await eventually(async () => (await now()) > 10, true);
});
