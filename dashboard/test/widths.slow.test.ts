// Tests of the width of every page, and of the top bar, from a small window to a large one.
import assert from "node:assert/strict";
import { encodeInvitation } from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { openStage, resizeTo } from "./stage.ts";

const skip = skipWithout("Chromium");

const everyPage = [
  ...["home", "live", "clips", "issues", "posts", "accounts", "post-rules", "sessions", "games", "rules", "settings"],
  ...["storage", "recorder", "forwarding", "connect", "connect/godot"],
];

/** Answers the top bar that many drafts wait. */
const withDrafts = (page: Page) =>
  page.route(
    (url) => url.pathname === "/api/posts" && url.search === "?limit=1",
    async (route) => {
      const response = await route.fetch({ maxRetries: 3 });
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
      await resizeTo(page, width);
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

/** The links and buttons of the top bar that a person cannot see whole, or whose text is cut. */
const cutInTopBar = (page: Page): Promise<string[]> =>
  page.locator(".top-bar").evaluate((bar) => {
    const outer = bar.getBoundingClientRect();
    const isCut = (control: Element) => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      const isOutside = left < 0 || right > innerWidth || top < outer.top || bottom > outer.bottom;
      // Whatever lies at its corners must be the control itself: no ancestor cuts it, nothing covers it.
      const corners = [left + 3, right - 3].map((x) => document.elementFromPoint(x, (top + bottom) / 2));
      return isOutside || corners.some((found) => found === null || !control.contains(found));
    };
    const controls = [...bar.querySelectorAll("nav a, .top-bar-end > a, .top-bar-end > button")];
    return controls.filter(isCut).map((control) => control.textContent || control.ariaLabel || control.tagName);
  });

for (const language of ["en", "ja"]) {
  test(`every link of the top bar is visible from 320 to 1280 pixels, also with a count (${language})`, {
    skip,
  }, async () => {
    await using stage = await openStage({ prepare: withDrafts });
    const { page } = stage;
    await page.evaluate((chosen) => localStorage.setItem("kit-language", chosen), language);
    await page.reload();
    await page.locator(`html[lang="${language}"] .nav-count`).waitFor();
    const cut: string[] = [];
    for (const width of [320, 360, 480, 640, 768, 1024, 1280]) {
      await resizeTo(page, width);
      cut.push(...(await cutInTopBar(page)).map((name) => `${name} at ${width}`));
    }
    assert.deepEqual(cut, []);
    assert.equal(await page.locator(".top-bar nav a").count(), 8);
  });
}
