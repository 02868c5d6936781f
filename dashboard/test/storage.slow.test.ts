// Tests of the Storage page in a real browser, with a real launcher that closes and opens its database.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible, inColours } from "./accessible.ts";
import { downloadedBytes } from "./shared-browser.ts";
import { eventually, openStage, type Stage } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them.
process.env.KIT_SECRETS = "file";

const skip = skipWithout("Chromium");
const phone = { width: 390, height: 844 };

async function openStorage({ page, launcher }: Stage): Promise<void> {
  await launcher.send("recording", { eventId: "lanternwood_boss" });
  await launcher.send("recording", { eventId: "lanternwood_step" });
  await page.evaluate(() => {
    location.hash = "#/storage";
  });
  await rowOf(page, "Lanternwood").getByText("2", { exact: true }).first().waitFor();
}

const rowOf = (page: Page, game: string) => page.getByRole("row").filter({ hasText: game });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");

/** The browser also reports requests that a closing launcher does not answer. */
const serious = (complaints: readonly string[]) =>
  complaints.filter((text) => !/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_SOCKET|422/u.test(text));

test("a wipe shows counts beforehand, is started by keyboard, and can be undone during the countdown", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page } = stage;
  await openStorage(stage);
  await page.getByRole("button", { name: "Wipe Lanternwood" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Wipe Lanternwood?" });
  await dialog.getByText("2 events").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Wipe" }).click();
  await page.getByText(/Lanternwood will be wiped in \d+ s/u).waitFor();
  await eventually(() => page.getByRole("button", { name: "Wipe Lanternwood", exact: true }).isDisabled(), true);
  // The launcher counts down, so a reloaded page can still undo.
  await page.reload();
  await page.getByRole("button", { name: /^Undo: wipe lanternwood$/iu }).click();
  await page.getByText(/^No data of lanternwood was wiped\.$/iu).waitFor();
  await eventually(() => focused(page), "Storage");
  await eventually(() => page.getByRole("button", { name: "Wipe Lanternwood", exact: true }).isEnabled(), true);
  await rowOf(page, "Lanternwood").getByText("2", { exact: true }).first().waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("the quota is set with the slider or the field, and confirmed as saved", { skip }, async () => {
  await using stage = await openStage();
  const { page } = stage;
  await openStorage(stage);
  const slider = page.getByRole("slider");
  const field = page.getByLabel("The same value as a number");
  const before = Number(await slider.inputValue());
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByText("Saved", { exact: true }).waitFor();
  await eventually(() => field.inputValue(), String(before - 1));
  await field.fill("nothing");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "enter a number" }).waitFor();
  await field.fill("3");
  await page.keyboard.press("Enter");
  await page.getByText("Clips use 0 B of 3 GB.").waitFor();
  await page.getByRole("button", { name: "Free up space…" }).click();
  await page.getByRole("dialog").getByText("No clip can be deleted").waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("a backup is made, downloaded and restored, and the previous data is listed and restored too", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await openStorage(stage);
  await page.getByRole("button", { name: "Make a backup now" }).click();
  await page.getByText("The backup was created and verified.").waitFor();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Download the backup from/u }).click();
  const saved = await downloadedBytes(await saving);
  assert.equal(saved.subarray(0, 15).toString(), "SQLite format 3");
  await launcher.send("recording", { eventId: "skyhook_lap" });
  await rowOf(page, "skyhook").waitFor();
  await page.getByRole("button", { name: /^Restore the backup from/u }).click();
  await page.getByRole("dialog").getByText("is set aside").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await page.getByRole("region", { name: "Previous data" }).waitFor();
  // The previous data may be listed before the page reloads.
  const games = () => Promise.all(["lanternwood", "skyhook"].map((game) => rowOf(page, game).count()));
  await eventually(games, [1, 0]);
  await page.getByRole("button", { name: /^Restore the data set aside/u }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await rowOf(page, "skyhook").waitFor();
  await page.getByRole("button", { name: /^Delete the data set aside/u }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("region", { name: "Previous data" }).waitFor({ state: "detached" });
  assert.deepEqual(serious(stage.complaints), []);
});

test("everything is exported as a file, and wiped after the words were typed", { skip }, async () => {
  await using stage = await openStage();
  const { page } = stage;
  await openStorage(stage);
  await page.getByRole("button", { name: "Export everything" }).click();
  const dialog = page.getByRole("dialog", { name: "Export everything" });
  const saving = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  const download = await saving;
  assert.match(download.suggestedFilename(), /^kit-export-.*\.zip$/u);
  assert.equal((await downloadedBytes(download)).subarray(0, 2).toString(), "PK");
  await page.getByRole("button", { name: "Wipe everything" }).click();
  const wiping = page.getByRole("dialog", { name: "Start over?" });
  assert.ok(await wiping.getByRole("button", { name: "Wipe everything" }).isDisabled());
  await page.keyboard.type("wipe all");
  await page.keyboard.press("Enter");
  await page.getByText("Set aside by a wipe").waitFor();
  await page.getByText("Nothing is stored yet.").waitFor();
  assert.deepEqual(serious(stage.complaints), []);
});

test("the page is accessible in both colour schemes, wide and on a phone, with its dialogs", { skip }, async () => {
  await using stage = await openStage({ bypassCSP: true, reducedMotion: "reduce" });
  const { page } = stage;
  await openStorage(stage);
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
