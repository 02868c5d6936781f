// A launcher, a browser and the dashboard in it, for one test; and the waits the tests speak in.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { BrowserContextOptions, Page } from "playwright-core";
import { LauncherProcess, type LauncherStart } from "./launcher-process.ts";
import { leaveBrowser, takeBrowser } from "./shared-browser.ts";

/** Spent only on what never happens, so there is enough of it for a machine that is busy with much else. */
const waitMs = 240_000;

export type Stage = {
  readonly launcher: LauncherProcess;
  readonly page: Page;
  /** A page more in the same browser profile. */
  newPage(): Promise<Page>;
  /** What a healthy page never says: errors, and anything its own policy had to stop. */
  readonly complaints: string[];
  [Symbol.asyncDispose](): Promise<void>;
};

/** Runs in the page, before its own scripts. */
const tellViolations = () => {
  document.addEventListener("securitypolicyviolation", (violation) => {
    console.error(`policy: ${violation.violatedDirective} stopped ${violation.blockedURI} ${violation.sample}`);
  });
};

type StageOptions = BrowserContextOptions & {
  /** Runs before the page is opened, for what it is answered from its first question on. */
  prepare?: (page: Page) => Promise<unknown>;
};

export async function openStage({ prepare, ...options }: StageOptions = {}, start: LauncherStart = {}): Promise<Stage> {
  const [launcher, browser] = await Promise.all([LauncherProcess.start(start), takeBrowser()]).catch((error) => {
    leaveBrowser();
    throw error;
  });
  // An animation that never ends keeps a fifth of a core busy where no graphics card draws it.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  const close = async () => {
    await context.close();
    await launcher[Symbol.asyncDispose]();
    leaveBrowser();
  };
  context.setDefaultTimeout(waitMs);
  await context.addInitScript(tellViolations);
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
    await page.getByRole("status").filter({ hasText: "Listening" }).waitFor();
    return { launcher, page, newPage, complaints, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The row that contains a text. */
export const rowWith = (page: Page, text: string) => page.locator(".row").filter({ hasText: text });

/** The ids of the event rows, from top to bottom. */
export const idsShown = (page: Page): Promise<(string | undefined)[]> =>
  page.locator('.row[data-type="event"]').evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.key));

/** Waits until `look` gives what is expected; then, or when time is up, asserts it. */
export async function eventually<T>(look: () => Promise<T>, expected: T, withinMs = waitMs): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (JSON.stringify(found) === JSON.stringify(expected)) return;
    if (performance.now() > deadlineMs) return assert.deepEqual(found, expected);
    await pause(20);
  }
}
