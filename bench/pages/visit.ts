// One visit: the page is loaded anew, and the browser says when there was something to see, what moved, and how soon it answered.
import { setTimeout as pause } from "node:timers/promises";
import { createTicket } from "@kit/contract";
import type { Browser, Page } from "playwright-core";
import type { Place } from "./places.ts";

type Told = {
  /** From the beginning of the navigation until the first of what the page is about is drawn. */
  readonly contentMs: number;
  /** What moved without having been asked to: 0 is nothing. */
  readonly shift: number;
  /** Of what was done, what took longest: from the key or the click until the next picture, in steps of 8 ms. */
  readonly slowestMs: number;
};
/** One page opened once, and what was done on it. */
export type Visit = Told & { readonly page: string };

/** No page answers to this key. */
const lastKey = "Pause";

/** What the browser itself measures; put there before the page's own scripts run. What is there in one picture is drawn by the next. */
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

/** The page's policy lets nothing be evaluated in it, so it is asked from outside, again and again. */
async function become(page: Page, condition: string): Promise<void> {
  for (const deadlineMs = performance.now() + 30_000; performance.now() < deadlineMs; await pause(20)) {
    if (await page.evaluate<boolean>(condition)) return;
  }
  const text = await page.locator("body").innerText();
  throw new Error(`${page.url()}: not ${condition} within 30 s. It shows: ${text}`);
}

/** Times are told some pictures later, and in order: with those of a key that is answered slowly, all before are known. */
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

/** Has the browser run it in each page until the returned function is called. */
async function watchFor(page: Page, selector: string): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.enable");
  const { identifier } = await session.send("Page.addScriptToEvaluateOnNewDocument", { source: watchSource(selector) });
  return async () => {
    await session.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
    await session.detach();
  };
}

/** A tab that is signed in: what is returned loads a place in it anew, and tells of it. */
export async function openTab(browser: Browser, launcher: Visited) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(await linkTo(launcher));
  // Pages show their own heading once the session is open: one that is left before that has no session to come back to.
  await page.getByRole("heading", { name: "Live" }).waitFor();
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
