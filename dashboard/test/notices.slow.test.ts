// Tests of alerts in a real browser with the real launcher: new errors are shown and listedTitles, and a flood is counted.
import assert from "node:assert/strict";
import { type NoticeSettingsReport, noticeSettingDefaults } from "@kit/contract";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { visibleLine } from "../src/ui/visible-text.ts";
import { assertAccessible, inColours, narrow } from "./accessible.ts";
import { hostileStrings } from "./hostile-strings.ts";
import { eventually, openStage, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium");

const bell = (page: Page) => page.getByRole("button", { name: /^Alerts/ });
const panel = (page: Page) => page.getByRole("dialog", { name: "Alerts" });
const toasts = (page: Page) => page.getByRole("region", { name: "New alerts" });
const listedTitles = (page: Page) => page.locator(".notice-list .notice-title").allTextContents();

/** Acts on a toast inside the page as soon as it appears, because it disappears after a while. */
const withToast = (page: Page, selector: string, act: "click" | "focus") =>
  page.waitForFunction(
    ([wanted, how]) => {
      const found = document.querySelector<HTMLElement>(`.notice-toasts ${wanted}`);
      found?.[how]();
      const top = found?.closest(".notice-toasts")?.getBoundingClientRect().top ?? 0;
      const headings = [...document.querySelectorAll("main h1")].map((heading) => heading.getBoundingClientRect());
      const covers = headings.some(({ bottom }) => top < bottom);
      return found === null ? undefined : { text: found.textContent, covers };
    },
    [selector, act] as const,
  );
async function report({ launcher }: Stage, message: string): Promise<void> {
  assert.equal((await launcher.send("monitor", { message })).status, 202);
}

/** Opens a stage whose page has the alerts. It shows no toast for one that was already in its first answer. */
async function openWithAlerts(options: BrowserContextOptions = {}): Promise<Stage> {
  const fetched = Promise.withResolvers<void>();
  const prepare = async (page: Page) =>
    page.on("requestfinished", (request) => {
      if (new URL(request.url()).pathname === "/api/notices") fetched.resolve();
    });
  const opened = await openStage({ ...options, prepare });
  await fetched.promise;
  return opened;
}

let stage: Stage;
beforeAll(async () => {
  if (skip === false) stage = await openWithAlerts();
});
afterAll(async () => await stage?.[Symbol.asyncDispose]());

test("a new error is shown as an alert that opens its issue, and an old alert is not shown again after a reload", {
  skip,
}, async () => {
  const { page } = stage;
  await report(stage, "The door has no key");
  const alert = await withToast(page, "a", "click");
  assert.equal((await alert.jsonValue())?.text, "New error · UnsortedThe door has no key");
  await page.waitForURL(/#\/issues\/[\w-]{36}$/u);
  await page.getByRole("status").filter({ hasText: "New error · Unsorted: The door has no key" }).waitFor();
  await toasts(page).waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("button", { name: "Alerts: 1 unread" }).waitFor();
  await report(stage, "The lamp is out");
  const next = await withToast(page, "ul", "focus");
  assert.deepEqual(await next.jsonValue(), { text: "New error · UnsortedThe lamp is out", covers: false });
  await bell(page).click();
  await eventually(() => listedTitles(page), ["The lamp is out", "The door has no key"]);
  await panel(page).getByRole("button", { name: "Mark all as seen" }).click();
  await page.getByRole("button", { name: "Alerts", exact: true }).waitFor();
  await panel(page)
    .getByRole("link", { name: /The door has no key/ })
    .click();
  await panel(page).waitFor({ state: "hidden" });
  // The page of an issue takes the focus when it opens. The next step must not run before that.
  await page.getByRole("heading", { level: 1, name: "The door has no key" }).waitFor();
  await page.evaluate(() => localStorage.setItem("kit-language", "ja"));
  await page.reload();
  await page.locator(".notice-place > button").click();
  await page.locator(".notice-list strong").filter({ hasText: "新しいエラー" }).first().waitFor();
  await page.evaluate(() => localStorage.removeItem("kit-language"));
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "The door has no key" }).waitFor();
  assert.deepEqual(stage.complaints, []);
});

