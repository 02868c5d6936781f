// A test of the Connect page in a real browser with the real launcher: download a package, send as a game, see the event.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { downloadedBytes } from "./shared-browser.ts";
import { openPage, openStage } from "./stage.ts";

const skip = skipWithout("Chromium");

test("a package is downloaded as the page describes it, and the first event that its game sends is shown and opens in Live", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  await openPage(page, "Connect");
  await page.getByRole("link", { name: /^RPG Maker/ }).click();
  const arrival = page.getByRole("region", { name: "First event", exact: true });
  await arrival.getByRole("status").filter({ hasText: "Waiting for your first event" }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "KitSDK.js" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "KitSDK.js");
  const bytes = await downloadedBytes(download);
  const shown = await page.locator(".package-checksum code").innerText();
  assert.equal(createHash("sha256").update(bytes).digest("hex"), shown);
  assert.deepEqual(bytes, readFileSync(new URL("../../bindings/rpgmaker/KitSDK.js", import.meta.url)));
  await page.getByText(`version 0.1.0, ${(bytes.length / 1024).toFixed(1)} KiB`).waitFor();

  await launcher.send("recording", { eventId: "mygame_boss_defeated" });
  await arrival.getByRole("status").filter({ hasText: "Your first event arrived" }).waitFor();
  await arrival.getByText("mygame_boss_defeated", { exact: true }).waitFor();
  await arrival.getByText("GodotEngine/4.6 (Linux)").waitFor();
  // This launcher has no display, so it can only make a marker.
  await arrival.getByText("Marker saved").waitFor();
  await arrival.getByRole("link", { name: "Show it in Live" }).click();
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByRole("heading", { level: 2, name: "mygame_boss_defeated" }).waitFor();
  assert.deepEqual(stage.complaints, []);
});
