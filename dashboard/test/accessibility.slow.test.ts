// Tests of accessibility with axe: the Live and the Connect page, in both colour schemes, wide and at 360 px, in every state.

import { receiptStates } from "@kit/contract";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible, assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import { openPage, openStage, rowWith, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium");
/** Shows copies of one event, one in each state of a receipt. */
async function showEveryReceiptState(page: Page): Promise<void> {
  await page.route("**/api/events?*", async (route) => {
    const list = await (await route.fetch({ maxRetries: 3 })).json();
    const [event] = list.events;
    const events = receiptStates.map((state, n) => ({
      ...event,
      id: `${event.id.slice(0, -2)}${String(n).padStart(2, "0")}`,
      state,
    }));
    await route.fulfill({ json: { ...list, events } });
  });
  await page.reload();
  await rowWith(page, "Draft created").waitFor();
}

/** Brings the Live page into each of its states and checks it there. */
async function assertAllStatesAccessible({ launcher, page }: Stage): Promise<void> {
  await page.getByRole("heading", { name: "Waiting for your first event" }).waitFor();
  await page.getByRole("tab", { name: "Unity" }).click();
  await assertAccessibleInBothSchemes(page, "empty");
  await launcher.send("recording", { eventId: "mygame_boss" });
  await launcher.send("monitor", { message: "Nil has no hp", stackTrace: "at boss.gd:88" });
  await launcher.send("social", { eventId: "mygame_win" });
  await launcher.send("social", { eventId: "mygame_win", timestamp: "yesterday" });
  await launcher.send("recording", { eventId: "web_x" }, { origin: "https://html-classic.itch.zone" });
  await rowWith(page, "timestamp").waitFor();
  await page.getByRole("article", { name: /itch/ }).waitFor();
  await assertAccessibleInBothSchemes(page, "rows, refusals and consent");
  await rowWith(page, "timestamp").click();
  await assertAccessibleInBothSchemes(page, "details of a refusal");
  await page.keyboard.press("Escape");
  await rowWith(page, "mygame_boss").click();
  await page.getByRole("button", { name: "Ignore this event" }).waitFor();
  await page.getByRole("button", { name: "Change" }).click();
  await assertAccessibleInBothSchemes(page, "details of an event, its game being corrected");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("p");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await assertAccessibleInBothSchemes(page, "paused, with help");
  await showEveryReceiptState(page);
  await assertAccessibleInBothSchemes(page, "every state of a receipt");
}

/** Checks the Connect page without an engine, with and without a file, waiting, with a refused request, and with an event. */
async function assertConnectAccessible({ launcher, page }: Stage): Promise<void> {
  const waitForStatus = (words: string) => page.getByRole("status").filter({ hasText: words }).waitFor();
  const missing = [{ binding: "monogame", name: "NuGet package", reason: "Needs the .NET SDK." }];
  await page.route("**/api/sdk", async (route) => {
    const { packages } = await (await route.fetch({ maxRetries: 3 })).json();
    await route.fulfill({ json: { packages, missing } });
  });
  await openPage(page, "Connect");
  await waitForStatus("Waiting for your first event");
  await assertAccessibleInBothSchemes(page, "no engine chosen");
  await page.getByRole("link", { name: /^RPG Maker/ }).click();
  await page.getByText("SHA-256").waitFor();
  await assertAccessibleInBothSchemes(page, "an engine with a file");
  await launcher.send("social", { eventId: "mygame_win", timestamp: "yesterday" });
  await waitForStatus("refused");
  await page.getByRole("link", { name: /^MonoGame/ }).click();
  await page.getByText("not available").waitFor();
  await assertAccessibleInBothSchemes(page, "an engine without a file, a request refused");
  await launcher.send("recording", { eventId: "mygame_boss" });
  await waitForStatus("Your first event arrived");
  await assertAccessibleInBothSchemes(page, "an event arrived");
  await page.getByRole("button", { name: "Wait for another event" }).click();
  await waitForStatus("Waiting for your next event");
  await assertAccessibleInBothSchemes(page, "waiting for another");
}

for (const [size, viewport] of [
  ["wide", { width: 1280, height: 800 }],
  ["at 360 px", narrow],
] as const) {
  // The page's own security policy would block axe. Motion is off, so that no colour is measured during a transition.
  const options = { viewport, bypassCSP: true, reducedMotion: "reduce" } as const;

  test(`the Live page is accessible ${size} in both colour schemes`, { skip }, async () => {
    await using stage = await openStage(options);
    await assertAllStatesAccessible(stage);
  });

  test(`the Connect page is accessible ${size} in both colour schemes`, { skip }, async () => {
    await using stage = await openStage(options);
    await assertConnectAccessible(stage);
  });
}

test("the page of a signed-out browser is accessible", { skip }, async () => {
  await using stage = await openStage();
  const stranger = await stage.newProfile({ bypassCSP: true });
  const page = await stranger.newPage();
  await page.goto(`http://127.0.0.1:${stage.launcher.port}/`);
  await page.getByText("kit open").waitFor();
  await assertAccessible(page, "signed out");
});
