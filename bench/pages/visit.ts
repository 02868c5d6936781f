// Visits a page: measures the time to first content, layout shifts and interaction delays in the browser.
import { setTimeout as pause } from "node:timers/promises";
import { createTicket } from "@kit/contract";
import type { Browser, Page } from "playwright-core";
import type { Place } from "./places.ts";

type Told = {
  /** Time from navigation until the first content is drawn. */
  readonly contentMs: number;
  /** Cumulative layout shift. */
  readonly shift: number;
  /** The slowest interaction, from input to next paint, with a resolution of 8 ms. */
  readonly slowestMs: number;
};
/** One visit of a page. */
export type Visit = Told & { readonly page: string };

/** A key without function. */
const lastKey = "Pause";

/** Performance observers, injected before the page's scripts run. */
const watchSource = (selector: string): string => `
  const told = (window.told = { contentMs: 0, shift: 0, slowestMs: 0 });
  let endedAtMs = Infinity;
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) told.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) {
      if (startTime >= endedAtMs) window.isAllTold = true;
      else told.slowestMs = Math.max(told.slowestMs, duration);
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  addEventListener("keydown", ({ key, timeStamp }) => {
    if (key !== ${JSON.stringify(lastKey)}) return;
    endedAtMs = timeStamp;
    while (performance.now() < timeStamp + 32);
  }, true);
  const look = () => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return requestAnimationFrame(look);
    requestAnimationFrame(() => (told.contentMs = performance.now()));
  };
  requestAnimationFrame(look);`;

/** Polls the condition from outside, because the page's policy forbids eval. */
async function become(page: Page, condition: string): Promise<void> {
  for (const deadlineMs = performance.now() + 30_000; performance.now() < deadlineMs; await pause(20)) {
    if (await page.evaluate<boolean>(condition)) return;
  }
  const text = await page.locator("body").innerText();
  throw new Error(`${page.url()}: not ${condition} within 30 s. It shows: ${text}`);
}

/** Waits for all measurements. They arrive late but in order, so those of a final key press complete them. */
async function allTold(page: Page): Promise<Told> {
  await page.keyboard.press(lastKey);
  await become(page, "window.isAllTold === true");
  return page.evaluate<Told>("window.told");
}

export type Visited = { readonly port: number; readonly secret: string };

async function linkTo({ port, secret }: Visited): Promise<string> {
  const base = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${secret}` };
  const answer = await fetch(base + createTicket.path, { method: createTicket.method, headers });
  const { ticket } = (await answer.json()) as { ticket: string };
  return `${base}/#t=${ticket}`;
}

/** Injects the observers into each page until the returned function is called. */
async function watchFor(page: Page, selector: string): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.enable");
  const { identifier } = await session.send("Page.addScriptToEvaluateOnNewDocument", { source: watchSource(selector) });
  return async () => {
    await session.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
    await session.detach();
  };
}

/** Opens a tab and signs in. */
export async function signIn(browser: Browser, launcher: Visited): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(await linkTo(launcher));
  // Waits for the heading, which shows that the session is open.
  await page.getByRole("heading", { name: "Live" }).waitFor();
  return page;
}

/** Opens a signed-in tab. Returns a function that visits a page in it. */
export async function openTab(browser: Browser, launcher: Visited) {
  const page = await signIn(browser, launcher);
  return async ({ page: name, fragment, content, act }: Place): Promise<Visit> => {
    await page.goto("about:blank");
    const unwatch = await watchFor(page, content);
    try {
      await page.goto(`http://127.0.0.1:${launcher.port}/${fragment}`);
      await become(page, "window.told.contentMs > 0");
      await act(page);
      return { page: name, ...(await allTold(page)) };
    } finally {
      await unwatch();
    }
  };
}
