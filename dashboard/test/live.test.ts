// Tests of the Live page in a real browser with the real launcher.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { eventually, idsShown, openStage, rowWith } from "./stage.ts";

const skip = skipWithout("Chromium");

test("an event appears without a reload, with its game and its state", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  await page.getByRole("heading", { name: "Waiting for your first event" }).waitFor();
  await launcher.send("recording", { eventId: "mygame_boss_defeated" });
  const row = rowWith(page, "mygame_boss_defeated");
  await row.waitFor();
  assert.match(await row.innerText(), /Recording[\s\S]*Boss defeated[\s\S]*Mygame/);
  // This launcher has no display, so it can only make a marker.
  await row.filter({ hasText: "Marker saved" }).waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("an error that arrived before its game was known is assigned to the game later, while the page is open", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  await launcher.send("monitor", { message: "a door without a lock", stackTrace: "" });
  const game = rowWith(page, "a door without a lock").locator(".game");
  await game.filter({ hasText: /^unsorted$/iu }).waitFor();
  await launcher.send("recording", { eventId: "mygame_door_opened" });
  await game.filter({ hasText: /^Mygame$/u }).waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("a refused request shows the invalid field and the expected value", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const { status } = await launcher.send("social", { eventId: "mygame_win", timestamp: "yesterday" });
  assert.equal(status, 422);
  const row = rowWith(page, "Refused");
  await row.filter({ hasText: "timestamp" }).filter({ hasText: "ISO 8601" }).click();
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByText("YYYY-MM-DDTHH:MM:SS.sssZ").waitFor();
  await details.getByText('"timestamp":"yesterday"').waitFor();
  await page.getByRole("switch", { name: "Refused" }).click();
  await row.waitFor({ state: "detached" });
  assert.deepEqual(stage.complaints, []);
});

test("filters by game, kind and text narrow the list, and survive a reload", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const boss = await launcher.send("recording", { eventId: "alpha_boss" });
  const win = await launcher.send("social", { eventId: "alpha_win" });
  const end = await launcher.send("social", { eventId: "beta_end" });
  const loner = await launcher.send("recording", { eventId: "loner" });
  await eventually(() => idsShown(page), [loner.id, end.id, win.id, boss.id]);

  await page.getByRole("combobox", { name: "Game" }).selectOption("alpha");
  await eventually(() => idsShown(page), [win.id, boss.id]);
  await page.getByRole("radio", { name: "Social" }).click();
  await eventually(() => idsShown(page), [win.id]);
  await page.reload();
  await eventually(() => idsShown(page), [win.id]);
  const later = await launcher.send("social", { eventId: "alpha_later" });
  await launcher.send("social", { eventId: "beta_later" });
  await eventually(() => idsShown(page), [later.id, win.id]);

  await page.getByRole("radio", { name: "All" }).click();
  await page.getByRole("combobox", { name: "Game" }).selectOption("unsorted");
  await eventually(() => idsShown(page), [loner.id]);
  await page.getByRole("searchbox").fill("nothing like it");
  await page.getByRole("button", { name: "Show everything" }).click();
  await eventually(async () => (await idsShown(page)).length, 6);
  assert.deepEqual(stage.complaints, []);
});

test("new events are counted while the page is paused, and shown when it resumes", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const first = await launcher.send("recording", { eventId: "mygame_one" });
  await eventually(() => idsShown(page), [first.id]);
  await page.getByRole("button", { name: "Pause" }).click();
  const second = await launcher.send("recording", { eventId: "mygame_two" });
  const third = await launcher.send("recording", { eventId: "mygame_three" });
  const show = page.getByRole("button", { name: "Show 2 new" });
  await show.waitFor();
  assert.deepEqual(await idsShown(page), [first.id]);
  await show.click();
  await eventually(() => idsShown(page), [third.id, second.id, first.id]);
});

