// Tests of many clips: the number of drawn cards stays limited, filters find clips, and several clips are changed at once.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clipOf } from "./clip-samples.ts";
import { cardWith, shareStage, titlesShown } from "./clips-stage.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareStage(skip);

const some = (count: number) =>
  Array.from({ length: count }, (_, n) => clipOf(n, { title: `mygame_${n}`, poster: false }));
const selected = (page: Page) => page.locator('[role="gridcell"][aria-selected="true"] .clip-title').allTextContents();

test("ten thousand clips can be scrolled through while only cards near the window are drawn", { skip }, async () => {
  const clips = some(10_000);
  const stage = await open("#/clips", { clips });
  const { page } = stage;
  await cardWith(page, "mygame_0").first().waitFor();
  const seen = new Set<string>();
  let cardsMax = 0;
  // Pages are loaded before the end of the list is reached, and no row is left out.
  const scrollOn = async () => {
    const titles = await titlesShown(page);
    cardsMax = Math.max(cardsMax, titles.length);
    for (const title of titles) seen.add(title);
    await page.locator("main").evaluate(async (main) => {
      main.scrollBy(0, 400);
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    });
    return seen.has("mygame_420");
  };
  await eventually(scrollOn, true);
  const skipped = clips.slice(0, 420).filter(({ title }) => !seen.has(title));
  assert.deepEqual(
    skipped.map(({ title }) => title),
    [],
  );
  assert.ok(cardsMax < 80, `${cardsMax} cards at once`);
  await page.locator(".clip-link").last().focus();
  await page.keyboard.press("Home");
  await eventually(
    () => page.evaluate(() => document.activeElement?.querySelector(".clip-title")?.textContent),
    "mygame_0",
  );
  assert.deepEqual(stage.complaints, []);
});

test("an added and a deleted clip leave the other clips where they are, in a long list", {
  skip,
}, async () => {
  const clips = some(300);
  const stage = await open("#/clips", { clips });
  const { page, answers } = stage;
  await cardWith(page, "mygame_0").first().waitFor();
  await page.locator(".clip-link").first().focus();
  await page.keyboard.press("End");
  await eventually(async () => {
    await page.keyboard.press("End");
    return await cardWith(page, "mygame_299").count();
  }, 1);
  answers.clips = [clipOf(400, { title: "mygame_new", startedAt: new Date().toISOString() }), ...clips.slice(1)];
  await page.keyboard.press("Home");
  await cardWith(page, "mygame_1").first().waitFor();
  await page.getByRole("button", { name: "Pin: mygame_1", exact: true }).first().click();
  await cardWith(page, "mygame_new").waitFor();
  await eventually(async () => (await titlesShown(page)).slice(0, 3), ["mygame_new", "mygame_1", "mygame_2"]);
  assert.deepEqual(stage.complaints, []);
});

test("text, order, tag and pin filters narrow the list, are kept in the address, and can be removed", {
  skip,
}, async () => {
  const clips = [
    clipOf(1, { title: "fox wins", bytes: 10, tags: ["boss"] }),
    clipOf(2, { title: "fox falls", bytes: 30, pinned: true }),
    clipOf(3, { title: "wolf wins", bytes: 20, tags: ["boss"] }),
  ];
  const stage = await open("#/clips", { clips });
  const { page } = stage;
  await cardWith(page, "fox wins").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("FOX");
  await eventually(() => titlesShown(page), ["fox wins", "fox falls"]);
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("largest");
  await eventually(() => titlesShown(page), ["fox falls", "fox wins"]);
  await page.reload();
  await eventually(() => titlesShown(page), ["fox falls", "fox wins"]);
  await eventually(async () => new URL(page.url()).hash, "#/clips?text=FOX&sort=largest");
  await page.getByRole("button", { name: "boss", exact: true }).click();
  await eventually(() => titlesShown(page), ["fox wins"]);
  await page.getByRole("switch", { name: "Pinned" }).click();
  await page.getByRole("heading", { name: "No clip matches these filters" }).waitFor();
  await page.getByRole("button", { name: "Show all clips" }).click();
  await eventually(() => titlesShown(page), ["fox falls", "wolf wins", "fox wins"]);
  await eventually(() => page.getByRole("searchbox").inputValue(), "");
  assert.deepEqual(stage.complaints, []);
});

