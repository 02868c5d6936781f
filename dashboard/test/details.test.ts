// Tests of the details of an event, by mouse and by keyboard, and of signing in with several tabs.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { eventually, idsShown, openPage, openStage, rowWith } from "./stage.ts";

const skip = skipWithout("Chromium");

test("the details of an event show its payload, its sender and its receipt", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const { id } = await launcher.send("monitor", {
    message: "Nil has no hp",
    stackTrace: "at boss.gd:88\nat player.gd:12",
  });
  await rowWith(page, "Nil has no hp").click();
  const details = page.getByRole("complementary", { name: "Details" });
  // The feed may report the last state before the page has fetched the first one.
  const states = details.getByRole("list", { name: "States, oldest first" }).locator(".timeline-state");
  await eventually(() => states.allInnerTexts(), ["Accepted", "Grouped"]);
  await details.getByRole("region", { name: "Stack trace" }).getByText("at boss.gd:88").waitFor();
  await details.getByText("GodotEngine/4.6 (Linux)").waitFor();
  await details.getByText(`npx kit show ${id}`).waitFor();
  // A browser for the United States, whose usual clock has twelve hours.
  const times = await details.locator("dd time").allInnerTexts();
  assert.ok(times.length > 0 && times.every((time) => /, \d\d:\d\d:\d\d\.\d{3}$/u.test(time)), times.join());
  assert.deepEqual(stage.complaints, []);
});

test("the keyboard moves through the rows, and opens, changes and closes the details", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  for (const name of ["one", "two", "three"]) await launcher.send("recording", { eventId: `mygame_${name}` });
  await eventually(async () => (await idsShown(page)).length, 3);
  const title = page.getByRole("complementary", { name: "Details" }).getByRole("heading", { level: 2 });
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");

  await page.keyboard.press("ArrowDown");
  assert.match(await focused(), /Three/);
  await page.keyboard.press("ArrowDown");
  assert.match(await focused(), /Two/);
  assert.equal(await title.count(), 0, "moving the focus does not open the details");
  await page.keyboard.press("Enter");
  await eventually(() => title.innerText(), "Two");
  await page.keyboard.press("ArrowDown");
  await eventually(() => title.innerText(), "One");
  await page.keyboard.press("Escape");
  await title.waitFor({ state: "detached" });
  assert.match(await focused(), /One/);

  await page.keyboard.press("p");
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await page.keyboard.press("p");
  await page.keyboard.press("/");
  await page.keyboard.type("two/p");
  await eventually(() => page.getByRole("searchbox").inputValue(), "two/p");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
});

test("an event id can be ignored, and accepted again", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  await launcher.send("recording", { eventId: "mygame_step" });
  await rowWith(page, "mygame_step").click();
  await page.getByRole("button", { name: "Ignore this event" }).click();
  const accept = page.getByRole("button", { name: "Accept this event" });
  await accept.waitFor();
  await launcher.send("recording", { eventId: "mygame_step" });
  await rowWith(page, "Ignored").click();
  await page.getByText("This event is switched off.").waitFor();
  await accept.click();
  await page.getByRole("button", { name: "Ignore this event" }).waitFor();
});

test("a corrected game applies to every event with that prefix", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  await launcher.send("recording", { eventId: "star_fox_boss" });
  await launcher.send("social", { eventId: "star_fox_win" });
  await rowWith(page, "star_fox_boss").filter({ hasText: "star" }).click();
  await page.getByRole("button", { name: "Change" }).click();
  const field = page.getByRole("combobox", { name: "The game this event belongs to" });
  await field.fill("star_fox");
  await page.getByText("All events that begin with star_fox_").waitFor();
  await page.keyboard.press("Enter");
  const games = () => page.locator(".row .game").allInnerTexts();
  await eventually(games, ["Star Fox", "Star Fox"]);
});

test("one event id can be assigned to a game by hand, and by its name again", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  await launcher.send("recording", { eventId: "bosskill" });
  await rowWith(page, "bosskill").click();
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByRole("combobox", { name: "The game this event belongs to" }).fill("my game");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await rowWith(page, "my game").waitFor();
  await page.getByRole("button", { name: "Assign by event name again" }).click();
  await rowWith(page, "Unsorted").waitFor();
});

test("a signed-out page explains how to sign in, and a used sign-in link does not open the dashboard", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { launcher } = stage;
  const stranger = await stage.newProfile();
  const tab = await stranger.newPage();
  await tab.goto(`http://127.0.0.1:${launcher.port}/`);
  await tab.getByText("npx kit open").waitFor();
  const link = await launcher.link();
  const other = await stranger.newPage();
  await other.goto(link);
  await other.getByRole("heading", { name: "Home" }).waitFor();
  await eventually(async () => new URL(other.url()).hash, "");
  const third = await (await stage.newProfile()).newPage();
  await third.goto(link);
  await third.getByRole("heading", { name: "That link was already used or has expired" }).waitFor();
});

test("a second sign-in link leaves the first tab signed in, and a tab without a link is signed in by the others", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const second = await stage.newPage();
  await second.goto(await launcher.link());
  await second.getByRole("heading", { name: "Home" }).waitFor();
  await openPage(second, "Live");
  const third = await stage.newPage();
  await third.goto(`http://127.0.0.1:${launcher.port}/#/live`);
  await third.getByRole("heading", { name: "Live" }).waitFor();
  const { id } = await launcher.send("recording", { eventId: "mygame_seen_by_all" });
  for (const tab of [page, second, third]) await eventually(() => idsShown(tab), [id]);
  await page.getByRole("combobox", { name: "Game" }).selectOption("mygame");
  await eventually(() => idsShown(page), [id]);
});

test("a problem with the storage is shown at the top of the page", { skip }, async () => {
  await using stage = await openStage();
  const { page } = stage;
  await page.route("**/api/health", async (route) => {
    const health = await (await route.fetch({ maxRetries: 3 })).json();
    const storage = { state: "failing", detail: "The disk is full.", notices: ["2 damaged rows were set aside."] };
    await route.fulfill({ json: { ...health, storage } });
  });
  await page.reload();
  await page.getByRole("alert").filter({ hasText: "The disk is full." }).waitFor();
  await page.getByText("2 damaged rows were set aside.").waitFor();
  await page.getByRole("button", { name: "Hide" }).click();
  await page.getByText("2 damaged rows").waitFor({ state: "detached" });
});
