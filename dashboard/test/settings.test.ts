// Tests of the Settings page in a real browser: the launcher really writes the files, and a reload in another language keeps the focus.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { openStage } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them, nor start Kit with their system.
process.env.KIT_SECRETS = "file";
const configHome = mkdtempSync(join(tmpdir(), "kit-settings-"));
process.env.XDG_CONFIG_HOME = configHome;
process.env.XDG_DATA_HOME = configHome;
afterAll(() => rmSync(configHome, { recursive: true, force: true }));

const skip = skipWithout("Chromium");
const written = ["autostart/kit.desktop", "systemd/user/kit.service"].map((path) => join(configHome, path));

test("the switches of autostart and the menu write and remove their files, and a new language keeps the focus", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher } = stage;
  await page.getByRole("link", { name: "Settings" }).click();
  const start = page.getByRole("region", { name: "Start at sign-in", exact: true });
  await start.getByText("Kit starts when you start it.").waitFor();
  const atSignIn = start.getByRole("switch", { name: "Kit starts when you sign in" });
  await atSignIn.click();
  await start.getByText("Autostart file", { exact: true }).waitFor();
  const [path = ""] = written.filter((each) => existsSync(each));
  await start.getByText(path).waitFor();
  assert.match(readFileSync(path, "utf8"), new RegExp(`"--data-dir" "${launcher.dataDir}"`, "u"));
  await atSignIn.click();
  await start.getByText("Kit starts when you start it.").waitFor();
  assert.ok(!written.some((each) => existsSync(each)));

  const entry = join(configHome, "applications/kit.desktop");
  const menu = start.getByRole("switch", { name: "Kit is in the menu of your desktop" });
  await menu.click();
  await start.getByText("Kit is in the menu of your desktop.").waitFor();
  assert.match(readFileSync(entry, "utf8"), /^Exec=.*"--from-menu"/mu);
  await menu.click();
  await start.getByText("Kit is not in the menu of your desktop.").waitFor();
  assert.ok(!existsSync(entry));

  const language = page.locator("#settings-language");
  await language.focus();
  await language.selectOption("日本語");
  await page.locator('html[lang="ja"] #settings-language:focus').waitFor();
  await language.selectOption("English");
  await page.locator('html[lang="en"] #settings-language:focus').waitFor();
  await page.getByRole("combobox", { name: "Language" }).waitFor();
  assert.deepEqual(stage.complaints, []);
});