test("after a crash of the launcher every event is shown exactly once, and the page stays signed in", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const ids: string[] = [];
  const send = async (count: number, name: string) => {
    for (let n = 0; n < count; n += 1) ids.unshift((await launcher.send("recording", { eventId: `${name}_${n}` })).id);
  };
  await send(20, "before");
  await eventually(() => idsShown(page), ids);
  await send(5, "late");
  await launcher.killHard();
  await page
    .getByRole("status")
    .filter({ hasText: /Reconnecting|is not responding/ })
    .waitFor();
  await launcher.start();
  await send(20, "after");
  await eventually(() => idsShown(page), ids);
  await page.getByRole("status").filter({ hasText: "Listening" }).waitFor();
  // A page that is opened now shows the same rows as the one that was open during the crash.
  await page.reload();
  await eventually(() => idsShown(page), ids);
});

test("the consent card allows a web origin, which can be reset afterwards", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const from = { origin: "https://games.example.org" };
  assert.equal((await launcher.send("recording", { eventId: "web_start" }, from)).status, 403);
  const card = page.getByRole("article", { name: /games\.example\.org/ });
  await card.getByRole("button", { name: "Allow until Kit exits" }).click();
  await card.waitFor({ state: "detached" });
  const { status, id } = await launcher.send("recording", { eventId: "web_start" }, from);
  assert.equal(status, 202);
  await eventually(() => idsShown(page), [id]);
  await page.getByText("Allowed and blocked web pages (1)").click();
  await page.getByRole("button", { name: "Ask again for https://games.example.org" }).click();
  await page.getByText("Allowed and blocked web pages").waitFor({ state: "detached" });
  assert.equal((await launcher.send("recording", { eventId: "web_start" }, from)).status, 403);
  await card.waitFor();
});

test("a web origin that many games share is allowed only until Kit exits", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  await launcher.send("recording", { eventId: "web_start" }, { origin: "https://html-classic.itch.zone" });
  const card = page.getByRole("article", { name: /itch\.zone/ });
  await card.getByText("you allow all of them").waitFor();
  assert.deepEqual(await card.getByRole("button").allInnerTexts(), ["Allow until Kit exits", "Block"]);
});

test("a flood of invented origins displaces no real game, and no card moves under the pointer", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const send = (origin: string) => launcher.send("recording", { eventId: "web_start" }, { origin });
  const namesNow = async () =>
    (await page.getByRole("article", { name: /Consent/ }).allTextContents()).map(
      (text) => /https:\S+?(?=It tried)/.exec(text)?.[0],
    );
  for (let at = 0; at < 8; at += 1) await send(`https://sub-${at}.evil.example`);
  await send("https://html-classic.itch.zone");
  await page.getByRole("button", { name: "4 more web pages are waiting" }).waitFor();
  await page.getByRole("button", { name: "more web page" }).click();
  await eventually(namesNow, [
    ...[3, 4, 5, 6, 7].map((at) => `https://sub-${at}.evil.example`),
    "https://html-classic.itch.zone",
  ]);
  const before = await namesNow();
  await page.getByRole("article", { name: /itch/ }).hover();
  const removed = page.getByText(/requests were removed without a decision/);
  await removed.filter({ hasText: "3 requests" }).waitFor();
  for (let at = 8; at < 16; at += 1) await send(`https://sub-${at}.evil.example`);
  await removed.filter({ hasText: "11 requests" }).waitFor();
  assert.deepEqual(await namesNow(), before);
  await page.getByRole("article", { name: /itch/ }).getByRole("button", { name: "Block" }).click();
  await page.mouse.move(1, 1);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await eventually(
    namesNow,
    [11, 12, 13, 14, 15].map((at) => `https://sub-${at}.evil.example`),
  );
  assert.deepEqual(stage.complaints, []);
});

test("after a storm the newest rows are on top and the page still responds", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const startMs = performance.now();
  const sendMany = async (name: string) => {
    for (let n = 0; n < 400; n += 1) await launcher.send("monitor", { message: `${name} ${n}`, stackTrace: "at x" });
  };
  await Promise.all(["a", "b", "c", "d", "e"].map(sendMany));
  const sentMs = performance.now() - startMs;
  const last = await launcher.send("recording", { eventId: "storm_over" });
  await rowWith(page, "storm_over").waitFor();
  console.log(
    `2,000 sent in ${Math.round(sentMs)} ms, over ${Math.round(performance.now() - startMs - sentMs)} ms later`,
  );
  const ids = await idsShown(page);
  assert.equal(ids[0], last.id);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.length <= 500, `${ids.length} rows`);
  assert.deepEqual(stage.complaints, []);
});
