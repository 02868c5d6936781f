// Tests of the Home page in a real browser: the best clips of the last session, what waits, and the suggestion.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import { clipOf } from "./clip-samples.ts";
import { sessionOf } from "./session-samples.ts";
import { shareSessionStage } from "./session-stage.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareSessionStage(skip, { bypassCSP: true });

test("Home shows the three best clips of the last session, without clips of errors alone, and a click plays one", {
  skip,
}, async () => {
  const { page, clips, complaints, go } = await open("#/settings", {
    sessions: [sessionOf(1, { game: "mygame" }), sessionOf(2)],
  });
  const error = clipOf(9, { title: "Null value", priority: 990, subject: "error" });
  clips.clips = [
    clipOf(1, { title: "Five stars", priority: 300 }),
    clipOf(2, { title: "Boss defeated", priority: 900 }),
    clipOf(3, { title: "Jewel found", priority: 500 }),
    clipOf(4, { title: "Door opened", priority: 100 }),
    clipOf(5, { title: "Saved by you, 21:04", priority: 800, events: [] }),
    { ...error, events: error.events.map((moment) => ({ ...moment, kind: "monitor" as const, eventId: null })) },
  ];
  await go("#/home");
  const titles = () => page.locator(".home-best .clip-title").allTextContents();
  await eventually(titles, ["Boss defeated", "Saved by you, 21:04", "Jewel found"]);
  await page.getByText("No draft waits for you.").waitFor();
  await page.getByText("No new errors.").waitFor();
  await page.getByRole("link", { name: "Boss defeated" }).click();
  await page.getByRole("dialog").locator("video").waitFor();
  assert.deepEqual(complaints, []);
});

test("one click joins the best moments of the last session to a reel", { skip }, async () => {
  const session = sessionOf(1, { game: "mygame" });
  const { page, clips, complaints, go } = await open("#/settings", { sessions: [session] });
  clips.clips = [clipOf(1, { title: "Five stars" }), clipOf(2, { title: "Boss defeated" })];
  const asked: { best?: object }[] = [];
  await page.route("**/api/reels", (route) => {
    asked.push(route.request().postDataJSON());
    return route.fulfill({ status: 202, json: clipOf(3, { state: "pending" }) });
  });
  await go("#/home");
  await page.getByRole("button", { name: "Reel of the best moments" }).click();
  await page.getByRole("link", { name: "Open the reel" }).waitFor();
  const { game, startedAt: from, endedAt: to } = session;
  assert.deepEqual(asked[0]?.best, { from, to, game, count: 10 });
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

test("Save the last 30 seconds links to the saved clip, or says why there is only a marker", { skip }, async () => {
  const { page } = await open("#/home", { sessions: [sessionOf(1)] });
  const asked: unknown[] = [];
  let clip = clipOf(7, { title: "Saved by you, 21:04" });
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
  await page.getByRole("link", { name: "Games", exact: true }).click();
  await page.getByRole("link", { name: "Sessions", exact: true }).click();
  await page.locator(".session-row").waitFor();
  assert.equal(
    await page.getByRole("link", { name: "Games", exact: true }).first().getAttribute("aria-current"),
    "page",
  );
});
