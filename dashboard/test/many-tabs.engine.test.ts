// Test of more tabs than a browser has connections to a host. Chromium without Playwright's pages, which all count as shown.
import assert from "node:assert/strict";
import { type Browser, chromium } from "playwright-core";
import { test } from "vitest";
import { browserOptions } from "../../tools/engines/browser-options.ts";
import { pathOf, skipWithout } from "../../tools/engines/locate.ts";
import { LauncherProcess } from "./launcher-process.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium with windows");

type Reply = { readonly id?: number; readonly result?: { readonly result?: { readonly value?: unknown } } };

/** Opens tabs of one window through the DevTools protocol. Only the tab that is opened or shown last is visible. */
async function openWindow(browser: Browser) {
  const devtools = await browser.newBrowserCDPSession();
  const { browserContextId } = await devtools.send("Target.createBrowserContext");
  const waiting = new Map<number, (value: unknown) => void>();
  devtools.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id = 0, result } = JSON.parse(message) as Reply;
    waiting.get(id)?.(result?.result?.value);
  });
  return async (url: string) => {
    const { targetId } = await devtools.send("Target.createTarget", { url, browserContextId });
    const { sessionId } = await devtools.send("Target.attachToTarget", { targetId, flatten: false });
    const evaluate = (expression: string) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const id = waiting.size + 1;
      waiting.set(id, resolve);
      const message = { id, method: "Runtime.evaluate", params: { expression, returnByValue: true } };
      void devtools.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify(message) });
      return promise;
    };
    return { evaluate, show: () => devtools.send("Target.activateTarget", { targetId }) };
  };
}

const idsShown = `JSON.stringify([...document.querySelectorAll('.row[data-type="event"]')].map((row) => row.dataset.key))`;
const isListening = `[...document.querySelectorAll('[role="status"]')].some((each) => each.textContent.includes("Listening"))`;

test("eight tabs of one browser work, and each catches up with what happened while it was hidden", {
  skip,
}, async () => {
  await using launcher = await LauncherProcess.start();
  const browser = await chromium.launch({ ...browserOptions(), executablePath: pathOf("Chromium with windows") });
  try {
    const openTab = await openWindow(browser);
    const tabs = [await openTab(`${await launcher.ownLink()}&page=live`)];
    await eventually(async () => tabs[0]?.evaluate(isListening), true);
    while (tabs.length < 8) {
      const tab = await openTab(`http://127.0.0.1:${launcher.port}/#/live`);
      tabs.push(tab);
      await eventually(() => tab.evaluate(isListening), true);
    }
    const states = await Promise.all(tabs.map(({ evaluate }) => evaluate("document.visibilityState")));
    assert.deepEqual(states, [...Array.from({ length: 7 }, () => "hidden"), "visible"]);
    const ids: string[] = [];
    for (const { evaluate, show } of tabs) {
      ids.unshift((await launcher.send("recording", { eventId: "mygame_while_hidden" })).id);
      await show();
      await eventually(() => evaluate(idsShown), JSON.stringify(ids));
    }
  } finally {
    await browser.close();
  }
});
