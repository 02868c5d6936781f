// Tests of the Sessions page in a real browser: the list, one session's track by pointer and keyboard, and live changes.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clipOf } from "./clip-samples.ts";
import { entryOf, fullTimeline, runningOf, sessionIdOf, sessionOf, spanOf, timelineOf } from "./session-samples.ts";
import { lineWith, rowsShown, shareSessionStage, track } from "./session-stage.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareSessionStage(skip);

const video = (page: Page) => page.locator(".beside video");
const playsAt = (page: Page) => video(page).evaluate((element) => (element as HTMLVideoElement).currentTime);
const paused = (page: Page) => video(page).evaluate((element) => (element as HTMLVideoElement).paused);
const trackText = (page: Page) => track(page).getAttribute("aria-valuetext");
const widthOf = (page: Page) => page.locator(".track-drawing").evaluate((svg) => svg.clientWidth);

const openFull = async () => {
  const session = sessionOf(2);
  const stage = await open(`#/sessions/${session.id}`, {
    sessions: [session],
    timelines: { [session.id]: [fullTimeline(session)] },
  });
  await lineWith(stage.page, "secret found").first().waitFor();
  return { ...stage, session };
};

test("sessions are listed newest first with their duration and ending, can be filtered by game, and are loaded page by page", {
  skip,
}, async () => {
  const ended = [
    sessionOf(1, { ending: "crashed", signal: "SIGSEGV", exitCode: null, program: "lantern.x86_64" }),
    sessionOf(2, { ending: "killed", signal: "SIGKILL", exitCode: null, game: null }),
    sessionOf(3, { ending: "unseen", exitCode: null, game: "skyhook", events: 1, errors: 0, moments: 1, posts: 0 }),
  ];
  const many = Array.from({ length: 40 }, (_, n) => sessionOf(n + 10));
  const { page, complaints } = await open("#/sessions", { sessions: [runningOf(0), ...ended, ...many], forgotten: 3 });
  const row = (text: string) => page.locator(".session-row").filter({ hasText: text });
  await row("Running").waitFor();
  await row("Crashed: SIGSEGV").filter({ hasText: "50 min" }).filter({ hasText: "lantern.x86_64" }).waitFor();
  await row("Killed: SIGKILL").filter({ hasText: "Unsorted" }).filter({ hasText: "60 errors" }).waitFor();
  await row("Ended while Kit was off").filter({ hasText: "1 moment" }).waitFor();
  await page.getByRole("button", { name: "Show older" }).click();
  await eventually(async () => (await rowsShown(page)).length, 44);
  await page.getByText("3 older sessions were deleted to free up space.").waitFor();
  await page.getByRole("combobox", { name: "Game" }).selectOption("skyhook");
  await eventually(() => rowsShown(page), ["Skyhook"]);
  await eventually(async () => new URL(page.url()).hash, "#/sessions?game=skyhook");
  assert.deepEqual(complaints, []);
});

test("a session with clips shows the picture of its best clip in the list, and one without an empty frame", {
  skip,
}, async () => {
  const sessions = [sessionOf(1, { game: "mygame" }), sessionOf(2, { game: "skyhook" })];
  const { page, complaints } = await open("#/sessions", { sessions });
  const frames = page.locator(".session-row .small-poster");
  const drawnIn = (n: number) =>
    frames.nth(n).evaluate((frame) => {
      const pictures = [...frame.querySelectorAll("img")].filter(({ naturalWidth }) => naturalWidth > 0);
      return pictures.map(({ src }) => new URL(src).pathname);
    });
  await eventually(() => frames.count(), 2);
  await eventually(() => drawnIn(0), [`/api/clips/${clipOf(2).id}/poster`]);
  assert.equal(await frames.nth(1).locator("*").count(), 0);
  assert.deepEqual(complaints, []);
});

