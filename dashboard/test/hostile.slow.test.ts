// Tests of hostile text on the Live page: it is shown as text, adds no element, runs nothing, hides nothing and moves nothing.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { visibleLine } from "../src/ui/visible-text.ts";
import { hostileStrings } from "./hostile-strings.ts";
import { eventually, idsShown, openStage } from "./stage.ts";

const skip = skipWithout("Chromium");

/** Elements that this page never creates, and links or handlers that could only come from a request. */
const forbiddenElements = [
  "iframe, object, embed, base, form, template, video, math, meta[http-equiv], #kit script, #kit style, #kit link",
  "[onerror], [onload], [onfocus], [ontoggle], [onblur], [contenteditable], img:not([src^='/assets/'])",
  "main a, aside a:not([href^='#/issues/'])",
].join(", ");

async function assertHarmless(page: Page): Promise<void> {
  assert.equal(await page.locator(forbiddenElements).count(), 0);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.ok(overflow <= 0, `the page grew ${overflow} px too wide`);
}

test("hostile messages, stack traces and senders are shown as text", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  const sent = new Map<string, string>();
  for (const text of hostileStrings) {
    const { status, id } = await launcher.send("monitor", { message: text, stackTrace: text });
    assert.equal(status, 202);
    sent.set(id, text);
  }
  console.log(`${hostileStrings.length} texts`);
  await eventually(async () => (await idsShown(page)).length, hostileStrings.length);
  await assertHarmless(page);
  const title = page.getByRole("complementary", { name: "Details" }).getByRole("heading", { level: 2 });
  for (const [id, text] of sent) {
    const row = page.locator(`.row[data-key="${id}"]`);
    assert.equal(await row.locator(".what").textContent(), visibleLine(text));
    await row.click();
    await eventually(() => title.textContent(), visibleLine(text, 500));
    await assertHarmless(page);
  }
  assert.deepEqual(stage.complaints, []);
});

test("hostile event ids are shown as text in rows, games and filter choices", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  let accepted = 0;
  for (const text of hostileStrings) {
    const { status } = await launcher.send("recording", { eventId: text.slice(0, 100) });
    assert.ok(status === 202 || status === 422, `${status} for ${JSON.stringify(text.slice(0, 40))}`);
    if (status === 202) accepted += 1;
  }
  await eventually(async () => (await idsShown(page)).length, accepted);
  await eventually(() => page.locator('.row[data-type="refusal"]').count(), hostileStrings.length - accepted);
  await assertHarmless(page);
  await page.locator('.row[data-type="refusal"]').first().click();
  await page.getByRole("heading", { name: "Expected values" }).waitFor();
  await assertHarmless(page);
  assert.deepEqual(stage.complaints, []);
});
