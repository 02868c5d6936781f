// A test of accessibility with axe: bell, alerts, list and settings, in both colour schemes, wide and at 360 px.
import assert from "node:assert/strict";
import { type NoticeSettingsReport, noticeSettingDefaults } from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible, inColours, narrow } from "./accessible.ts";
import { openWithAlerts, report, withToast } from "./notice-stage.ts";

const skip = skipWithout("Chromium");

const bell = (page: Page) => page.getByRole("button", { name: /^Alerts/ });
const panel = (page: Page) => page.getByRole("dialog", { name: "Alerts" });

async function assertFitsWidth(page: Page, state: string): Promise<void> {
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overflowPx, 0, `${state}: nothing is wider than the page`);
}

/** Answers requests about the settings in place of the launcher, so that the test shows no notification on a real desktop. */
async function answerSettings(page: Page): Promise<void> {
  const trouble = "Desktop notifications are not available: install libnotify-bin, which contains notify-send.";
  const settings: NoticeSettingsReport = { ...noticeSettingDefaults, trouble };
  await page.route("**/api/notices/settings", (route) => route.fulfill({ json: settings }));
  await page.route("**/api/notices/test", (route) => route.fulfill({ json: { ok: false, says: trouble } }));
}

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
