// A test of accessibility with axe: the detected problems on the Connect page, in both colour schemes, wide and on a phone.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible, inColours } from "./accessible.ts";
import { openPage, openStage, rowWith } from "./stage.ts";

const skip = skipWithout("Chromium");

test("a refused field, a waiting web origin and a switch are listed accessibly, and fit on a phone", {
  skip,
}, async () => {
  await using stage = await openStage({ bypassCSP: true });
  const { page, launcher } = stage;
  await launcher.send("recording", { eventId: "mygame_step" });
  await rowWith(page, "mygame_step").click();
  await page.getByRole("button", { name: "Ignore this event" }).click();
  await page.getByRole("button", { name: "Accept this event" }).waitFor();
  await openPage(page, "Connect");
  await launcher.send("recording", { eventId: "mygame_step" });
  await launcher.send("social", { eventId: "mygame_win", timestamp: "yesterday" });
  await launcher.send("recording", { eventId: "mygame_web" }, { origin: "https://game.example" });
  const problems = page.getByRole("region", { name: "Detected problems" }).getByRole("listitem");
  for (const says of ["A request was refused", "is waiting for your consent", "mygame_step is switched off"])
    await problems.filter({ hasText: says }).waitFor();
  for (const colours of ["light", "dark"] as const) {
    await inColours(page, colours);
    await assertAccessible(page, `problems, ${colours}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await assertAccessible(page, "problems, narrow");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
});
