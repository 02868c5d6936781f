// Tests of what surrounds the pages: the skip link, and a page whose script cannot be loaded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeInvitation } from "@kit/contract";
import type { Page } from "playwright-core";
import { skipWithout } from "../../tools/engines/locate.ts";
import { eventually, openStage } from "./stage.ts";

const skip = skipWithout("Chromium");

test("the first Tab stop moves the focus behind the navigation, so that the next one is in the page", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await page.goto(`http://127.0.0.1:${launcher.port}/#/settings`);
  // Otherwise the Tab key would go on from the link that was clicked last.
  await page.reload();
  await page.getByRole("heading", { name: "Settings", exact: true }).waitFor();
  await page.keyboard.press("Tab");
  const link = page.getByRole("button", { name: "Skip to the content" });
  assert.equal(await link.evaluate((element) => element === document.activeElement), true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.closest("main") !== null), true);
});

test("a page that could not be loaded while the launcher was away loads by itself when the launcher answers", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page } = stage;
  const isAway = (url: URL) => url.pathname.startsWith("/assets/") || url.pathname === "/api/health";
  await page.route(isAway, (route) => route.abort());
  await page.getByRole("link", { name: "Clips", exact: true }).click();
  await page.getByRole("heading", { name: "Couldn't load this page" }).waitFor();
  await page.unroute(isAway);
  await page.getByRole("heading", { name: "Clips", exact: true }).waitFor();
  await eventually(async () => new URL(page.url()).hash, "#/clips");
});

test("a browser that is not signed in is told the command with the data folder of this launcher", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await page.context().clearCookies();
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`http://127.0.0.1:${launcher.port}/`);
  await page.getByRole("heading", { name: "Open the dashboard from a terminal" }).waitFor();
  await page.getByText(`npx kit open --data-dir "${launcher.dataDir}"`, { exact: true }).waitFor();
});

const everyPage = [
  ...["home", "live", "clips", "issues", "posts", "accounts", "post-rules", "sessions", "games", "rules", "settings"],
  ...["storage", "recorder", "forwarding", "connect", "connect/godot"],
];

/** Answers the top bar that many drafts wait. */
const withDrafts = (page: Page) =>
  page.route(
    (url) => url.pathname === "/api/posts" && url.search === "?limit=1",
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), drafts: 120 } });
    },
  );

const invitationPage = `join/${encodeInvitation({
  version: 1,
  studio: "Lantern Games",
  text: "Donaudampfschifffahrtsgesellschaft".repeat(4),
  kind: "sentry",
  address: `https://0123456789abcdef@${"very-long-name.".repeat(5)}example.com/4`,
  game: null,
  environment: null,
  asks: ["earlierEvents", "installation", "videos"],
})}`;

test("no page scrolls sideways, from 320 to 1440 pixels, and the number of drafts stays beside its link", {
  skip,
}, async () => {
  await using stage = await openStage({ prepare: withDrafts });
  const { page, launcher } = stage;
  const overflowing: string[] = [];
  const countTopOf = () =>
    page.locator(".nav-count").evaluate((count) => {
      const link = count.closest("a");
      return count.getBoundingClientRect().top - (link?.getBoundingClientRect().top ?? 0);
    });
  for (const name of [...everyPage, invitationPage]) {
    await page.goto(`http://127.0.0.1:${launcher.port}/#/${name}`);
    await page.locator("main:not([aria-busy]) h1, main:not([aria-busy]) h2").first().waitFor();
    for (const width of [320, 360, 480, 560, 640, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const isWide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll("main")].some(
          (element) => element.scrollWidth > element.clientWidth + 1,
        ),
      );
      if (isWide) overflowing.push(`${name} at ${width}`);
      if ((await countTopOf()) > 16) overflowing.push(`the number of drafts on ${name} at ${width}`);
    }
  }
  assert.deepEqual(overflowing, []);
});

test("a command on a page names the data folder of the launcher that serves the page", { skip }, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await page.goto(`http://127.0.0.1:${launcher.port}/#/sessions`);
  await page.getByText(/^npx kit run --data-dir ".+" -- \.\/mygame$/u).waitFor();
});
