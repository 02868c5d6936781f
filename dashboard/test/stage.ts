// Opens a launcher, a browser and the dashboard in it for one test, and waits for conditions.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { BrowserContextOptions, Page } from "playwright-core";
import { LauncherProcess, type LauncherStart } from "./launcher-process.ts";
import { leaveBrowser, takeBrowser } from "./shared-browser.ts";

/** Only used up by conditions that never become true, so it is long enough for a busy machine. */
const waitMs = 240_000;

export type Stage = {
  readonly launcher: LauncherProcess;
  readonly page: Page;
  /** Opens another page in the same browser profile. */
  newPage(): Promise<Page>;
  /** Errors, dialogs and blocked requests of the page. A healthy page has none. */
  readonly complaints: string[];
  [Symbol.asyncDispose](): Promise<void>;
};

/** Runs in the page, before its own scripts. */
const reportViolations = () => {
  document.addEventListener("securitypolicyviolation", (violation) => {
    console.error(`policy: ${violation.violatedDirective} stopped ${violation.blockedURI} ${violation.sample}`);
  });
};

type StageOptions = BrowserContextOptions & {
  /** Runs before the page is opened, so that it can answer the page's first request. */
  prepare?: (page: Page) => Promise<unknown>;
};

export async function openStage({ prepare, ...options }: StageOptions = {}, start: LauncherStart = {}): Promise<Stage> {
  const [launcher, browser] = await Promise.all([LauncherProcess.start(start), takeBrowser()]).catch((error) => {
    leaveBrowser();
    throw error;
  });
  // Without a graphics card, an endless animation keeps a fifth of a core busy.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  const close = async () => {
    // A test's own answer may still wait for the launcher.
    await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: "ignoreErrors" })));
    await context.close();
    await launcher[Symbol.asyncDispose]();
    leaveBrowser();
  };
  context.setDefaultTimeout(waitMs);
  await context.addInitScript(reportViolations);
  const complaints: string[] = [];
  const newPage = async () => {
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return page;
  };
  try {
    const page = await newPage();
    await prepare?.(page);
    await page.goto(await launcher.ownLink());
    await page.locator("main:not([aria-busy]) h1").waitFor();
    // Not by a click, after which the link would have the focus.
    await page.evaluate(() => {
      location.hash = "#/live";
    });
    await page.getByRole("status").filter({ hasText: "Listening" }).waitFor();
    return { launcher, page, newPage, complaints, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Leaves the page, and removes a test's own answers. While requests are under way, that would answer some of them twice. */
export async function clearPage(page: Page): Promise<void> {
  await page.goto("about:blank");
  await page.unrouteAll();
}

/** The row that shows a text, or the event with this id. */
export const rowWith = (page: Page, text: string) => {
  const rows = page.locator(".row");
  return rows.filter({ hasText: text }).or(rows.filter({ has: page.locator(`.what[title=${JSON.stringify(text)}]`) }));
};

/** The ids of the event rows, from top to bottom. */
export const idsShown = (page: Page): Promise<(string | undefined)[]> =>
  page.locator('.row[data-type="event"]').evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.key));

/** Waits until `check` returns the expected value; asserts it when the time is up. */
export async function eventually<T>(check: () => Promise<T>, expected: T, withinMs = waitMs): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const found = await check();
    if (JSON.stringify(found) === JSON.stringify(expected)) return;
    if (performance.now() > deadlineMs) return assert.deepEqual(found, expected);
    await pause(20);
  }
}
