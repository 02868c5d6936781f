// One launcher and one browser page for all tests of a file. Requests about clips and the recorder get a test's answers.

import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { type Answers, answerFor, answersWith } from "./clip-answers.ts";
import { clearPage, openStage, type Stage } from "./stage.ts";

export type AnsweredStage = Pick<Stage, "page" | "launcher" | "complaints"> & {
  readonly answers: Answers;
  /** Opens another page of the dashboard without a reload. */
  go(fragment: string): Promise<void>;
};

/** Loads a page of the dashboard, with nothing left of the test before. */
export type Open = (fragment: string, given?: Partial<Answers>) => Promise<AnsweredStage>;

/** Starts the launcher and the browser only once, because the tests leave nothing in them. */
export function shareStage(skip: boolean, options: BrowserContextOptions = {}): Open {
  const answers = answersWith();
  let stage: Stage | undefined;
  beforeAll(async () => {
    if (skip === false) stage = await openStage({ ...options, prepare: (page) => answerFor(page, answers) });
  });
  afterAll(async () => await stage?.[Symbol.asyncDispose]());
  return async (fragment, given = {}) => {
    if (stage === undefined) throw new Error("the stage was not opened");
    const { page, launcher, complaints } = stage;
    const at = (hash: string) => `http://127.0.0.1:${launcher.port}/${hash}`;
    await clearPage(page);
    Object.assign(answers, answersWith(given));
    complaints.length = 0;
    await page.goto(at(fragment));
    const go = async (hash: string) => void (await page.goto(at(hash)));
    return { page, launcher, complaints, answers, go };
  };
}

export const cardWith = (page: Page, text: string) => page.locator(".clip-card").filter({ hasText: text });

/** Whether a button is above the lower edge of its dialog, so that nobody must scroll to it. */
export const isInDialog = (page: Page, name: string): Promise<boolean> =>
  page.getByRole("button", { name, exact: true }).evaluate((button) => {
    const dialog = button.closest("dialog");
    return dialog !== null && button.getBoundingClientRect().bottom <= dialog.getBoundingClientRect().bottom;
  });

/** The titles of the cards, from first to last. */
export const titlesShown = (page: Page): Promise<string[]> => page.locator(".clip-card .clip-title").allTextContents();
