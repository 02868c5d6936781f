// What is measured in the browser: the time to first content, layout shifts and interaction delays of each page, and what the
// first visit to the list of clips loads, and how the list scrolls.
import { setTimeout as pause } from "node:timers/promises";
import { createTicket } from "@kit/contract";
import type { Browser, CDPSession, Page } from "playwright-core";

type Place = {
  readonly page: string;
  readonly fragment: string;
  /** Selector of the first content. */
  readonly content: string;
  /** Keys and clicks; each waits until its result is drawn. */
  readonly act: (page: Page) => Promise<void>;
};

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Opens an entry of a list with the keyboard and goes back. */
const openOne = (first: string) => async (page: Page) => {
  await page.locator(first).first().focus();
  await press(page, "ArrowDown", "ArrowDown", "Enter");
  await press(page, "Escape");
};

export const places: readonly Place[] = [
  { page: "Live", fragment: "#/live", content: "button.row", act: openOne("button.row") },
  {
    page: "Issues",
    fragment: "#/issues",
    content: ".issue-row",
    act: async (page) => {
      await page.locator(".issue-link").first().focus();
      await press(page, "j", "j", "x", "k", "Escape");
    },
  },
  {
    page: "Clips",
    fragment: "#/clips",
    content: ".clip-card",
    act: async (page) => {
      await page.locator(".clip-link").first().focus();
      await press(page, "ArrowRight", "ArrowDown", "ArrowLeft", "End");
    },
  },
  {
    page: "Sessions",
    fragment: "#/sessions",
    content: ".session-row",
    act: async (page) => {
      await page.locator(".session-row").first().focus();
      await press(page, "Tab", "Tab", "Enter");
      await page.getByRole("slider").first().waitFor();
      await press(page, "ArrowRight", "ArrowRight", "+", "-");
    },
  },
];

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
async function signIn(browser: Browser, launcher: Visited): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(await linkTo(launcher));
  // Waits for the heading, which shows that the session is open.
  await page.getByRole("heading", { name: "Home" }).waitFor();
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
