// Tests of the Connect page in a real browser with the real launcher: download a package, send as a game, see the event.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { engineDescriptions, type SdkIndex } from "@kit/contract";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { downloadedBytes } from "./shared-browser.ts";
import { copiedBy, eventually, openPage, openStage, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium");

const arrivalOn = (page: Page) => page.getByRole("region", { name: "First event", exact: true });
const statusOn = (page: Page, text: string | RegExp) => arrivalOn(page).getByRole("status").filter({ hasText: text });

async function goToConnect(page: Page): Promise<void> {
  await openPage(page, "Connect");
  await statusOn(page, "Waiting for your first event").waitFor();
}

/** Opens a stage on the Connect page, which waits for events. */
async function openConnect(): Promise<Stage> {
  const stage = await openStage();
  await goToConnect(stage.page);
  return stage;
}

/** For tests that send nothing: each gets a page of its own, and all share one launcher. */
function shareConnect(): (prepare?: (page: Page) => Promise<unknown>) => Promise<Stage> {
  let shared: Stage | undefined;
  beforeAll(async () => {
    if (skip === false) shared = await openStage();
  });
  afterAll(async () => await shared?.[Symbol.asyncDispose]());
  return async (prepare) => {
    if (shared === undefined) throw new Error("the stage was not opened");
    const page = await shared.newPage();
    await prepare?.(page);
    shared.complaints.length = 0;
    await page.goto(`http://127.0.0.1:${shared.launcher.port}/`);
    await goToConnect(page);
    return { ...shared, page, [Symbol.asyncDispose]: () => page.close() };
  };
}

const openQuietConnect = shareConnect();

test("an event from a game is shown as arrived, and the link opens it on the Live page", { skip }, async () => {
  await using stage = await openConnect();
  const { launcher, page } = stage;
  await launcher.send("recording", { eventId: "mygame_boss_defeated" });
  await statusOn(page, "Your first event arrived").waitFor();
  const arrival = arrivalOn(page);
  await arrival.getByText("mygame_boss_defeated", { exact: true }).waitFor();
  // The kind. The state has the same word until the page knows that nothing is recording.
  await arrival.getByText("Recording", { exact: true }).first().waitFor();
  await arrival.getByText("GodotEngine/4.6 (Linux)").waitFor();
  await arrival.getByText("Marker saved").waitFor();
  // The next game still needs this launcher's address, because it listens on another port than games send to.
  const link = page.getByRole("navigation", { name: "Engine" }).getByRole("link").first();
  await link.click();
  await page.getByText(`The line sends to port 9876, but this Kit listens on port ${launcher.port}.`).waitFor();
  // The list of packages moves the link below it.
  await page.getByRole("list", { name: "Steps" }).locator("a[download]").first().waitFor();
  await arrival.getByRole("link", { name: "Show it in Live" }).click();
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByRole("heading", { level: 2, name: "Boss defeated" }).waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("a refused request is shown with its reason until an event is accepted", { skip }, async () => {
  await using stage = await openConnect();
  const { launcher, page } = stage;
  await launcher.send("social", { eventId: "mygame_win", timestamp: "yesterday" });
  await statusOn(page, /refused: timestamp: .*ISO 8601/).waitFor();
  await arrivalOn(page).getByRole("listitem").filter({ hasText: "YYYY-MM-DDTHH:MM:SS.sssZ" }).waitFor();
  await arrivalOn(page).getByText("Nothing was stored").waitFor();
  await launcher.send("social", { eventId: "mygame_win" });
  await statusOn(page, "Your first event arrived").waitFor();
  assert.equal(await arrivalOn(page).getByText("Nothing was stored").count(), 0);
});

test("the link of a refused request opens it on the Live page", { skip }, async () => {
  await using stage = await openConnect();
  const { launcher, page } = stage;
  await launcher.send("social", { eventId: "" });
  await arrivalOn(page).getByRole("link", { name: "Show it in Live" }).click();
  await page.getByRole("complementary", { name: "Details" }).getByText("payload_invalid").waitFor();
});

test("an event from before the page was opened does not count as arrived", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  await launcher.send("recording", { eventId: "mygame_earlier" });
  await launcher.send("social", { eventId: "mygame_win", timestamp: "yesterday" });
  await openPage(page, "Connect");
  await statusOn(page, "Waiting for your next event").waitFor();
  await arrivalOn(page).getByRole("link", { name: "mygame_earlier" }).waitFor();
  await launcher.send("monitor", { message: "Nil has no hp" });
  await statusOn(page, "Your event arrived").waitFor();
  await arrivalOn(page).getByText("Nil has no hp", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Wait for another event" }).click();
  await statusOn(page, "Waiting for your next event").waitFor();
});

test("if the feed skips events, the page still finds the one that arrived", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  // This feed reports only that it skipped events. The page reconnects to it again and again.
  const skipped = `id: 0-0-0\nevent: skipped\ndata: {"type":"skipped","events":700}\n\n`;
  await page.route("**/api/feed*", (route) => route.fulfill({ contentType: "text/event-stream", body: skipped }));
  await openPage(page, "Connect");
  await arrivalOn(page).waitFor();
  await launcher.send("recording", { eventId: "mygame_in_a_storm" });
  await statusOn(page, "mygame_in_a_storm").waitFor();
});

test("an ignored event counts as arrived, and the page says which switch ignored it", { skip }, async () => {
  await using stage = await openStage();
  const { launcher, page } = stage;
  await launcher.send("recording", { eventId: "mygame_step" });
  await page.locator(".row").click();
  await page.getByRole("button", { name: "Ignore this event" }).click();
  await page.getByRole("button", { name: "Accept this event" }).waitFor();
  await openPage(page, "Connect");
  await statusOn(page, "Waiting").waitFor();
  await launcher.send("recording", { eventId: "mygame_step" });
  await arrivalOn(page).getByText("This event is switched off.").waitFor();
});

test("a missing launcher is reported, and an event that arrives after its restart is shown", { skip }, async () => {
  await using stage = await openConnect();
  const { launcher, page } = stage;
  await launcher.killHard();
  await statusOn(page, "Kit is not responding").waitFor();
  await launcher.start();
  await statusOn(page, "Waiting").waitFor();
  await launcher.send("recording", { eventId: "mygame_back" });
  await statusOn(page, "arrived").waitFor();
});

test("the packages are listed as soon as an engine is chosen, so that nothing below them moves later", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page } = stage;
  const answered = page.waitForResponse("**/api/sdk");
  await goToConnect(page);
  await (await answered).finished();
  // No later request is answered.
  await page.route("**/api/sdk", () => undefined);
  await page.getByRole("navigation", { name: "Engine" }).getByRole("link").first().click();
  await page.getByRole("list", { name: "Steps" }).locator("a[download]").first().waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("a downloaded file has the size and the checksum that the page shows", { skip }, async () => {
  await using stage = await openQuietConnect();
  const { page } = stage;
  await page.getByRole("link", { name: /^RPG Maker/ }).click();
  await eventually(async () => new URL(page.url()).hash, "#/connect/rpgmaker");
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
  assert.deepEqual(stage.complaints, []);
});

test("the checksum and the line of code are copied in full", { skip }, async () => {
  await using stage = await openQuietConnect();
  const { page } = stage;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("link", { name: /^RPG Maker/ }).click();
  const copied = () => copiedBy(page);
  await page.getByRole("button", { name: "Copy the checksum of KitSDK.js" }).click();
  await eventually(copied, await page.locator(".package-checksum code").innerText());
  await page.getByRole("button", { name: /^Copy: KitSDK/ }).click();
  await eventually(copied, 'KitSDK.Recording.triggerEvent("mygame_boss_defeated");');
});

test("each engine has its own address and at most four steps, and a reload keeps it", { skip }, async () => {
  await using stage = await openQuietConnect();
  const { launcher, page } = stage;
  for (const [binding, { name }] of Object.entries(engineDescriptions)) {
    await page.goto(`http://127.0.0.1:${launcher.port}/#/connect/${binding}`);
    await page.reload();
    const card = page.getByRole("navigation", { name: "Engine" }).locator('[aria-current="true"]');
    await card.filter({ hasText: name }).waitFor();
    await eventually(() => page.title(), `Connect ${name} · Kit`);
    const steps = await page.getByRole("list", { name: "Steps" }).locator("> li").count();
    assert.ok(steps >= 2 && steps <= 4, `${name}: ${steps} steps`);
  }
  assert.deepEqual(stage.complaints, []);
});

test("the keyboard chooses an engine and downloads its file", { skip }, async () => {
  await using stage = await openQuietConnect();
  const { page } = stage;
  await page.getByRole("link", { name: /^Godot/ }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await eventually(async () => new URL(page.url()).hash, "#/connect/rpgmaker");
  await page.getByRole("link", { name: "KitSDK.js" }).waitFor();
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press("Tab");
  const download = page.waitForEvent("download");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "KitSDK.js");
  await page.keyboard.press("Enter");
  assert.equal((await download).suggestedFilename(), "KitSDK.js");
});

/** Answers the page's request for the list of packages with a list of the test. */
const answerPackages = (index: SdkIndex) => (page: Page) =>
  page.route("**/api/sdk", (route) => route.fulfill({ json: index }));

test("a package that could not be built is listed with the reason and the remedy", { skip }, async () => {
  const reason = "Needs the .NET SDK. Install it, then run `npm run bundle`.";
  const missing: SdkIndex["missing"] = [{ binding: "monogame", name: "NuGet package", reason }];
  await using stage = await openQuietConnect(answerPackages({ packages: [], missing }));
  const { page } = stage;
  await page.getByRole("link", { name: /^MonoGame/ }).click();
  await page.getByText("NuGet package: not available.").waitFor();
  await page.getByText("Needs the .NET SDK").waitFor();
});

test("without any package the page shows the command that builds them", { skip }, async () => {
  await using stage = await openQuietConnect(answerPackages({ packages: [], missing: [] }));
  const { page } = stage;
  await page.getByRole("link", { name: /^Unity/ }).click();
  await page.getByText("The packages have not been built yet").waitFor();
  await page.getByText("npm run bundle").waitFor();
});

test("the empty Live page links to the steps of the selected engine", { skip }, async () => {
  await using stage = await openStage();
  const { page } = stage;
  await page.getByRole("tab", { name: "GameMaker" }).click();
  await page.getByRole("link", { name: /steps for GameMaker/ }).click();
  await eventually(async () => new URL(page.url()).hash, "#/connect/gamemaker");
  await page.getByRole("list", { name: "Steps" }).waitFor();
});