test("without any session the page explains how to get one, and without one of a game it offers the others", {
  skip,
}, async () => {
  const { page, answers, tell } = await open("#/sessions");
  await page.getByRole("heading", { name: "No sessions yet" }).waitFor();
  await page.getByText(/^npx kit run .*-- \.\/mygame$/u).waitFor();
  answers.sessions = [sessionOf(1)];
  await tell("sessions");
  await eventually(() => rowsShown(page), ["Lanternwood"]);
  await page.getByRole("combobox", { name: "Game" }).selectOption("unsorted");
  await page.getByRole("heading", { name: "No sessions of this game" }).waitFor();
  await page.getByRole("button", { name: "Show all sessions" }).click();
  await eventually(() => rowsShown(page), ["Lanternwood"]);
});

test("a session starts with a summary: the best clips, the errors with their issues, and the posts", {
  skip,
}, async () => {
  const { page, complaints } = await openFull();
  const best = page.getByRole("region", { name: "Best moments" }).locator(".best-clip");
  await eventually(() => best.count(), 3);
  // By the priority of their clips, not by time.
  await eventually(() => best.locator(".best-about").allTextContents(), ["at 4:56", "at 34:48", "at 0:28"]);
  await best.first().click();
  await page.getByRole("complementary", { name: "boss defeated" }).locator("video").waitFor();
  const errors = page.getByRole("region", { name: "Errors" });
  await errors.getByRole("heading", { name: "60 errors" }).waitFor();
  await errors.getByRole("listitem").filter({ hasText: "in 2 of the last 5 sessions" }).waitFor();
  const issue = errors.getByRole("link", { name: "Door has no key" });
  assert.match((await issue.getAttribute("href")) ?? "", /^#\/issues\/01990000-0000-7000-8000-700000000001\?event=/);
  const post = page.getByRole("region", { name: "Posts" }).getByRole("link", { name: "all friends" });
  assert.match((await post.getAttribute("href")) ?? "", /^#\/posts\?event=/);
  assert.deepEqual(complaints, []);
});

test("a click on a mark opens its clip beside the list at its second, and keys play it", { skip }, async () => {
  const { page, complaints } = await openFull();
  await lineWith(page, "prologue done").last().getByRole("button").click();
  await page.getByRole("complementary", { name: "prologue done" }).waitFor();
  await eventually(async () => Math.round(await playsAt(page)), 12);
  await page.keyboard.press("j");
  await eventually(async () => Math.round(await playsAt(page)), 7);
  await track(page).focus();
  await page.keyboard.press("Space");
  await eventually(() => paused(page), false);
  await page.keyboard.press("k");
  await eventually(() => paused(page), true);
  await page.locator('.track [data-lane="posts"] .track-mark').first().click();
  await page.getByRole("complementary", { name: "all friends" }).getByRole("link", { name: "Open the post" }).waitFor();
  // The opened item is in the address.
  await page.reload();
  await page.getByRole("complementary", { name: "all friends" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("complementary").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
  assert.deepEqual(complaints, []);
});

test("the keyboard moves along the track and between its lanes, opens an item, and follows its link", {
  skip,
}, async () => {
  const { page, complaints } = await openFull();
  await track(page).focus();
  for (const [key, text] of [
    ["Home", "0:28 · Clip · prologue done · Saved"],
    ["ArrowRight", "0:40 · Moment · prologue done · Saved"],
    ["ArrowRight", "1:35 · Error · Door has no key · Grouped"],
    ["ArrowRight", "1:36 · Error · Door has no key · × 58 · Grouped"],
    ["ArrowUp", "0:40 · Moment · prologue done · Saved"],
    ["ArrowUp", "0:28 · Clip · prologue done · Saved"],
    ["End", "40:00 · Post · night falls · Ignored"],
    ["ArrowLeft", "39:00 · Error · Sound is missing · Dispatched"],
  ] as const) {
    await page.keyboard.press(key);
    await eventually(() => trackText(page), text);
  }
  await page.keyboard.press("Enter");
  const beside = page.getByRole("complementary", { name: "Sound is missing" });
  await beside.getByRole("link", { name: "Receipt" }).waitFor();
  await page.keyboard.press("Enter");
  await eventually(async () => new URL(page.url()).hash.startsWith("#/live?show="), true);
  await page.goBack();
  await page.getByRole("complementary", { name: "Sound is missing" }).waitFor();
  assert.deepEqual(complaints, []);
});

test("the track zooms around the selected item, folds gaps, and shows a clip's picture", {
  skip,
}, async () => {
  const { page, complaints } = await openFull();
  await eventually(() => page.locator(".track-folded").count(), 4);
  const whole = await widthOf(page);
  await track(page).focus();
  await page.keyboard.press("End");
  for (const _ of [1, 2, 3]) await page.keyboard.press("+");
  await eventually(async () => (await widthOf(page)) > 2 * whole, true);
  const isSeen = () =>
    page.locator('.track-mark[data-current="true"]').evaluate((mark) => {
      const [box, frame] = [mark, mark.closest(".track-window")].map((each) => each?.getBoundingClientRect());
      return box !== undefined && frame !== undefined && box.left >= frame.left && box.right <= frame.right;
    });
  await eventually(isSeen, true);
  await page.keyboard.press("Home");
  await eventually(isSeen, true);
  await page.locator(".track-poster image").waitFor();
  for (const _ of [1, 2, 3]) await page.keyboard.press("-");
  await eventually(() => widthOf(page), whole);
  assert.equal(await page.getByRole("button", { name: "Zoom out" }).isDisabled(), true);
  assert.deepEqual(complaints, []);
});

test("while the game runs, new items appear and the opened one stays open", { skip }, async () => {
  const session = runningOf(1);
  const first = entryOf(session, 1, 30, { label: "lantern lit", state: "recording" });
  const { page, answers, tell, complaints } = await open(`#/sessions/${session.id}`, {
    sessions: [session],
    timelines: { [session.id]: [timelineOf(session, { entries: [first] })] },
  });
  await lineWith(page, "lantern lit").getByRole("button").click();
  const second = entryOf(session, 2, 60, { label: "door opened" });
  const saved = { ...first, state: "saved", clip: clipOf(1).id, second: 12 } as const;
  answers.timelines[session.id] = [timelineOf(session, { entries: [saved, second], clips: [spanOf(session, 1, 18)] })];
  await tell("sessions");
  await lineWith(page, "door opened").waitFor();
  await video(page).waitFor();
  await page.getByRole("complementary", { name: "lantern lit" }).waitFor();
  const third = entryOf(session, 3, 90, { label: "key found" });
  const ended = { ...session, ending: "crashed", signal: "SIGSEGV", endedAt: new Date().toISOString() } as const;
  answers.timelines[session.id] = [timelineOf(ended, { entries: [saved, second, third] })];
  // A finished clip is reported only as a change of clips.
  await tell("clips");
  await lineWith(page, "key found").waitFor();
  await page.getByText("Crashed: SIGSEGV").waitFor();
  assert.deepEqual(complaints, []);
});

test("a long session is loaded in parts, and a complete part is not requested again", { skip }, async () => {
  const session = runningOf(1);
  const part = (n: number, until: string | null) =>
    timelineOf(session, { entries: [entryOf(session, n, 60 * n, { label: `moment ${n}` })], until });
  const { page, answers, tell } = await open(`#/sessions/${session.id}`, {
    timelines: { [session.id]: [part(0, "1"), part(1, null)] },
  });
  await page.getByRole("button", { name: "Show the next part" }).click();
  await lineWith(page, "moment 1").waitFor();
  await lineWith(page, "moment 0").waitFor();
  answers.requested.length = 0;
  answers.timelines[session.id] = [part(0, "1"), part(2, null)];
  await tell("sessions");
  await lineWith(page, "moment 2").waitFor();
  // A page that connects to the feed late fetches the last part once more.
  assert.deepEqual([...new Set(answers.requested)], [`${session.id} 1`]);
});

test("the address of a missing session is reported as not found, with a link to the list", { skip }, async () => {
  const { page } = await open(`#/sessions/${sessionIdOf(9)}`, { sessions: [sessionOf(1)] });
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  await page.getByRole("link", { name: "Sessions" }).first().click();
  await eventually(() => rowsShown(page), ["Lanternwood"]);
});
