// Tests of the demo from the flight to what Kit made of it: a real browser on a real screen, the real recorder, and a wipe.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Clip,
  changeRecorder,
  demoAccountName,
  demoGame,
  getClipPoster,
  listAccounts,
  listClips,
  listEvents,
  listIssues,
  listPosts,
} from "@kit/contract";
import { chromium, type Page } from "playwright-core";
import { test } from "vitest";
import { browserOptions } from "../../tools/engines/browser-options.ts";
import { readClock } from "../../tools/engines/clock-reader.ts";
import { openClockWindow } from "../../tools/engines/clock-window.ts";
import { openDisplay } from "../../tools/engines/display.ts";
import { pathOf, skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible, inColours } from "./accessible.ts";
import { clientOf } from "./issue-stage.ts";
import { LauncherProcess } from "./launcher-process.ts";
import { eventually, openStage, waitMs } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them.
process.env.KIT_SECRETS = "file";

/** How far a picture may be from the time of its event: some frames of a busy machine, and the tolerance of the launcher. */
const offMsMax = 600;
const cardWith = (page: Page, text: string) => page.locator(".demo-call").filter({ hasText: text });

/** Returns the time that the clock above the browser shows in the picture of a clip. */
async function pictureMs({ launcher, clip }: { launcher: LauncherProcess; clip: Clip }): Promise<number | undefined> {
  const response = await clientOf(launcher).open(getClipPoster, { params: { id: clip.id }, query: {} });
  const file = join(launcher.dataDir, "picture.jpg");
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const [frame] = await readClock(file);
  return frame?.ok ? frame.clockMs : undefined;
}

test("a flight becomes clips, one issue and a draft; the best clip is pictured by its moment, posted with four clicks, and all is wiped", {
  skip: skipWithout("Chromium with windows", "Xvfb", "ffmpeg"),
}, async () => {
  await using opened = new AsyncDisposableStack();
  const display = await openDisplay("1024x720");
  opened.defer(display.close);
  const clock = await openClockWindow({ display: display.name, width: 1024, height: 80, framesPerSecond: 15 });
  opened.defer(clock.close);
  const launcher = opened.use(await LauncherProcess.start({ display: display.name }));
  const client = clientOf(launcher);
  // The browser paints without a graphics card, which leaves little for the recorder.
  await client.call(changeRecorder, { body: { height: 480, frameRate: 15, sound: "off" } });
  const browser = await chromium.launch({
    executablePath: pathOf("Chromium with windows"),
    headless: false,
    // Below the time that the clock shows.
    args: [...(browserOptions().args ?? []), "--window-position=0,80", "--window-size=1024,640"],
    env: { ...process.env, DISPLAY: display.name },
  });
  opened.defer(() => browser.close());
  const page = await browser.newPage({ viewport: null });
  page.setDefaultTimeout(waitMs);
  await page.goto(`${await launcher.ownLink()}&page=demo`);
  await page.getByRole("button", { name: "Fly" }).click();
  await page.getByRole("button", { name: "Fly again" }).waitFor();
  await cardWith(page, "A new high score").getByText("A draft. Kit posts nothing").waitFor();

  const mine = { game: demoGame } as const;
  const events = async () => (await client.call(listEvents, { query: mine })).events;
  const clipsNow = async () => (await client.call(listClips, { query: { ...mine, kind: "clip", sort: "best" } })).clips;
  await eventually(async () => (await clipsNow()).every(({ state }) => state === "saved"), true);
  const made = (await client.call(listClips, { query: mine })).clips.map(({ title, kind, priority, reason }) => ({
    ...{ title, kind, priority, reason },
  }));
  const clips = await clipsNow();
  const clipWith = (eventId: string) => clips.find(({ events }) => events.some((event) => event.eventId === eventId));
  assert.ok(clipWith("kit_demo_five_stars"), JSON.stringify(made));
  assert.equal(clipWith("kit_demo_five_stars")?.id, clipWith("kit_demo_jewel_found")?.id, JSON.stringify(made));
  const best = clips[0] ?? assert.fail("no clip");
  assert.equal(best.title, "Storm passed", JSON.stringify(made));
  const storm = (await events()).find(({ eventId }) => eventId === "kit_demo_storm_passed");
  const offMs = Math.abs(((await pictureMs({ launcher, clip: best })) ?? 0) - Date.parse(storm?.actsOn ?? ""));
  assert.ok(offMs < offMsMax, `the picture is ${offMs} ms off`);
  const { issues } = await client.call(listIssues, { query: mine });
  assert.deepEqual(
    issues.map(({ count, culprit }) => [count, culprit?.function?.split(".").at(-1)]),
    [[2, "openGift"]],
  );
  const { posts } = await client.call(listPosts, { query: mine });
  assert.deepEqual(
    posts.map(({ state, deliveries }) => [state, deliveries.map(({ name }) => name)]),
    [["draft", [demoAccountName]]],
  );

  let clicks = 0;
  const click = async (role: "link" | "button", name: string | RegExp, within: Page | ReturnType<Page["locator"]>) => {
    clicks += 1;
    await within
      .getByRole(role, { name, exact: typeof name === "string" })
      .first()
      .click();
  };
  await click("link", "Home", page);
  await click("link", /Storm passed/u, page.locator(".home-best"));
  await click("button", "Post…", page);
  await click("button", "Post", page.getByRole("dialog", { name: "Post this clip" }));
  await eventually(async () => (await client.call(listPosts, { query: { ...mine, state: "sent" } })).posts.length, 1);
  assert.equal(clicks, 4);

  await page.goto(`http://127.0.0.1:${launcher.port}/#/demo`);
  await page.getByRole("button", { name: "Delete the demo's data" }).click();
  await page.getByRole("button", { name: "Cancel the deletion" }).waitFor();
  await page.getByRole("button", { name: "Delete the demo's data" }).waitFor();
  const left = await Promise.all([
    events(),
    clipsNow(),
    client.call(listIssues, { query: mine }).then(({ issues }) => issues),
    client.call(listPosts, { query: mine }).then(({ posts }) => posts),
    client.call(listAccounts).then(({ accounts }) => accounts),
  ]);
  assert.deepEqual(left, [[], [], [], [], []]);
});

test("without a screen to record, the page says so, and each moment becomes a marker", {
  skip: skipWithout("Chromium"),
}, async () => {
  await using stage = await openStage();
  const { page, complaints } = stage;
  await page.evaluate(() => {
    location.hash = "#/demo";
  });
  await page.getByRole("button", { name: "Fly" }).click();
  await page.getByText("Kit cannot record now, so a moment becomes a marker.").waitFor();
  await cardWith(page, "5 stars in a row").getByText("Marker saved").waitFor();
  await page.getByRole("button", { name: "Fly again" }).waitFor();
  for (const colours of ["light", "dark"] as const) {
    await inColours(page, colours);
    await assertAccessible(page, `demo, ${colours}`);
  }
  assert.deepEqual(complaints, []);
});
