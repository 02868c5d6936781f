// Tests of hostile text in the gallery, the player and the recorder: it is shown as text, adds no element and moves nothing.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { visibleLine, visibleText } from "../src/ui/visible-text.ts";
import { clipOf, markerOf, recorderStateOf, reportOf } from "./clip-samples.ts";
import { shareStage } from "./clips-stage.ts";
import { hostileStrings } from "./hostile-strings.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareStage(skip);

/** Elements that these pages never create, and addresses that they never link to. */
const forbiddenElements = [
  "iframe, object, embed, base, template, math, meta[http-equiv], #kit script, #kit style, #kit link",
  "[onerror], [onload], [onfocus], [ontoggle], [onblur], [contenteditable]",
  "img:not([src^='/assets/'], [src^='/api/clips/']), video:not([src^='/api/clips/'])",
  "a:not([href^='#/'], [href^='/api/clips/'])",
].join(", ");

async function assertHarmless(page: Page, text: string): Promise<void> {
  assert.equal(await page.locator(forbiddenElements).count(), 0, JSON.stringify(text.slice(0, 60)));
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `the page grew ${overflow} px too wide by ${JSON.stringify(text.slice(0, 60))}`);
}

/** A clip in which every text is hostile. */
const hostileClip = (n: number, text: string) => {
  const [moment] = clipOf(n).events;
  return clipOf(n, {
    title: text,
    game: text,
    path: text,
    notes: [text],
    tags: [text.slice(0, 40) || "-"],
    events: moment ? [{ ...moment, eventId: text, label: text }] : [],
    preview: false,
    poster: false,
  });
};

test("hostile titles, games, notes and reasons are shown as text in the gallery", { skip }, async () => {
  // All at the same time: otherwise those from before midnight would be in a day of their own, with its own markers.
  const startedAt = new Date().toISOString();
  const clips = hostileStrings.map((text, n) => ({
    ...(n % 3 === 0 ? markerOf(n, { title: text, game: text, reason: text }) : hostileClip(n, text)),
    startedAt,
  }));
  const { page, complaints } = await open("#/clips", {
    clips,
    report: reportOf({ state: recorderStateOf({ detail: "<b>" }) }),
  });
  const cards = hostileStrings.filter((_, n) => n % 3 !== 0);
  await page.locator(".clip-card").first().waitFor();
  const shown = new Map<string, string>();
  // Only cards near the window are drawn.
  const scrollOn = async () => {
    const drawn = await page
      .locator(".clip-card")
      .evaluateAll((all) =>
        all.map((card) => [
          card.querySelector<HTMLElement>(".clip-link")?.dataset.clip ?? "",
          card.querySelector(".clip-title")?.textContent ?? "",
        ]),
      );
    for (const [id = "", title = ""] of drawn) shown.set(id, title);
    await assertHarmless(page, "the visible cards");
    await page.locator("main").evaluate(async (main) => {
      main.scrollBy(0, 600);
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    });
    return shown.size;
  };
  await eventually(scrollOn, cards.length);
  await page.getByText(/^\d+ markers$/u).click();
  const markers = hostileStrings.filter((_, n) => n % 3 === 0).slice(0, 50);
  await eventually(
    () => page.locator(".marker a").allTextContents(),
    markers.map((text) => visibleLine(text, 200)),
  );
  await assertHarmless(page, "the markers");
  const titles = clips.filter((_, n) => n % 3 !== 0).map(({ id }) => shown.get(id));
  assert.deepEqual(
    titles,
    cards.map((text) => visibleLine(text, 200)),
  );
  await assertHarmless(page, "all at once");
  assert.deepEqual(complaints, []);
});

test("hostile labels, paths and notes are shown as text in the player", { skip }, async () => {
  // The test above showed all texts in the gallery. Here a part of them is enough.
  const texts = hostileStrings.filter((_, n) => n % 6 === 0);
  const clips = texts.map((text, n) => hostileClip(n, text));
  const { page, complaints, go } = await open("#/clips", { clips });
  const title = page.getByRole("dialog").getByRole("heading", { level: 2 });
  for (const [n, text] of texts.entries()) {
    await go(`#/clips/${clips[n]?.id}`);
    await eventually(() => title.allTextContents(), [visibleLine(text, 200)]);
    assert.equal(await page.locator("dialog .chapter-label").textContent(), visibleLine(text, 200));
    await assertHarmless(page, text);
  }
  assert.deepEqual(complaints, []);
});

test("hostile sources and reasons are shown as text on the recorder page", { skip }, async () => {
  const [text = ""] = hostileStrings;
  const state = recorderStateOf({ detail: text, source: text, encoder: text, degraded: text });
  const { page, complaints } = await open("#/recorder", { report: reportOf({ state }) });
  await eventually(() => page.locator(".recorder-detail").textContent(), visibleText(text));
  await assertHarmless(page, "all at once");
  assert.deepEqual(complaints, []);
});
