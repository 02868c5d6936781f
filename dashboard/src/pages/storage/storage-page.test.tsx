// Tests of the Storage page: what a wipe, a restore and an export announce and request, and the space for clips.
import assert from "node:assert/strict";
import {
  type Backup,
  changeRecorder,
  createDownloadLink,
  type DiskUsage,
  deletePreviousData,
  getDiskUsage,
  getRecorder,
  KitError,
  listBackups,
  listPreviousData,
  listWipes,
  makeBackup,
  type PreviousData,
  planCleanup,
  restoreBackup,
  type StoredAmounts,
  undoWipe,
  type Wipe,
  wipeAll,
  wipeGame,
} from "@kit/contract";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, test, vi } from "vitest";
import { clipOf, reportOf } from "../../../test/clip-samples.ts";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { createFakeLauncher, type FakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";

const amounts: StoredAmounts = { events: 2, clips: 0, clipBytes: 0, pinned: 0, issues: 1, posts: 0, sessions: 0 };
const usage: DiskUsage = {
  ...{ dataDir: "/home/sam/.local/share/kit", clipsDir: "/home/sam/Videos/kit", lowDisk: false, quotaBytes: 5e9 },
  disk: { freeBytes: 40e9, totalBytes: 100e9 },
  bytes: { clips: 0, bin: 0, copies: 0, database: 3e6, backups: 1e6, aside: 0 },
  games: [{ game: "lanternwood", ...amounts }],
};
const at = "2026-05-01T10:00:00.000Z";
const backup: Backup = { name: "kit-1.db", at, bytes: 1e6, by: "person" };

let launcher: FakeLauncher;
let [backups, aside, wipes]: [Backup[], PreviousData[], Wipe[]] = [[], [], []];
beforeEach(() => {
  launcher = createFakeLauncher();
  [backups, aside, wipes] = [[], [], []];
  launcher.when(getDiskUsage).reply(() => usage);
  launcher.when(listBackups).reply(() => ({ backups }));
  launcher.when(listPreviousData).reply(() => ({ aside }));
  launcher.when(listWipes).reply(() => ({ wipes }));
});

async function openStorage() {
  const { user } = await openApp("#/storage", launcher);
  await screen.findByRole("heading", { name: "Kit uses 4 MB" });
  await waitFor(() => assert.deepEqual(launcher.followed(), ["/api/feed"]));
  return user;
}

const button = (name: string | RegExp) => screen.findByRole("button", { name });
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));
const text = (says: string | RegExp) => screen.findByText(says);

test("a wipe shows counts beforehand, and can be undone during the countdown", async () => {
  // Much longer than in the launcher, so that the countdown does not end on a busy machine.
  const dueAt = new Date(Date.now() + 600_000).toISOString();
  launcher.when(wipeGame).reply(({ body: { game, dryRun } }) => {
    const wipe = { game, holdings: amounts, dueAt };
    if (!dryRun) wipes = [wipe];
    return wipe;
  });
  launcher.when(undoWipe).reply(() => {
    wipes = [];
    return undefined;
  });
  const user = await openStorage();
  const row = within(screen.getByRole("row", { name: /^Lanternwood/ }));
  assert.deepEqual(
    row
      .getAllByRole("cell")
      .slice(0, 6)
      .map(({ textContent }) => textContent),
    ["0", "0 B", "2", "1", "0", "0"],
  );
  const wipe = await button("Wipe Lanternwood");
  wipe.focus();
  await user.keyboard("{Enter}");
  const asked = await dialog("Wipe Lanternwood?");
  await asked.findByText("2 events");
  asked.getByText("1 issue");
  await assertAccessible();
  await user.click(asked.getByRole("button", { name: "Cancel" }));
  assert.ok(screen.queryByRole("dialog", { name: "Wipe Lanternwood?" }) === null);
  await user.click(wipe);
  const again = await dialog("Wipe Lanternwood?");
  await again.findByText("2 events");
  await user.click(again.getByRole("button", { name: "Wipe" }));
  await text(/^Lanternwood will be wiped in \d+ s$/);
  await waitFor(() => assert.equal((wipe as HTMLButtonElement).disabled, true));
  await user.click(await button("Undo: wipe Lanternwood"));
  await text("No data of Lanternwood was wiped.");
  assert.ok(document.activeElement === screen.getByRole("heading", { level: 1 }));
  await waitFor(() => assert.equal((wipe as HTMLButtonElement).disabled, false));
  const planned = 'POST /api/wipes {"game":"lanternwood","dryRun":true}';
  assert.deepEqual(
    launcher.changes.filter((change, n, all) => change !== all[n - 1]),
    [planned, 'POST /api/wipes {"game":"lanternwood"}', "DELETE /api/wipes?game=lanternwood"],
  );
});

