// Tests of the Settings page in a real browser: every choice takes effect at once, and the autostart file is really written.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible, inColours } from "./accessible.ts";
import { eventually, openStage, type Stage } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them, nor start Kit with their system.
process.env.KIT_SECRETS = "file";
const configHome = mkdtempSync(join(tmpdir(), "kit-settings-"));
process.env.XDG_CONFIG_HOME = configHome;
process.env.XDG_DATA_HOME = configHome;
afterAll(() => rmSync(configHome, { recursive: true, force: true }));

const skip = skipWithout("Chromium");
const phone = { width: 390, height: 844 };
const origin = "https://html-classic.itch.zone";
const written = ["autostart/kit.desktop", "systemd/user/kit.service"].map((path) => join(configHome, path));

async function openSettings({ page, launcher }: Stage): Promise<void> {
  await launcher.send("recording", { eventId: "saga_boss" }, { origin });
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
}

const partNamed = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id ?? "");

test("autostart is switched on with the path of the written file, and off without leaving the file", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await openSettings(stage);
  const start = partNamed(page, "Start at sign-in");
  await start.getByText("Kit starts when you start it.").waitFor();
  await start.getByRole("switch", { name: "Kit starts when you sign in" }).focus();
  await page.keyboard.press("Space");
  await start.getByText("Autostart file", { exact: true }).waitFor();
  const [path = ""] = written.filter((each) => existsSync(each));
  await start.getByText(path).waitFor();
  assert.match(readFileSync(path, "utf8"), new RegExp(`"--data-dir" "${launcher.dataDir}"`, "u"));
  await start.getByRole("switch", { name: "Kit starts when you sign in" }).click();
  await start.getByText("Kit starts when you start it.").waitFor();
  assert.deepEqual(
    written.filter((each) => existsSync(each)),
    [],
  );
  assert.deepEqual(stage.complaints, []);
});

test("Kit is put into the menu of the desktop, and taken out again", { skip }, async () => {
  await using stage = await openStage();
  await openSettings(stage);
  const start = partNamed(stage.page, "Start at sign-in");
  const entry = join(configHome, "applications/kit.desktop");
  const menu = start.getByRole("switch", { name: "Kit is in the menu of your desktop" });
  await menu.click();
  await start.getByText("Kit is in the menu of your desktop.").waitFor();
  assert.match(readFileSync(entry, "utf8"), /^Exec=.*"--from-menu"/mu);
  await menu.click();
  await start.getByText("Kit is not in the menu of your desktop.").waitFor();
  assert.ok(!existsSync(entry));
  assert.deepEqual(stage.complaints, []);
});

test("a web origin is allowed, blocked, and made to ask again", { skip }, async () => {
  await using stage = await openStage();
  const { page } = stage;
  await openSettings(stage);
  const pages = partNamed(page, "Web pages");
  await pages.getByText("Waiting for your decision").waitFor();
  // Many games share this origin, so it is never allowed for 30 days.
  assert.equal(await pages.getByRole("button", { name: `Allow ${origin} for 30 days` }).count(), 0);
  await pages.getByRole("button", { name: `Allow ${origin} until Kit exits` }).click();
  await pages.getByText("Allowed until Kit exits").waitFor();
  await pages.getByRole("button", { name: `Block ${origin}` }).click();
  await pages.getByText("Blocked").waitFor();
  await pages.getByRole("button", { name: `Ask again for ${origin}` }).click();
  await pages.getByText("No web page has asked to send events.").waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("language and colour scheme take effect at once, and the focus stays where it was", { skip }, async () => {
  await using stage = await openStage();
  const { page } = stage;
  await openSettings(stage);
  await page.getByRole("combobox", { name: "Colours" }).selectOption("Dark");
  await page.locator('.radix-themes.dark[data-is-root-theme="true"]').waitFor();
  await page.getByRole("button", { name: /^Colours: dark/u }).click();
  await eventually(() => page.getByRole("combobox", { name: "Colours" }).inputValue(), "system");
  const language = page.locator("#settings-language");
  await language.focus();
  await language.selectOption("日本語");
  await page.locator('html[lang="ja"] #settings-language:focus').waitFor();
  await language.selectOption("English");
  await page.locator('html[lang="en"] #settings-language:focus').waitFor();
  await page.getByRole("combobox", { name: "Language" }).waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("the contents link to each section, which has its own address", { skip }, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await openSettings(stage);
  await page
    .getByRole("navigation", { name: "On this page" })
    .getByRole("link", { name: "Storage and version" })
    .click();
  await eventually(() => focusedId(page), "settings-files-title");
  await partNamed(page, "Storage and version").getByText(launcher.dataDir, { exact: true }).waitFor();
  await partNamed(page, "Storage and version").getByRole("link", { name: "Open the Storage page" }).click();
  await page.getByRole("heading", { name: "Storage", level: 1 }).waitFor();
  await page.goto(`http://127.0.0.1:${launcher.port}/#/settings?at=start`);
  await eventually(() => focusedId(page), "settings-start-title");
  assert.deepEqual(stage.complaints, []);
});

test("the page is accessible in both colour schemes, wide and on a phone", { skip }, async () => {
  await using stage = await openStage({ bypassCSP: true, reducedMotion: "reduce" });
  const { page } = stage;
  await openSettings(stage);
  await partNamed(page, "Storage and version").getByText("Kit 0.").waitFor();
  // The recorder's link appears after the launcher's answer about the recorder.
  await page.getByText("Recorder settings").waitFor();
  for (const summary of await page.locator("main summary").all()) await summary.click();
  for (const colours of ["light", "dark"] as const) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await inColours(page, colours);
    await assertAccessible(page, `${colours}, wide`);
    await page.setViewportSize(phone);
    await assertAccessible(page, `${colours}, on a phone`);
    await eventually(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  }
});
