// Tests of the launcher's messages in the page's language: a receipt's reason and a refused request, in Japanese and English.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { openStage, resizeTo, rowWith } from "./stage.ts";

const skip = skipWithout("Chromium");

/** Chooses the language as the Settings page does. */
async function chooseLanguage(page: Page, language: "en" | "ja"): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem("kit-language", chosen), language);
  await page.reload();
  await page.locator(`html[lang="${language}"] .row`).first().waitFor();
}

test("the launcher's messages are shown in the page's language, and in English without changes", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  await launcher.send("social", { eventId: "mygame_won" });
  await launcher.send("social", { eventId: "mygame_lost", timestamp: "yesterday" });
  await rowWith(page, "mygame_won").click();
  await page.locator(".timeline-reason", { hasText: "no rule for posts matches this event" }).waitFor();
  await rowWith(page, "expected an ISO 8601 time in UTC that exists").click();
  await page.locator(".broken-members", { hasText: "expected an ISO 8601 time in UTC" }).waitFor();

  await chooseLanguage(page, "ja");
  await rowWith(page, "mygame_won").click();
  await page.locator(".timeline-reason", { hasText: "何を投稿するかのルールがありません" }).waitFor();
  await rowWith(page, "必要な値：実在する UTC の ISO 8601 時刻").click();
  await page.locator(".broken-members", { hasText: "ミリ秒まで：YYYY-MM-DDTHH:MM:SS.sssZ" }).waitFor();

  for (const width of [320, 390, 480, 640]) {
    await resizeTo(page, width);
    const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflowPx <= 0, `${overflowPx} px too wide at ${width}`);
  }

  await page.setViewportSize({ width: 1280, height: 800 });
  await chooseLanguage(page, "en");
  await rowWith(page, "mygame_won").click();
  await page.locator(".timeline-reason", { hasText: "no rule for posts matches this event" }).waitFor();
  assert.deepEqual(stage.complaints, []);
});