test("the quota is set with the slider or the field, and confirmed as saved", async () => {
  let settings = { ...reportOf().settings, quotaBytes: 5e9 };
  launcher.when(getRecorder).reply(() => reportOf({ settings }));
  launcher.when(changeRecorder).reply(({ body: { obsPassword: _, ...change } }) => {
    settings = { ...settings, ...change };
    return reportOf({ settings });
  });
  launcher.when(planCleanup).reply(() => ({
    ...{ bytes: 0, quotaBytes: 3e9, freedBytes: 0, freeableBytes: 0, goes: [], fits: true },
  }));
  const user = await openStorage();
  const slider = screen.getByRole<HTMLInputElement>("slider", { name: "Space for clips in gigabytes" });
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "The same value as a number" });
  await waitFor(() => assert.deepEqual([slider.value, field.value, slider.max], ["5", "5", "40"]));
  // As the arrow key does in a browser.
  fireEvent.change(slider, { target: { value: "4" } });
  fireEvent.keyUp(slider, { key: "ArrowLeft" });
  await text("Saved");
  await waitFor(() => assert.equal(field.value, "4"));
  const type = async (value: string) => {
    await user.clear(field);
    await user.type(field, `${value}{Enter}`);
  };
  await type("nothing");
  assert.equal((await screen.findByRole("alert")).textContent, "Not saved: enter a number.");
  await assertAccessible();
  await type("3");
  await text(/^Clips use 0 B of 3 GB\./);
  assert.deepEqual(launcher.changes, [
    'PUT /api/recorder {"quotaBytes":4000000000}',
    'PUT /api/recorder {"quotaBytes":3000000000}',
  ]);
  await user.click(await button("Free up space…"));
  await (await dialog("Free up space")).findByText(/^No clip can be deleted/);
});

test("a smaller space for clips shows which clips it deletes, and is saved only after a confirmation", async () => {
  let settings = { ...reportOf().settings, quotaBytes: 5e9 };
  launcher.when(getRecorder).reply(() => reportOf({ settings }));
  launcher.when(changeRecorder).reply(({ body: { quotaBytes = 0 } }) => {
    settings = { ...settings, quotaBytes };
    return reportOf({ settings });
  });
  const goes = [{ clip: clipOf(1, { title: "Boss hall", bytes: 2e9 }), why: "the oldest" }];
  const plan = { bytes: 3e9, freedBytes: 2e9, freeableBytes: 3e9, goes, fits: true };
  launcher.when(planCleanup).reply(({ query: { quotaBytes = 0 } = {} }) => ({ ...plan, quotaBytes }));
  const user = await openStorage();
  const field = () => screen.getByRole<HTMLInputElement>("textbox", { name: "The same value as a number" });
  await waitFor(() => assert.equal(field().value, "5"));
  const ask = async () => {
    await user.clear(field());
    await user.type(field(), "1{Enter}");
    return dialog("Delete 1 clip, 2 GB?");
  };
  const asked = await ask();
  asked.getByText("Clips use 3 GB. With 1 GB, Kit deletes these for good:");
  asked.getByText("Boss hall");
  await assertAccessible();
  await user.click(asked.getByRole("button", { name: "Cancel" }));
  await waitFor(() => assert.equal(field().value, "5"));
  assert.deepEqual(launcher.changes, []);
  await user.click((await ask()).getByRole("button", { name: "Delete them" }));
  await waitFor(() => assert.deepEqual(launcher.changes, ['PUT /api/recorder {"quotaBytes":1000000000}']));
});

test("a backup is made, and restored after a warning; the page reloads when the launcher is back", async () => {
  launcher.when(makeBackup).reply(() => {
    backups = [backup];
    return backup;
  });
  launcher.when(restoreBackup).reply(() => ({ reopening: true, aside: "before-1" }));
  const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
  const user = await openStorage();
  await text("No backups yet.");
  await user.click(await button("Make a backup now"));
  await text("The backup was created and verified.");
  await text("1 MB · Made by you");
  await user.click(await button(/^Restore the backup from/));
  const asked = within(await screen.findByRole("dialog", { name: /^Restore everything from/ }));
  asked.getByText("The current data is set aside. You can restore it from this page.");
  await assertAccessible();
  await user.click(asked.getByRole("button", { name: "Restore" }));
  (await dialog("Kit is restarting")).getByText("This page reloads when Kit is back. Your games keep running.");
  await assertAccessible();
  launcher.stop();
  aside = [{ name: "before-1", at, bytes: 3e6, why: "restored" }];
  assert.equal(reload.mock.calls.length, 0);
  launcher.start();
  await waitFor(() => assert.equal(reload.mock.calls.length, 1));
  assert.deepEqual(launcher.changes, ["POST /api/backups", "POST /api/backups/kit-1.db/restore"]);
});

