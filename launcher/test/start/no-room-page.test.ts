// Tests of a launcher that starts on a full disk: its link opens the page on which a person frees space.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { addClips } from "../recording/added-clips.ts";
import { openBrowser } from "../support/browser.ts";
import { startLauncherProcess } from "../support/own-launcher.ts";
import { fill, notMounted, smallDisk } from "../support/small-disk.ts";
import { patienceMs, until } from "../support/until.ts";

const skip = skipWithout("Chromium");

test("on a full disk the link opens Storage, where a person deletes clips until events are stored again", {
  skip,
}, async (t) => {
  using disk = smallDisk(16);
  if (disk === undefined) return t.skip(notMounted);
  await using launcher = await startLauncherProcess({ dataDir: join(disk.path, "data") });
  await launcher.restart("SIGTERM", async () => {
    await addClips(launcher.dataDir, 1, 4_000_000);
    fill(disk.path);
  });
  const link = () => /http:\S+#t=\S+/u.exec(launcher.process().output())?.[0];
  await until("the launcher says its link", async () => link() !== undefined);
  const browser = await openBrowser([]);
  t.onTestFinished(() => browser.close());
  const context = await browser.newContext({ reducedMotion: "reduce" });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  await page.goto(link() ?? "");
  await page.getByRole("heading", { name: "Storage", exact: true }).waitFor();
  assert.equal(new URL(page.url()).hash, "#/storage");
  const banner = page.getByRole("alert").filter({ hasText: "Kit cannot store events right now." });
  await banner.getByText("The disk is full. Free up space, and Kit continues automatically").waitFor();
  await page.getByText("Clips use 4 MB of").waitFor();
  await page.evaluate(`${readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8")}; undefined`);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`.radix-themes.${colorScheme}[data-is-root-theme="true"]`).waitFor();
    const violations = "violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)";
    assert.deepEqual(await page.evaluate(`axe.run().then(({ violations }) => ${violations})`), [], colorScheme);
  }

  await page.getByRole("link", { name: "Choose clips to delete" }).press("Enter");
  await page.getByRole("button", { name: "Delete: boss" }).click();
  await page.locator(".clip-title").waitFor({ state: "detached" });
  await page.goto(new URL("/#/storage", page.url()).href);
  await page.getByRole("link", { name: "Open the trash" }).click();
  await page.getByRole("button", { name: "Delete permanently: boss" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
  await page.goto(new URL("/#/storage", page.url()).href);
  await banner.waitFor({ state: "detached" });
  assert.equal((await launcher.health()).storage.state, "ok");
});
