// Measures the list of clips: what its first visit loads, and how it scrolls.
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, CDPSession } from "playwright-core";
import { signIn, type Visited } from "./visit.ts";

export type ClipListRun = {
  readonly round: number;
  /** What the browser receives with an empty cache until nothing more comes. */
  readonly firstVisitKib: number;
  /** The longest time in which the page could not answer while it scrolled, or 0 if all were shorter than 50 ms. */
  readonly longestTaskMs: number;
};

/** The page has loaded when it received nothing for so long. */
const quietMs = 1_000;
const scrollMs = 3_000;
/** 24,000 pixels a second. */
const wheel = { everyMs: 50, pixels: 1_200 };

/** Counts the bytes that the page receives. The returned function waits until nothing more comes. */
async function countBytes(session: CDPSession): Promise<() => Promise<number>> {
  let bytes = 0;
  let lastMs = performance.now();
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    lastMs = performance.now();
  });
  await session.send("Network.enable");
  return async () => {
    while (performance.now() - lastMs < quietMs) await pause(50);
    return bytes;
  };
}

export async function measureClipList(browser: Browser, launcher: Visited, round: number): Promise<ClipListRun> {
  const page = await signIn(browser, launcher);
  try {
    await page.goto("about:blank");
    const session = await page.context().newCDPSession(page);
    const received = await countBytes(session);
    await session.send("Network.clearBrowserCache");
    await page.goto(`http://127.0.0.1:${launcher.port}/#/clips`);
    const card = page.locator(".clip-card").first();
    await card.waitFor();
    const firstVisitKib = (await received()) / 1_024;
    await page.evaluate(`
      window.longestTaskMs = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.longestTaskMs = Math.max(window.longestTaskMs, duration);
      }).observe({ type: "longtask" });`);
    await card.hover();
    for (const endMs = performance.now() + scrollMs; performance.now() < endMs; await pause(wheel.everyMs)) {
      await page.mouse.wheel(0, wheel.pixels);
    }
    return { round, firstVisitKib, longestTaskMs: await page.evaluate<number>("window.longestTaskMs") };
  } finally {
    await page.context().close();
  }
}
