// Opens a launcher, a browser and the dashboard in it for one test, and waits for conditions.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { LauncherProcess, type LauncherStart } from "./launcher-process.ts";
import { sharedBrowser } from "./shared-browser.ts";

/** Only used up by conditions that never become true, so it is long enough for a busy machine. */
export const waitMs = 240_000;

export type Stage = {
  readonly launcher: LauncherProcess;
  readonly page: Page;
  /** Opens another page in the same browser profile. */
  newPage(): Promise<Page>;
  /** Opens another browser profile, which is signed out. */
  newProfile(options?: BrowserContextOptions): Promise<BrowserContext>;
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

/** Runs in the page, before its own scripts. */
const recordCopies = () => {
  const { clipboard } = navigator;
  if (clipboard === undefined) return;
  const write = clipboard.writeText.bind(clipboard);
  clipboard.writeText = async (text) => {
    await write(text);
    Object.assign(window, { kitCopied: text });
  };
};

/** The text that the page copied last. The clipboard itself is shared by all tests that run at the same time. */
export const copiedBy = (page: Page): Promise<string> =>
  page.evaluate(() => (window as unknown as { kitCopied?: string }).kitCopied ?? "");

type StageOptions = BrowserContextOptions & {
  /** Runs before the page is opened, so that it can answer the page's first request. */
  prepare?: (page: Page) => Promise<unknown>;
};

/** Without the query, which may contain a pass; empty for a script of the test itself. */
const pathOf = (address: string) => URL.parse(address)?.pathname ?? "";

/** Prints what a page shows, without its query. */
async function printPage(page: Page): Promise<void> {
  const text = await page.evaluate(() => document.body.innerText).catch(String);
  console.error(`${pathOf(page.url())}${URL.parse(page.url())?.hash ?? ""} shows:\n${text}`);
}

export async function openStage({ prepare, ...options }: StageOptions = {}, start: LauncherStart = {}): Promise<Stage> {
  const starting = LauncherProcess.start(start);
  const [launcher, browser] = await Promise.all([starting, sharedBrowser()]).catch(async (error) => {
    // Without a browser, the launcher would run on, and so would the test's process.
    await starting.then((started) => started[Symbol.asyncDispose]()).catch(() => undefined);
    throw error;
  });
  const contexts: BrowserContext[] = [];
  const newProfile = async (chosen?: BrowserContextOptions) => {
    const context = await browser.newContext(chosen);
    context.setDefaultTimeout(waitMs);
    contexts.push(context);
    return context;
  };
  // Without a graphics card, an endless animation keeps a fifth of a core busy.
  const context = await newProfile({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    // Playwright cannot answer requests of a page that has one.
    serviceWorkers: "block",
    ...options,
  });
  const openedMs = performance.now();
  const close = async () => {
    // Such a test has probably waited in vain.
    if (performance.now() - openedMs > waitMs) await Promise.all(context.pages().map(printPage));
    // A test's own answer may still wait for the launcher.
    const answering = [...contexts, ...contexts.flatMap((each) => each.pages())];
    await Promise.all(answering.map((each) => each.unrouteAll({ behavior: "ignoreErrors" })));
    await Promise.all(contexts.map((each) => each.close()));
    await launcher[Symbol.asyncDispose]();
  };
  await context.addInitScript(reportViolations);
  await context.addInitScript(recordCopies);
  const complaints: string[] = [];
  const newPage = async () => {
    const page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(`${message.text()} ${pathOf(message.location().url)}`.trim());
    });
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
    await page.goto(`${await launcher.ownLink()}&page=live`);
    await page.getByRole("status").filter({ hasText: "Listening" }).waitFor();
    return { launcher, page, newPage, newProfile, complaints, [Symbol.asyncDispose]: close };
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

/** Opens a page by its link in the top bar. The page that is open may have a link of the same name, and show it later. */
export const openPage = (page: Page, name: string): Promise<void> =>
  page
    .getByRole("banner")
    .getByRole("link", { name: new RegExp(`^${name}`, "u") })
    .click();

/** Waits until the page has reacted to its new size, which takes it a frame. */
export async function resizeTo(page: Page, width: number, height = 800): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  });
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
export async function eventually<T>(check: () => Promise<T>, expected: T): Promise<void> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const found = await check();
    if (JSON.stringify(found) === JSON.stringify(expected)) return;
    if (performance.now() > deadlineMs) return assert.deepEqual(found, expected);
    await pause(20);
  }
}
