// A test of accessibility with axe: the Storage page and its dialogs, in both colour schemes, wide and on a phone.
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible, inColours } from "./accessible.ts";
import { eventually, openStage } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them.
process.env.KIT_SECRETS = "file";

const skip = skipWithout("Chromium");
const phone = { width: 390, height: 844 };

test("the page is accessible in both colour schemes, wide and on a phone, with its dialogs", { skip }, async () => {
  await using stage = await openStage({ bypassCSP: true, reducedMotion: "reduce" });
  const { page, launcher } = stage;
  await launcher.send("recording", { eventId: "lanternwood_boss" });
  await launcher.send("recording", { eventId: "lanternwood_step" });
  await page.evaluate(() => {
    location.hash = "#/storage";
  });
  await page.getByRole("row").filter({ hasText: "Lanternwood" }).getByText("2", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Make a backup now" }).click();
  await page.getByText("The backup was created and verified.").waitFor();
  for (const colours of ["light", "dark"] as const) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await inColours(page, colours);
    await assertAccessible(page, `${colours}, wide`);
    await page.setViewportSize(phone);
    await assertAccessible(page, `${colours}, on a phone`);
    await eventually(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    await page.getByRole("button", { name: "Wipe Lanternwood" }).click();
    await page.getByRole("dialog").getByText("2 events").waitFor();
    await assertAccessible(page, `${colours}, before a wipe`);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Wipe everything" }).click();
    await page.keyboard.type("wipe all");
    await assertAccessible(page, `${colours}, before all is wiped`);
    await page.keyboard.press("Escape");
  }
});
