// Pictures, videos and downloads when their pass is over, the launcher starts anew, or another tab signs in: the page gets itself a
// new pass, and nobody has to load anything again. The launcher is the real one; an hour is over when it refuses the pass.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { changeLibraryGame, passMember, setCover } from "@kit/contract";
import type { Page, Route } from "playwright-core";
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
  return new URL(src, page.url()).searchParams.get(passMember) ?? "";
};
const isSeen = (page: Page) =>
  eventually(() => cover(page).evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0), true);
const toGames = (page: Page, { launcher }: Stage) => page.goto(`http://127.0.0.1:${launcher.port}/#/games`);

/** From now on the launcher is asked with another signature where the page sends the pass it has: it refuses it. */
async function end(page: Page, pass: string): Promise<void> {
  const other = pass.endsWith("A") ? `${pass.slice(0, -1)}E` : `${pass.slice(0, -1)}A`;
  const asked = (route: Route) => route.continue({ url: route.request().url().replace(pass, other) });
  await page.context().route((url) => url.searchParams.get(passMember) === pass, asked);
}

/** A page that shows a game's cover, and the pass by which it does. */
async function openCover(stage: Stage): Promise<string> {
  const { page, launcher } = stage;
  await launcher.send("recording", { eventId: "lanternwood_step" });
  await clientOf(launcher).call(changeLibraryGame, { body: { game: "lanternwood" } });
  await giveCover(stage, 192);
  await toGames(page, stage);
  await isSeen(page);
  return passOf(page);
}

/** What the browser says of a picture that was refused, which is what was meant. */
const serious = (complaints: readonly string[]) =>
  complaints.filter((said) => !/401|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|ERR_SOCKET/u.test(said));

test("a page that stays open gets itself a new pass, and one that slept through the hour when a picture is refused", {
  skip,
}, async () => {
  await using stage = await openStage({ prepare: (page) => page.clock.install() });
  const { page } = stage;
  const first = await openCover(stage);
  await end(page, first);
  await page.clock.fastForward("31:00");
  await eventually(async () => (await passOf(page)) !== first, true);
  await isSeen(page);
  const second = await passOf(page);
  await end(page, second);
  // Longer than a page waits after it got a pass, shorter than until it asks for the next.
  await page.clock.fastForward("02:00");
  await giveCover(stage, 512);
  await eventually(async () => ![first, second].includes(await passOf(page)), true);
  await isSeen(page);
  assert.deepEqual(serious(stage.complaints), []);
});

test("a picture is shown after a restart of the launcher, in a second tab, and in both once one signs in anew", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  const first = await openCover(stage);
  await launcher.killHard();
  await launcher.start();
  const path = `/api/library/lanternwood/cover?${passMember}=${first}`;
  assert.equal(await page.evaluate(async (address) => (await fetch(address)).status, path), 200);
  await page.reload();
  await isSeen(page);
  const second = await stage.newPage();
  await toGames(second, stage);
  await isSeen(second);
  const before = await passOf(page);
  const third = await stage.newPage();
  await third.goto(await launcher.ownLink());
  await third.getByRole("status").filter({ hasText: "Listening" }).waitFor();
  for (const tab of [page, second]) {
    await eventually(async () => (await passOf(tab)) !== before, true);
    await isSeen(tab);
  }
  assert.deepEqual(serious(stage.complaints), []);
});

test("a backup is saved with no pass at all, and saved again", { skip }, async () => {
  await using stage = await openStage();
  const { page } = stage;
  await end(page, await openCover(stage));
  await page.evaluate(() => {
    location.hash = "#/storage";
  });
  await page.getByRole("button", { name: "Make a backup now" }).click();
  for (const _ of ["once", "again"]) {
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Download the backup of/u }).click();
    const saved = await downloadedBytes(await saving);
    assert.equal(saved.subarray(0, 15).toString(), "SQLite format 3");
  }
  assert.deepEqual(serious(stage.complaints), []);
});

const open = shareStage(skip);

test("a video whose pass is over in the middle goes on where it was, at its speed", { skip }, async () => {
  const { page } = await open("#/clips", { clips: [clipOf(1)] });
  const passes = new Set<string>();
  const middle = Promise.withResolvers<void>();
  // The first pass gives the beginning and nothing more: it is over before the video is.
  await page.route(/\/video\?/u, async (route) => {
    const headers = route.request().headers();
    const url = new URL(route.request().url());
    passes.add(url.searchParams.get(passMember) ?? "");
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
    element.playbackRate = 2;
    return element.play();
  });
  await eventually(async () => (await now()) > 1, true);
  middle.resolve();
  await eventually(async () => passes.size, 2);
  await eventually(async () => (await now()) > 1, true);
  // Nearer to where it was than any new beginning could have come at twice its speed.
  const at = await now();
  const [rate, isPaused] = await video.evaluate((each: HTMLVideoElement) => [each.playbackRate, each.paused]);
  assert.deepEqual([at > 1, rate, isPaused], [true, 2, false]);
  await eventually(async () => (await now()) > 10, true);
});