test("previous data is listed with its reason, can be deleted, and a damaged database cannot be restored", async () => {
  aside = [
    { name: "wiped-1", at, bytes: 3e6, why: "wiped" },
    { name: "damaged-1", at: "2026-04-01T10:00:00.000Z", bytes: 2e6, why: "damaged" },
  ];
  launcher.when(deletePreviousData).reply(({ params }) => {
    aside = aside.filter(({ name }) => name !== params.name);
    return undefined;
  });
  const user = await openStorage();
  const section = within(await screen.findByRole("region", { name: "Previous data" }));
  const rows = section.getAllByRole("listitem");
  const about = rows.map((row) => [
    row.querySelector(".small")?.textContent,
    within(row).getAllByRole("button").length,
  ]);
  assert.deepEqual(about, [
    ["3 MB · Set aside by a wipe", 2],
    ["2 MB · Damaged: could not be read", 1],
  ]);
  await assertAccessible();
  const remove = () => screen.queryAllByRole("button", { name: /^Delete the data set aside/ });
  for (const left of [1, 0]) {
    await user.click(remove()[0] ?? assert.fail());
    await user.click((await dialog("Delete the previous data?")).getByRole("button", { name: "Delete" }));
    await waitFor(() => assert.equal(remove().length, left));
  }
  assert.ok(screen.queryByRole("region", { name: "Previous data" }) === null);
  assert.deepEqual(launcher.changes, ["DELETE /api/aside/wiped-1", "DELETE /api/aside/damaged-1"]);
});

test("everything is wiped only after the words were typed", async () => {
  launcher.when(wipeAll).reply(() => ({ reopening: true, aside: "wiped-1" }));
  const user = await openStorage();
  await user.click(await button("Wipe everything"));
  const asked = await dialog("Start over?");
  const confirm = asked.getByRole<HTMLButtonElement>("button", { name: "Wipe everything" });
  assert.ok(document.activeElement === asked.getByRole("textbox"));
  await user.keyboard("wipe al{Enter}");
  assert.equal(confirm.disabled, true);
  await user.keyboard("l");
  assert.equal(confirm.disabled, false);
  await assertAccessible();
  await user.keyboard("{Enter}");
  await dialog("Kit is restarting");
  assert.deepEqual(launcher.changes, ['POST /api/wipe-all {"confirm":"wipe all"}']);
});

test("an export says how large it is at most, and is downloaded through a link that works once", async () => {
  launcher.when(createDownloadLink).reply(({ body: { address } }) => ({ address: `${address}&key=k1`, expiresAt: at }));
  const followed: string[] = [];
  const user = await openStorage();
  await user.click(await button("Export everything"));
  const asked = await dialog("Export everything");
  assert.match(asked.getByRole("status").textContent, /^About .+ at most\.$/u);
  await assertAccessible();
  await user.click(asked.getByRole("checkbox", { name: /^Include clip files/ }));
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.getAttribute("href") ?? "");
  });
  await user.click(asked.getByRole("button", { name: "Download" }));
  await waitFor(() => assert.deepEqual(followed, ["/api/export?files=false&key=k1"]));
  assert.ok(screen.queryByRole("dialog", { name: "Export everything" }) === null);
});

test("low disk space is reported, and so is that nothing is stored", async () => {
  launcher.when(getDiskUsage).reply(() => ({ ...usage, lowDisk: true, games: [] }));
  await openStorage();
  assert.match(screen.getByRole("alert").textContent, /^Disk space is so low that Kit saves no clips\./u);
  screen.getByText("Nothing is stored yet. Data from games appears here.");
  await assertAccessible();
});

test("if the usage cannot be counted, the page says why", async () => {
  launcher.when(getDiskUsage).reply(() => {
    throw new KitError("storage_unavailable", "The disk is full.");
  });
  await openApp("#/storage", launcher);
  assert.equal((await screen.findByRole("alert")).textContent, "The disk is full.");
});
