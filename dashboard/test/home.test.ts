// Tests of the Home page in a real browser: the best clips of the last evening, what waits, and the suggestion.
import assert from "node:assert/strict";
import type { Issue } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import { recorderStateOf } from "./clip-samples.ts";
import { picture } from "./post-answers.ts";
import { postOf } from "./post-samples.ts";
import { playedClipOf, sessionOf } from "./session-samples.ts";
import { shareSessionStage } from "./session-stage.ts";
import { eventually, openPage } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareSessionStage(skip, { bypassCSP: true });

test("Home shows the three best moments of the last session, without errors, reels and doubles, and a click plays one", {
  skip,
}, async () => {
  const { page, clips, complaints, go } = await open("#/settings", {
    sessions: [sessionOf(1, { game: "mygame" }), sessionOf(2)],
  });
  const error = playedClipOf(9, { title: "Null value", priority: 990, subject: "error" });
  clips.clips = [
    playedClipOf(1, { title: "Five stars", priority: 300 }),
    playedClipOf(2, { title: "Boss defeated", priority: 900 }),
    playedClipOf(3, { title: "Jewel found", priority: 500 }),
    playedClipOf(4, { title: "Door opened", priority: 100 }),
    playedClipOf(5, { title: "Saved by you, 21:04", priority: 800, events: [] }),
    { ...error, events: error.events.map((moment) => ({ ...moment, kind: "monitor" as const, eventId: null })) },
    playedClipOf(6, { title: "Best of My Game", priority: 900, parts: [] }),
  ];
  const boss = clips.clips[1];
  clips.clips.unshift({
    ...playedClipOf(2),
    id: "a-trim",
    title: "Boss, cut",
    priority: 900,
    trimmedFrom: boss?.id ?? "",
  });
  await go("#/home");
  const titles = () => page.locator(".home-best .clip-title").allTextContents();
  await eventually(titles, ["Boss, cut", "Saved by you, 21:04", "Jewel found"]);
  await page.getByText("No draft waits for you.").waitFor();
  await page.getByText("No new errors.").waitFor();
  await page.getByRole("link", { name: "Boss, cut" }).click();
  await page.getByRole("dialog").locator("video").waitFor();
  assert.deepEqual(complaints, []);
});

test("after an evening of several games, Home shows the best moments of all of them", { skip }, async () => {
  const evening = [sessionOf(1), sessionOf(2, { game: "mygame" }), sessionOf(4, { game: "mygame" })];
  const { page, clips, complaints, go } = await open("#/settings", { sessions: [...evening, sessionOf(30)] });
  clips.clips = [
    playedClipOf(1, { title: "Five stars", game: "lanternwood", priority: 300 }),
    playedClipOf(2, { title: "Boss defeated", priority: 900 }),
  ];
  const asked = page.waitForRequest(/\/api\/clips\?.*sort=best/u);
  await go("#/home");
  const region = page.getByRole("region", { name: "Best moments of the last time you played" });
  await eventually(() => region.locator(".clip-title").allTextContents(), ["Boss defeated", "Five stars"]);
  const query = new URL((await asked).url()).searchParams;
  const span = [evening[2]?.startedAt, evening[0]?.endedAt, null];
  assert.deepEqual([query.get("from"), query.get("to"), query.get("game")], span);
  await region.getByRole("link", { name: /^mygame, lanternwood, /iu }).click();
  await eventually(async () => new URL(page.url()).hash, "#/sessions");
  assert.deepEqual(complaints, []);
});

const issueOf = (id: string, members: Partial<Issue>): Issue => ({
  ...{ id, title: id, game: "mygame", state: "open", isNew: false, isOverflow: false, count: 1, hours: [], why: "" },
  ...{ mutedUntil: null, mutedUntilCount: null, firstBuild: null, lastBuild: null, resolvedBuild: null },
  ...{ dialect: "text", culprit: null, note: null, deletedAt: null },
  ...{ stateSince: new Date().toISOString(), firstSeen: new Date().toISOString(), lastSeen: new Date().toISOString() },
  ...members,
});

/** Answers requests for the pictures of posts. Returns those requests. */
async function answerPictures(page: Page): Promise<readonly string[]> {
  const asked: string[] = [];
  await page.route(/\/api\/posts\/[^/]+\/picture/u, async (route) => {
    asked.push(new URL(route.request().url()).pathname);
    await route.fulfill({ contentType: "image/svg+xml", body: picture });
  });
  return asked;
}