/** The share of the bell that its count covers, and whether the count touches the next button. */
const coveredByCount = (page: Page): Promise<{ share: number; touchesNext: boolean }> =>
  page.locator(".notice-place").evaluate((place) => {
    const boxOf = (element: Element | null | undefined) => element?.getBoundingClientRect() ?? new DOMRect();
    const [bell, count] = [boxOf(place.querySelector(".icon")), boxOf(place.querySelector(".notice-count"))];
    const next = boxOf(place.nextElementSibling?.querySelector(".icon"));
    const width = Math.max(0, Math.min(bell.right, count.right) - Math.max(bell.left, count.left));
    const height = Math.max(0, Math.min(bell.bottom, count.bottom) - Math.max(bell.top, count.top));
    return { share: (width * height) / (bell.width * bell.height), touchesNext: count.right > next.left };
  });

test("the count of alerts leaves the bell visible, and an alert from another day shows the day beside the time", {
  skip,
}, async () => {
  const { page } = stage;
  const assertBellVisible = async (unread: number) => {
    await page.getByRole("button", { name: `Alerts: ${unread} unread` }).waitFor();
    const { share, touchesNext } = await coveredByCount(page);
    assert.ok(share < 0.25, `a count of ${unread} covers ${share} of the bell`);
    assert.equal(touchesNext, false);
  };
  await page.setViewportSize({ width: 320, height: 800 });
  await report(stage, "The map is torn");
  await assertBellVisible(1);
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  const list = (url: URL) => url.pathname === "/api/notices";
  await page.route(list, async (route) => {
    const response = await route.fetch({ maxRetries: 3 });
    const { notices, ...rest } = await response.json();
    const older = notices.map((notice: object) => ({ ...notice, at: twoDaysAgo.toISOString() }));
    await route.fulfill({ response, json: { ...rest, notices: older, unseen: 120 } });
  });
  await page.reload();
  await assertBellVisible(120);
  await bell(page).click();
  const day = new Intl.DateTimeFormat("en-US", { weekday: "short" }).format(twoDaysAgo);
  const firstTime = panel(page).locator("time").first();
  await firstTime.waitFor();
  assert.match((await firstTime.textContent()) ?? "", new RegExp(`^${day},? \\d\\d:\\d\\d$`, "u"));
  // Waits for the answers under way: without the route, the browser would get another one.
  await page.unrouteAll({ behavior: "wait" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await page.getByRole("button", { name: "Alerts: 1 unread" }).click();
  await panel(page).getByRole("button", { name: "Mark all as seen" }).click();
  await page.getByRole("button", { name: "Alerts", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await panel(page).waitFor({ state: "hidden" });
});

test("the keyboard opens the list, returns to the bell with Escape, and opens an issue", {
  skip,
}, async () => {
  const { page } = stage;
  await report(stage, "The sword is blunt");
  const focused = (what: string) => page.evaluate((name) => document.activeElement?.getAttribute(name), what);
  const focusedText = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  await page.getByRole("button", { name: "Alerts: 1 unread" }).focus();
  await page.keyboard.press("Enter");
  await eventually(() => focused("role"), "dialog");
  await page.keyboard.press("Tab");
  assert.equal(await focusedText(), "Mark all as seen");
  await page.keyboard.press("Escape");
  await panel(page).waitFor({ state: "hidden" });
  assert.equal(await focused("aria-label"), "Alerts: 1 unread");
  await page.keyboard.press("Enter");
  await eventually(() => focused("role"), "dialog");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.match(await focusedText(), /The sword is blunt/);
  await page.goto(page.url().replace(/#.*/u, "#/live"));
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/issues\/[\w-]{36}$/u);
  assert.deepEqual(stage.complaints, []);
});

test("a flood is counted and shows at most six alerts, and hostile text is shown as text", { skip }, async () => {
  const { page } = stage;
  // Only texts that become separate issues. The launcher makes at most sixty issues a minute for one sender.
  const messages = [...new Set(hostileStrings.filter((text) => /\p{L}{4}/u.test(text)))].slice(0, 50);
  for (const message of messages) await report(stage, message);
  await eventually(async () => (await toasts(page).getByRole("listitem").count()) > 0, true);
  assert.ok((await toasts(page).getByRole("listitem").count()) <= 6);
  await bell(page).click();
  await eventually(async () => (await listedTitles(page)).length > 20, true);
  const shown = await listedTitles(page);
  const sent = new Set(messages.map((message) => visibleLine(message, 160)));
  assert.ok(shown.filter((title) => sent.has(title)).length > 10, "most alerts have their own message as the title");
  const forbiddenElements =
    "#kit script, #kit iframe, #kit img:not([src^='/assets/']), [onerror], [onload], a:not([href^='#/'])";
  assert.equal(await page.locator(forbiddenElements).count(), 0);
  await assertFitsWidth(page, "a flood");
  await page.keyboard.press("Escape");
  assert.deepEqual(stage.complaints, []);
});

async function assertFitsWidth(page: Page, state: string): Promise<void> {
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overflowPx, 0, `${state}: nothing is wider than the page`);
}

/** Answers requests about the settings in place of the launcher, so that no test shows a notification on a real desktop. */
async function answerSettings(page: Page): Promise<{ bodies: unknown[] }> {
  let settings: NoticeSettingsReport = { ...noticeSettingDefaults, trouble: null };
  const trouble = "Desktop notifications are not available: install libnotify-bin, which contains notify-send.";
  const bodies: unknown[] = [];
  await page.context().route(/\/api\/notices\/(?:settings|test)$/u, async (route) => {
    const request = route.request();
    if (request.url().endsWith("/test")) {
      settings = { ...settings, trouble };
      return await route.fulfill({ json: { ok: false, says: trouble } });
    }
    if (request.method() === "PUT") {
      bodies.push(request.postDataJSON());
      settings = { ...settings, ...request.postDataJSON() };
    }
    return await route.fulfill({ json: settings });
  });
  return { bodies };
}

test("desktop notifications are switched on by a person, show why they fail, and kinds and games can be muted", {
  skip,
}, async () => {
  const { page } = stage;
  const { bodies } = await answerSettings(page);
  await bell(page).click();
  await panel(page).getByText("Settings", { exact: true }).click();
  const desktop = panel(page).getByRole("switch", { name: "Also as desktop notifications" });
  assert.equal(await desktop.getAttribute("aria-checked"), "false");
  await desktop.click();
  await eventually(() => desktop.getAttribute("aria-checked"), "true");
  await panel(page).getByRole("button", { name: "Show a test notification" }).click();
  await panel(page).getByRole("status").filter({ hasText: "install libnotify-bin" }).waitFor();
  await panel(page).getByRole("checkbox", { name: "Ten times as many reports" }).click();
  await panel(page).getByRole("checkbox", { name: "Unsorted" }).click();
  await eventually(
    () => Promise.resolve(bodies),
    [{ desktop: true }, { kinds: ["new", "regressed", "woke"] }, { quietGames: ["unsorted"] }],
  );
  assert.deepEqual(stage.complaints, []);
});

test("bell, alerts, list and settings are accessible, dark at 360 px and light on a wide page", { skip }, async () => {
  // The page's own security policy would block axe. Motion is off, so that no colour is measured during a transition.
  await using own = await openWithAlerts({ bypassCSP: true, reducedMotion: "reduce" });
  const { page } = own;
  await answerSettings(page);
  for (const [viewport, colorScheme, word] of [
    [narrow, "dark", "door"],
    [{ width: 1280, height: 800 }, "light", "lamp"],
  ] as const) {
    const state = `${viewport.width} px, ${colorScheme}`;
    await page.setViewportSize(viewport);
    await inColours(page, colorScheme);
    await report(own, `The ${word} with a very long name_that_has_no_space_to_break_at_${"x".repeat(120)} is lost`);
    await withToast(page, "button", "focus");
    await assertFitsWidth(page, `toast, ${state}`);
    await assertAccessible(page, `toast, ${state}`);
    await withToast(page, "button", "click");
    await bell(page).click();
    await panel(page).getByText("Settings", { exact: true }).click();
    await panel(page).getByRole("button", { name: "Show a test notification" }).click();
    await panel(page).getByText("install libnotify-bin").waitFor();
    await assertFitsWidth(page, `list, ${state}`);
    await assertAccessible(page, `list and settings, ${state}`);
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "hidden" });
  }
});
