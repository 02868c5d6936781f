// Tests that the demo game is called Kit's demo wherever a game is named, so that nobody mistakes it for a game of their own.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, demoGame, registerGame } from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { openStage, rowWith } from "./stage.ts";

const skip = skipWithout("Chromium");

/** Each page, and the element in which it names the game. */
const places: readonly (readonly [address: string, where: (page: Page) => ReturnType<Page["locator"]>])[] = [
  ["#/live", (page) => rowWith(page, `${demoGame}_boss`).locator(".game")],
  ["#/clips?show=marker", (page) => page.locator(".marker-game, .clip-about bdi").first()],
  ["#/issues", (page) => page.locator(".issue-game").first()],
  ["#/sessions", (page) => page.locator(".session-game").first()],
  ["#/games", (page) => page.locator(".game-card h2 bdi").first()],
  ["#/rules", (page) => page.locator(".rule-game h2").first()],
  ["#/storage", (page) => page.getByRole("rowheader", { name: "Kit's demo", exact: true })],
];
/** The pages with a filter by game. */
const filtered = ["#/live", "#/clips", "#/issues", "#/sessions", "#/posts", "#/rules"];

test("the demo game is called Kit's demo on each page that names games", { skip }, async () => {
  await using stage = await openStage();
  const { page, launcher, complaints } = stage;
  const secret = readFileSync(join(launcher.dataDir, "secret"), "utf8").trim();
  const client = createClient(`http://127.0.0.1:${launcher.port}`, () => ({ authorization: `Bearer ${secret}` }));
  await client.call(registerGame, { body: { game: demoGame } });
  await launcher.send("recording", { eventId: `${demoGame}_boss` });
  await launcher.send("monitor", { message: "a chest without a lid", stackTrace: "at open (chest.js:1:1)" });
  await rowWith(page, `${demoGame}_boss`).waitFor();
  const open = async (address: string) => {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, address);
  };
  for (const [address, where] of places) {
    await open(address);
    await where(page)
      .filter({ hasText: /^Kit's demo$/u })
      .waitFor();
  }
  for (const address of filtered) {
    await open(address);
    await page
      .getByLabel("Game", { exact: true })
      .locator(`option[value="${demoGame}"]`, { hasText: /^Kit's demo$/u })
      .waitFor({ state: "attached" });
  }
  assert.deepEqual(complaints, []);
});
