// Tests of the Settings page: every choice takes effect at once, and each section has its own URL.
import assert from "node:assert/strict";
import {
  type Autostart,
  type DesktopEntry,
  decideConsent,
  forgetOrigin,
  getAutostart,
  getDesktopEntry,
  getDiskUsage,
  getNoticeSettings,
  listForwardTargets,
  listOrigins,
  noticeSettingDefaults,
  setAutostart,
  setDesktopEntry,
  type WebOrigin,
} from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { createFakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";

const dataDir = "/home/sam/.local/share/kit";
const command = ["/usr/bin/kit", "start", "--data-dir", "/mnt/my kit"];

/** A launcher that keeps what the page changes. `origins` are the web pages that asked to send events. */
function settingsLauncher(origins: WebOrigin[] = []) {
  const launcher = createFakeLauncher();
  const { when } = launcher;
  let start: Autostart = {
    ...{ on: false, can: true, by: "systemd", place: "/home/sam/kit.service", command },
    detail: "Kit starts when you start it.",
  };
  when(getAutostart).reply(() => start);
  when(setAutostart).reply(({ body: { on } }) => {
    start = { ...start, on, detail: on ? "Kit starts when you sign in." : "Kit starts when you start it." };
    return start;
  });
  let entry: DesktopEntry = { on: false, can: true, place: null, command, detail: "Kit is not in the menu." };
  when(getDesktopEntry).reply(() => entry);
  when(setDesktopEntry).reply(({ body: { on } }) => {
    entry = { ...entry, on, detail: on ? "Kit is in the menu." : "Kit is not in the menu." };
    return entry;
  });
  when(getDiskUsage).reply(() => ({
    ...{ dataDir, clipsDir: `${dataDir}/clips`, disk: { freeBytes: 5e9, totalBytes: 9e9 }, lowDisk: false },
    ...{ bytes: { clips: 1e9, bin: 0, copies: 0, database: 0, backups: 0, aside: 0 }, quotaBytes: 1e10, games: [] },
  }));
  when(getNoticeSettings).reply(() => ({ ...noticeSettingDefaults, trouble: null }));
  when(listForwardTargets).reply(() => ({ targets: [], invitations: [] }));
  let known = origins;
  when(listOrigins).reply(() => ({ origins: known, dropped: 0 }));
  when(decideConsent).reply(({ body: { origin, decision } }) => {
    known = known.map((each) => (each.origin === origin ? { ...each, state: decision } : each));
    return known.find((each) => each.origin === origin) ?? assert.fail(origin);
  });
  when(forgetOrigin).reply(({ query: { origin } }) => {
    known = known.filter((each) => each.origin !== origin);
    return undefined;
  });
  return launcher;
}

const partNamed = async (name: string) => within(await screen.findByRole("region", { name }));

test("autostart is switched on and off, with the path of the file and the command", async () => {
  const { launcher, user } = await openApp("#/settings", settingsLauncher());
  const start = await partNamed("Start at sign-in");
  await start.findByText("Kit starts when you start it.");
  start.getByText("Autostart file (not written yet)");
  start.getByText('/usr/bin/kit start --data-dir "/mnt/my kit"');
  await assertAccessible();
  start.getByRole("switch", { name: "Kit starts when you sign in" }).focus();
  await user.keyboard(" ");
  await start.findByText("Autostart file");
  start.getByText("/home/sam/kit.service");
  start.getByText("Kit starts when you sign in.");
  await user.click(start.getByRole("switch", { name: "Kit starts when you sign in" }));
  await start.findByText("Kit starts when you start it.");
  assert.deepEqual(launcher.changes, ['PUT /api/autostart {"on":true}', 'PUT /api/autostart {"on":false}']);
});

test("Kit is put into the menu of the desktop, and taken out again", async () => {
  const { launcher, user } = await openApp("#/settings", settingsLauncher());
  const start = await partNamed("Start at sign-in");
  await start.findByText("Kit is not in the menu.");
  const menu = start.getByRole("switch", { name: /^Kit is in the menu of your desktop/u });
  await user.click(menu);
  await start.findByText("Kit is in the menu.");
  assert.equal(menu.getAttribute("aria-checked"), "true");
  await user.click(menu);
  await start.findByText("Kit is not in the menu.");
  assert.deepEqual(launcher.changes, ['PUT /api/desktop-entry {"on":true}', 'PUT /api/desktop-entry {"on":false}']);
});

test("a web origin is allowed, blocked, and made to ask again", async () => {
  const origin = "https://html-classic.itch.zone";
  const firstAskedAt = new Date().toISOString();
  const pending = { origin, state: "pending", shared: true, firstAskedAt, expiresAt: null, attempts: 1 } as const;
  const own = { ...pending, origin: "https://mygame.example", shared: false } as const;
  const { launcher, user } = await openApp("#/settings", settingsLauncher([pending, own]));
  const pages = await partNamed("Web pages");
  assert.equal((await pages.findAllByText("Waiting for your decision")).length, 2);
  pages.getByRole("button", { name: "Allow https://mygame.example for 30 days" });
  // Many games share this origin, so it is never allowed for 30 days.
  assert.ok(pages.queryByRole("button", { name: `Allow ${origin} for 30 days` }) === null);
  await assertAccessible();
  await user.click(pages.getByRole("button", { name: `Allow ${origin} until Kit exits` }));
  await pages.findByText("Allowed until Kit exits");
  await user.click(await pages.findByRole("button", { name: `Block ${origin}` }));
  await pages.findByText("Blocked");
  await user.click(await pages.findByRole("button", { name: `Ask again for ${origin}` }));
  await waitFor(() => assert.ok(pages.queryByText(origin) === null));
  pages.getByText("https://mygame.example");
  assert.deepEqual(launcher.changes, [
    `PUT /api/origins ${JSON.stringify({ origin, decision: "until-exit" })}`,
    `PUT /api/origins ${JSON.stringify({ origin, decision: "blocked" })}`,
    `DELETE /api/origins?origin=${encodeURIComponent(origin)}`,
  ]);
});

test("without any web page that asked, the section says so", async () => {
  await openApp("#/settings", settingsLauncher());
  await (await partNamed("Web pages")).findByText("No web page has asked to send events.");
});

test("a colour scheme takes effect at once, and the button in the top bar shows and changes it, too", async () => {
  const { user } = await openApp("#/settings", settingsLauncher());
  const colours = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Colours" });
  await user.selectOptions(colours, "Dark");
  await waitFor(() => assert.ok(document.querySelector('.radix-themes.dark[data-is-root-theme="true"]') !== null));
  await user.click(screen.getByRole("button", { name: /^Colours: dark/u }));
  await waitFor(() => assert.equal(colours.value, "system"));
  assert.ok(document.querySelector('.radix-themes.dark[data-is-root-theme="true"]') === null);
});

test("the contents link to each section, which has its own URL", async () => {
  const { user } = await openApp("#/settings", settingsLauncher());
  const contents = within(screen.getByRole("navigation", { name: "On this page" }));
  await user.click(contents.getByRole("link", { name: "Storage and version" }));
  await waitFor(() => assert.equal(document.activeElement?.id, "settings-files-title"));
  const files = await partNamed("Storage and version");
  await files.findByText(dataDir);
  await files.findByText("Kit 1.0.0");
  assert.equal(files.getByRole("link", { name: "Open the Storage page" }).getAttribute("href"), "#/storage");
  location.hash = "#/settings?at=start";
  await waitFor(() => assert.equal(document.activeElement?.id, "settings-start-title"));
});

test("a link to a section opens the page at it", async () => {
  await openApp("#/settings?at=origins", settingsLauncher());
  await waitFor(() => assert.equal(document.activeElement?.id, "settings-origins-title"));
});