test("several clips are selected by mouse and deleted at once, and one undo restores them all", { skip }, async () => {
  const stage = await open("#/clips", { clips: some(6) });
  const { page, answers } = stage;
  await cardWith(page, "mygame_1").hover();
  await page.getByRole("checkbox", { name: "Select: mygame_1" }).check();
  await page
    .locator(".clip-link")
    .nth(3)
    .click({ modifiers: ["Shift"] });
  await page
    .locator(".clip-link")
    .nth(2)
    .click({ modifiers: ["Control"] });
  await eventually(() => selected(page), ["mygame_1", "mygame_3"]);
  const bar = page.getByRole("region", { name: "Actions for the selection" });
  await bar.getByText("2 clips selected").waitFor();
  await bar.getByRole("button", { name: "Delete" }).click();
  await eventually(() => titlesShown(page), ["mygame_0", "mygame_2", "mygame_4", "mygame_5"]);
  await bar.waitFor({ state: "detached" });
  const toast = page.getByRole("status").filter({ hasText: "2 clips moved to the trash." });
  await toast.getByRole("button", { name: "Undo" }).click();
  await eventually(async () => (await titlesShown(page)).length, 6);
  await eventually(() => selected(page), ["mygame_1", "mygame_3"]);
  await page.getByRole("status").filter({ hasText: "2 clips restored from the trash." }).waitFor();
  const one = clipOf(1).id;
  const three = clipOf(3).id;
  assert.deepEqual(answers.changes.toSorted(), [
    `DELETE /api/clips/${one}`,
    `DELETE /api/clips/${three}`,
    `POST /api/clips/${one}/restore`,
    `POST /api/clips/${three}/restore`,
  ]);
  assert.deepEqual(stage.complaints, []);
});

test("the keyboard selects, pins, tags and deletes several clips, and the focus stays in the gallery", {
  skip,
}, async () => {
  const stage = await open("#/clips", { clips: some(6) });
  const { page, answers } = stage;
  const focused = () => page.evaluate(() => document.activeElement?.querySelector(".clip-title")?.textContent ?? "");
  await page.locator(".clip-link").first().focus();
  await page.keyboard.press("Shift+ArrowRight");
  await eventually(() => selected(page), ["mygame_0", "mygame_1"]);
  await page.keyboard.press("Space");
  await eventually(() => selected(page), ["mygame_0"]);
  await page.keyboard.press("Escape");
  await eventually(() => selected(page), []);
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowRight");
  const bar = page.getByRole("region", { name: "Actions for the selection" });
  await bar.getByRole("button", { name: "Pin" }).press("Enter");
  await cardWith(page, "mygame_2").getByText("Pinned").waitFor();
  await page.getByRole("status").filter({ hasText: "2 clips pinned." }).waitFor();
  await bar.getByRole("button", { name: "Tags" }).press("Enter");
  await page.getByRole("dialog", { name: "Tags of 2 clips" }).getByRole("combobox", { name: "Add a tag" }).fill("best");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).press("Enter");
  await cardWith(page, "mygame_1").getByText("best").waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: "Tags of 2 clips changed." })
    .getByRole("button", { name: "Undo" })
    .press("Enter");
  await cardWith(page, "mygame_2").getByText("best").waitFor({ state: "detached" });
  await page.locator(`[data-clip="${clipOf(2).id}"]`).focus();
  await page.keyboard.press("Delete");
  await eventually(() => titlesShown(page), ["mygame_0", "mygame_3", "mygame_4", "mygame_5"]);
  await eventually(focused, "mygame_3");
  await page.keyboard.press("Control+a");
  await eventually(async () => (await selected(page)).length, 4);
  answers.refuseWith = "This one is being cut.";
  await page.keyboard.press("Delete");
  await page.getByRole("alert").filter({ hasText: "1 of 4 could not be changed: This one is being cut." }).waitFor();
  await page.getByRole("status").filter({ hasText: "3 clips moved to the trash." }).waitFor();
  await eventually(async () => (await titlesShown(page)).length, 1);
});