test("Home lists the drafts that wait, new errors and those that came back, and says what the recorder does", {
  skip,
}, async () => {
  const { page, clips, complaints, go } = await open("#/settings", { sessions: [sessionOf(1)] });
  clips.report = { ...clips.report, state: recorderStateOf({ state: "off", detail: "Recording is switched off." }) };
  const agoMs = (ms: number) => new Date(Date.now() - ms).toISOString();
  const issues = [
    issueOf("new", { title: "Null value", isNew: true, stateSince: agoMs(60_000) }),
    ...Array.from({ length: 25 }, (_, i) => issueOf(`resolved-${i}`, { state: "resolved" })),
    issueOf("old", { title: "Damaged file", state: "regressed", stateSince: agoMs(1_000) }),
    issueOf("known", {}),
  ];
  await page.route(/\/api\/issues\?/u, (route) => {
    const query = new URL(route.request().url()).searchParams;
    const found = issues.filter(({ state }) => (query.get("state") ?? state) === state);
    const forgotten = { issues: 0, reports: 0 };
    return route.fulfill({ json: { issues: found.slice(0, Number(query.get("limit"))), more: false, forgotten } });
  });
  await page.route(/\/api\/posts\?/u, (route) =>
    route.fulfill({ json: { posts: [postOf(1), postOf(2), postOf(3)], more: false, drafts: 5, held: 0 } }),
  );
  await answerPictures(page);
  await go("#/home");
  const linesOf = (name: string) => page.getByRole("region", { name }).locator(".home-line bdi.ellipsis");
  await eventually(() => linesOf("New errors").allTextContents(), ["Damaged file", "Null value"]);
  await eventually(
    () => linesOf("Waiting for you (5)").allTextContents(),
    [1, 2, 3].map((n) => postOf(n).text),
  );
  await page.getByRole("link", { name: "Recording is off" }).waitFor();
  await assertAccessibleInBothSchemes(page, "Home with drafts and errors");
  await linesOf("New errors").first().click();
  await eventually(async () => new URL(page.url()).hash, "#/issues/old");
  assert.deepEqual(complaints, []);
});

test("a draft on Home shows the picture of the post, which exists before its clip has a poster, and none before the clip exists", {
  skip,
}, async () => {
  const { page, complaints, go } = await open("#/settings", { sessions: [sessionOf(1)] });
  const [ready, pending] = [postOf(1), postOf(2)];
  const unfinished = { ...pending, footage: { ...pending.footage, state: "pending" as const, clip: null } };
  await page.route(/\/api\/posts\?/u, (route) =>
    route.fulfill({ json: { posts: [ready, unfinished], more: false, drafts: 2, held: 0 } }),
  );
  // The launcher answers so while it makes the poster.
  await page.route(/\/api\/clips\/[^/]+\/poster/u, (route) => route.fulfill({ status: 404 }));
  const asked = await answerPictures(page);
  await go("#/home");
  const frames = page.getByRole("region", { name: "Waiting for you" }).locator(".small-poster");
  await eventually(() => frames.count(), 2);
  await eventually(
    () => frames.locator("img").evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)),
    [320],
  );
  assert.deepEqual([await frames.nth(1).innerHTML(), asked], ["", [`/api/posts/${ready.id}/picture`]]);
  assert.deepEqual(complaints, []);
});

test("the best moments of the last evening become a reel whose parts a person can change first", { skip }, async () => {
  const { page, clips, complaints, go } = await open("#/settings", { sessions: [sessionOf(1, { game: "mygame" })] });
  const many = Array.from({ length: 11 }, (_, n) =>
    playedClipOf(n + 1, { title: `moment ${n + 1}`, priority: 900 - n }),
  );
  clips.clips = many;
  await go("#/home");
  await page.getByRole("button", { name: "Reel of the best moments" }).click();
  const dialog = page.getByRole("dialog", { name: "Make a reel" });
  const titles = () =>
    dialog
      .getByRole("textbox", { name: /^Title of the part/u })
      .evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value));
  await eventually(
    titles,
    [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => `moment ${n}`),
  );
  assert.match(await dialog.getByRole("textbox", { name: "Title of the reel" }).inputValue(), /^Best of mygame, /iu);
  await assertAccessibleInBothSchemes(page, "Home with the dialog of a reel");
  for (const n of [10, 9, 8, 7, 6, 5, 4, 3])
    await dialog.getByRole("button", { name: `Remove from the reel: moment ${n}`, exact: true }).click();
  await dialog.getByRole("button", { name: "Make the reel" }).click();
  await page.getByRole("link", { name: "Open the reel" }).waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Reel of the best moments");
  const [asked = ""] = clips.changes;
  const { parts } = JSON.parse(asked.replace("POST /api/reels ", ""));
  assert.deepEqual(
    parts.map(({ clip }: { clip: string }) => clip),
    [many[1]?.id, many[0]?.id],
  );
  assert.deepEqual(complaints, []);
});

