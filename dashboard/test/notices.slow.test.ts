// Tests of alerts in a real browser with the real launcher: where they are shown, and how the keyboard reaches them.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { openWithAlerts, report, withToast } from "./notice-stage.ts";
import { eventually, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium");

const bell = (page: Page) => page.getByRole("button", { name: /^Alerts/ });
const panel = (page: Page) => page.getByRole("dialog", { name: "Alerts" });
const toasts = (page: Page) => page.getByRole("region", { name: "New alerts" });
const listedTitles = (page: Page) => page.locator(".notice-list .notice-title").allTextContents();

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

test("the count of alerts leaves the bell visible, and an alert from another day says how long ago it was", {
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
  const firstTime = panel(page).locator("time").first();
  await firstTime.waitFor();
  assert.equal(await firstTime.textContent(), "2 days ago");
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
  const settings = panel(page).locator("summary");
  // The settings keep the focus, and closing them leaves the list as it is.
  for (const isOpen of [true, false]) {
    await settings.click();
    await eventually(() => page.getByRole("switch", { name: "Also as desktop notifications" }).isVisible(), isOpen);
  }
  await eventually(focusedText, "Settings");
  await panel(page).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.match(await focusedText(), /The sword is blunt/);
  await page.goto(page.url().replace(/#.*/u, "#/live"));
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/issues\/[\w-]{36}$/u);
  assert.deepEqual(stage.complaints, []);
});
