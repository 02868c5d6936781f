// Tests of what surrounds the pages: the skip link, and a page whose script cannot be loaded.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { encodeInvitation } from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { eventually, openPage, openStage, resizeTo } from "./stage.ts";

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
  await openPage(page, "Clips");
  await page.getByRole("heading", { name: "Couldn't load this page" }).waitFor();
  await page.unrouteAll({ behavior: "wait" });
  await page.getByRole("heading", { name: "Clips", exact: true }).waitFor();
  await eventually(async () => new URL(page.url()).hash, "#/clips");
});

test("a page that is reloaded while the launcher is away says so until it is back, and leaves the address to another program", {
  skip,
}, async () => {
  await using stage = await openStage({ serviceWorkers: "allow", colorScheme: "dark" });
  const { page, launcher } = stage;
  await page.evaluate(() => localStorage.setItem("kit-language", "ja"));
  await page.reload();
  const prepared = () => caches.match("/").then((found) => found?.text());
  await eventually(async () => (await page.evaluate(prepared))?.includes("起動していません"), true);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await launcher.killHard();
  await page.reload();
  await page.getByRole("heading", { name: "Kit は起動していません" }).waitFor();
  await page.getByText(`npx kit start --port ${launcher.port} --data-dir "${launcher.dataDir}"`).waitFor();
  assert.equal(
    await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
    "rgb(17, 17, 19)",
  );
  await launcher.start();
  await page.getByRole("heading", { name: "ライブ", exact: true }).waitFor();
  // The sign-in link of another page: the launcher judges by where a request comes from.
  const link = `<a href="${await launcher.ownLink()}">Kit</a>`;
  await page.goto(`data:text/html,${encodeURIComponent(link)}`);
  await page.getByRole("link", { name: "Kit" }).click();
  await page.getByRole("heading", { name: "ホーム", exact: true }).waitFor();
  await launcher.killHard();
  await using other = createServer((_, reply) => reply.end("another program")).listen(launcher.port, "127.0.0.1");
  await once(other, "listening");
  await page.goto(`http://127.0.0.1:${launcher.port}/?`);
  assert.equal(await page.locator("body").innerText(), "another program");
  const left = async () => [(await navigator.serviceWorker.getRegistrations()).length, await caches.keys()];
  await eventually(() => page.evaluate(left), [0, []]);
  other.closeAllConnections();
});

/** Waits for a page that says how to sign in: first without a terminal, then with the command of this launcher. */
async function untilToldToSignIn(page: Page, dataDir: string, title: string): Promise<void> {
  await page.getByRole("heading", { name: title }).waitFor();
  const [, withoutTerminal, withTerminal] = await page.locator(".empty > p").allTextContents();
  assert.match(withoutTerminal ?? "", /^Open Kit from the Start menu or your menu of programs, or with its icon/u);
  assert.match(withTerminal ?? "", /^Or run this command in a terminal/u);
  assert.equal(await page.locator(".empty code").textContent(), `npx kit open --data-dir "${dataDir}"`);
}

test("a browser that is not signed in is told to open Kit, and the command with the data folder of this launcher", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  const address = `http://127.0.0.1:${launcher.port}/`;
  const { dataDir } = launcher;
  await page.waitForFunction(() => localStorage.getItem("kit-command") !== null);
  // The cookie has expired, the tab stays open: the next request ends the session.
  await page.context().clearCookies();
  await openPage(page, "Clips");
  await untilToldToSignIn(page, dataDir, "You are signed out");
  await page.evaluate(() => localStorage.removeItem("kit-session"));
  await page.goto(address);
  await page.reload();
  await untilToldToSignIn(page, dataDir, "Open Kit to sign in");
  await page.goto(`${address}#t=${"A".repeat(43)}`);
  await untilToldToSignIn(page, dataDir, "That link was already used or has expired");
  await page.goto(`${address}#/${invitationPage}`);
  await page.reload();
  await page.getByText("The invitation then opens, too. If it does not, open its link again.").waitFor();
  await page
    .getByText(`npx kit ${invitationPage.replace("/", " ")} --data-dir "${dataDir}"`, { exact: true })
    .waitFor();
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

test("a command on a page names the data folder of the launcher that serves the page", { skip }, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await page.goto(`http://127.0.0.1:${launcher.port}/#/sessions`);
  await page.getByText(/^npx kit run --data-dir ".+" -- \.\/mygame$/u).waitFor();
});