test("a link without a page opens Home, and without any session Home suggests to connect a game or to play the demo", {
  skip,
}, async () => {
  const { page, complaints } = await open("");
  await page.getByRole("region", { name: "Connect your game" }).getByRole("link", { name: "Connect a game" }).waitFor();
  await page.getByRole("button", { name: "Play the demo" }).waitFor();
  await assertAccessibleInBothSchemes(page, "Home before the first session");
  assert.deepEqual(complaints, []);
});

test("someone with clips but no account is told how to share them", { skip }, async () => {
  const { page } = await open("#/home", { sessions: [sessionOf(1, { game: "mygame" })] });
  const suggestion = page.getByRole("region", { name: "Share your clips" });
  await suggestion.waitFor();
  await assertAccessibleInBothSchemes(page, "Home with clips");
  await page.setViewportSize(narrow);
  await assertAccessibleInBothSchemes(page, "Home with clips at 360 px");
  await suggestion.getByRole("link").click();
  await eventually(async () => new URL(page.url()).hash, "#/accounts");
});

test("a person reads once that the whole screen is recorded", { skip }, async () => {
  const { page, clips, go } = await open("#/settings", { sessions: [sessionOf(1, { game: "mygame" })] });
  const detail = message("window.of_game_not_found");
  clips.report = { ...clips.report, state: recorderStateOf({ state: "recording", detail }) };
  await go("#/home");
  const notice = page.getByRole("region", { name: "Kit records the whole screen" });
  await notice.getByRole("link", { name: "Open the recorder" }).waitFor();
  await assertAccessibleInBothSchemes(page, "Home while the whole screen is recorded");
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await notice.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("region", { name: "Share your clips" }).waitFor();
  assert.equal(await notice.count(), 0);
});

test("Save the last 30 seconds links to the saved clip, or says why there is only a marker", { skip }, async () => {
  const { page } = await open("#/home", { sessions: [sessionOf(1)] });
  const asked: unknown[] = [];
  let clip = playedClipOf(7, { title: "Saved by you, 21:04" });
  await page.route("**/api/recording/save", (route) => {
    asked.push(route.request().postDataJSON());
    return route.fulfill({ json: clip });
  });
  const button = page.getByRole("button", { name: "Save the last 30 seconds" });
  await button.click();
  await page.getByRole("link", { name: "Saved: Saved by you, 21:04" }).waitFor();
  assert.deepEqual(asked, [{ seconds: 30 }]);
  clip = {
    ...clip,
    kind: "marker",
    state: "marked",
    reason: "Nothing is recorded yet: Waits for a game's first event",
  };
  await button.click();
  await page.getByText("No clip: Nothing is recorded yet: Waits for a game's first event").waitFor();
  await assertAccessibleInBothSchemes(page, "Home after a save without footage");
});

test("the developer's pages stand apart in the navigation, and Games holds the sessions and the event rules", {
  skip,
}, async () => {
  const { page } = await open("#/home", { sessions: [sessionOf(1)] });
  const links = (name: string) =>
    page.getByRole("navigation", { name, exact: true }).getByRole("link").allTextContents();
  assert.deepEqual(await links("Pages"), ["Home", "Clips", "Posts", "Issues", "Games"]);
  assert.deepEqual(await links("Pages for developers"), ["Live", "Connect", "Forwarding"]);
  await openPage(page, "Games");
  await page.getByRole("link", { name: "Sessions", exact: true }).click();
  await page.locator(".session-row").waitFor();
  assert.equal(
    await page.getByRole("link", { name: "Games", exact: true }).first().getAttribute("aria-current"),
    "page",
  );
});
