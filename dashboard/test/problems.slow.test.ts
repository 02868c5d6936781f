// Tests of the problems on the Connect page, each with its remedy, and of the demo: playing, stopping, deleting and undoing.
import assert from "node:assert/strict";
import type { Demo } from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible, inColours } from "./accessible.ts";
import { eventually, openPage, openStage, rowWith } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them.
process.env.KIT_SECRETS = "file";

const skip = skipWithout("Chromium");
const problemsOn = (page: Page) => page.getByRole("region", { name: "Detected problems" });
const problemOn = (page: Page, text: string | RegExp) =>
  problemsOn(page).getByRole("listitem").filter({ hasText: text });

test("a refused field, a waiting web origin and a switch are listed, and disappear when they are solved", {
  skip,
}, async () => {
  await using stage = await openStage();
  const { page, launcher, complaints } = stage;
  // Before the first event the Live page shows where games can send.
  await problemOn(page, "No request has arrived yet").getByText(`http://127.0.0.1:${launcher.port}`).waitFor();
  await launcher.send("recording", { eventId: "mygame_step" });
  await rowWith(page, "mygame_step").click();
  await page.getByRole("button", { name: "Ignore this event" }).click();
  await page.getByRole("button", { name: "Accept this event" }).waitFor();
  await openPage(page, "Connect");
  await launcher.send("recording", { eventId: "mygame_step" });
  await launcher.send("social", { eventId: "mygame_win", timestamp: "yesterday" });
  await launcher.send("recording", { eventId: "mygame_web" }, { origin: "https://game.example" });

  const refused = problemOn(page, "A request was refused: timestamp: expected an ISO 8601 time");
  await refused.getByRole("link", { name: /^Show the newest in Live/ }).waitFor();
  const waiting = problemOn(page, "https://game.example is waiting for your consent");
  const ignored = problemOn(page, "mygame_step is switched off");
  await ignored.waitFor();
  for (const colours of ["light", "dark"] as const) {
    await inColours(page, colours);
    await assertAccessible(page, `problems, ${colours}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await assertAccessible(page, "problems, narrow");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);

  await waiting.getByRole("button", { name: /^Decide/ }).focus();
  await page.keyboard.press("Enter");
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Allow for 30 days");
  await page.keyboard.press("Enter");
  await waiting.waitFor({ state: "detached" });
  await ignored.getByRole("button", { name: /^Switch on/ }).focus();
  await page.keyboard.press("Enter");
  await ignored.waitFor({ state: "detached" });
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), "Detected problems");
  await launcher.send("social", { eventId: "mygame_win" });
  await refused.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});

/** The first two steps are soon over, so the page may be too late to show them. */
const fromTheStarsOn = /catches five stars|finds the jewel|[Cc]hest|boss is defeated/u;

test("the demo plays, can be stopped, and its data can be deleted with a chance to undo", { skip }, async () => {
  await using stage = await openStage();
  const { page, complaints } = stage;
  const demo = page.getByRole("region", { name: /^Try the demo/ });
  await demo.getByText("The demo runs without a window").waitFor();
  await demo.getByRole("button", { name: "Play the demo" }).click();
  // The first event of the demo ends the empty state of the Live page. The Connect page shows the rest.
  await rowWith(page, "kit_demo_started").getByText("Kit's demo", { exact: true }).waitFor();
  await openPage(page, "Connect");
  await demo.getByRole("progressbar", { name: "Demo progress" }).waitFor();
  await demo.getByRole("status").filter({ hasText: fromTheStarsOn }).waitFor();
  await demo.getByRole("button", { name: "Stop the demo" }).click();
  await demo.getByText("The demo is over.").waitFor();
  await demo.getByRole("listitem").filter({ hasText: "Five stars in a row" }).getByText("Marker saved").waitFor();
  for (const colours of ["light", "dark"] as const) {
    await inColours(page, colours);
    await assertAccessible(page, `demo, ${colours}`);
  }
  await demo.getByRole("button", { name: "Delete the demo's data" }).click();
  await demo.getByText(/All demo data will be deleted in \d+ s/).waitFor();
  await demo.getByRole("button", { name: "Cancel the deletion" }).click();
  await demo.getByRole("button", { name: "Delete the demo's data" }).waitFor();
  await demo.getByRole("link", { name: "Everything on one timeline" }).click();
  await page.getByText("star streak").first().waitFor();
  assert.deepEqual(complaints, []);
});

test("the results of the whole demo link to its clip, its issue, its draft and its session", { skip }, async () => {
  const outcome = { state: "saved", reason: null, clip: null, issue: null, post: null } as const;
  const played: Demo = {
    state: "played",
    second: 60,
    seconds: 60,
    window: true,
    phase: null,
    says: "",
    failed: false,
    session: "s1",
    outcomes: [
      { ...outcome, part: "boss", event: "e1", clip: "c1" },
      { ...outcome, part: "error", event: "e2", state: "grouped", issue: "i1" },
      { ...outcome, part: "score", event: "e3", state: "drafted", post: "p1" },
    ],
  };
  await using stage = await openStage({
    prepare: (page) => page.route("**/api/demo", (route) => route.fulfill({ json: played })),
  });
  const { page } = stage;
  const demo = page.getByRole("region", { name: /^Try the demo/ });
  const linkTarget = (name: string) => demo.getByRole("link", { name }).getAttribute("href");
  await demo.getByText("The demo is over.").waitFor();
  assert.equal(await linkTarget("Its clip: The boss is defeated"), "#/clips/c1");
  assert.equal(await linkTarget("Its issue: A chest without a lid causes an error"), "#/issues/i1");
  assert.equal(await linkTarget("Its draft: A new high score worth posting"), "#/posts?event=e3");
  assert.equal(await linkTarget("Everything on one timeline"), "#/sessions/s1");
});
