// A test of the Storage page in a real browser, with a real launcher that closes and opens its database.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { downloadedBytes } from "./shared-browser.ts";
import { eventually, openStage } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them.
process.env.KIT_SECRETS = "file";

const skip = skipWithout("Chromium");

const rowOf = (page: Page, game: string) => page.getByRole("row").filter({ hasText: game });

/** The browser also reports requests that a closing launcher does not answer. */
const serious = (complaints: readonly string[]) =>
  complaints.filter((text) => !/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_SOCKET|422/u.test(text));

test("a wipe is undone, a backup is downloaded and restored, the previous data too, and everything is exported and wiped", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await launcher.send("recording", { eventId: "lanternwood_boss" });
  await page.evaluate(() => {
    location.hash = "#/storage";
  });
  await page.getByRole("button", { name: "Wipe Lanternwood" }).focus();
  await page.keyboard.press("Enter");
  const wiping = page.getByRole("dialog", { name: "Wipe Lanternwood?" });
  await wiping.getByText("1 event", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await wiping.waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await wiping.getByRole("button", { name: "Wipe" }).click();
  await page.getByText(/Lanternwood will be wiped in \d+ s/u).waitFor();
  // The launcher counts down, so a reloaded page can still undo.
  await page.reload();
  await page.getByRole("button", { name: /^Undo: wipe lanternwood$/iu }).click();
  await page.getByText(/^No data of lanternwood was wiped\.$/iu).waitFor();
  const slider = page.getByRole("slider");
  const before = Number(await slider.inputValue());
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByText("Saved", { exact: true }).waitFor();
  await eventually(() => page.getByLabel("The same value as a number").inputValue(), String(before - 1));

  await page.getByRole("button", { name: "Make a backup now" }).click();
  await page.getByText("The backup was created and verified.").waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /^Download the backup from/u }).click(),
  ]);
  assert.equal((await downloadedBytes(saved)).subarray(0, 15).toString(), "SQLite format 3");
  await launcher.send("recording", { eventId: "skyhook_lap" });
  await rowOf(page, "skyhook").waitFor();
  await page.getByRole("button", { name: /^Restore the backup from/u }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await page.getByRole("region", { name: "Previous data" }).waitFor();
  // The previous data may be listed before the page reloads.
  const games = () => Promise.all(["lanternwood", "skyhook"].map((game) => rowOf(page, game).count()));
  await eventually(games, [1, 0]);
  await page.getByRole("button", { name: /^Restore the data set aside/u }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await rowOf(page, "skyhook").waitFor();

  await page.getByRole("button", { name: "Export everything" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("dialog", { name: "Export everything" }).getByRole("button", { name: "Download" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^kit-export-.*\.zip$/u);
  assert.equal((await downloadedBytes(download)).subarray(0, 2).toString(), "PK");
  await page.getByRole("button", { name: "Wipe everything" }).click();
  await page.keyboard.type("wipe all");
  await page.keyboard.press("Enter");
  await page.getByText("Set aside by a wipe").waitFor();
  await page.getByText("Nothing is stored yet.").waitFor();
  assert.deepEqual(serious(stage.complaints), []);
});
