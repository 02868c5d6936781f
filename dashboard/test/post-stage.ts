// One launcher and one browser page for all tests of a file. Requests about posts get a test's answers.

import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { answerFor, answersWith } from "./clip-answers.ts";
import { clipOf } from "./clip-samples.ts";
import { answerPostsFor, type PostAnswers, postAnswersWith } from "./post-answers.ts";
import { clearPage, openStage, type Stage } from "./stage.ts";

export type PostStage = Pick<Stage, "page" | "launcher" | "complaints"> & {
  readonly answers: PostAnswers;
  /** Reports a change in the feed, as the launcher does. */
  tell(what: "posts" | "accounts"): Promise<void>;
  /** Opens another page of the dashboard without a reload. */
  go(fragment: string): Promise<void>;
};

/** Loads a page of the dashboard, with nothing left of the test before. */
type Open = (fragment: string, given?: Partial<PostAnswers>) => Promise<PostStage>;

/** Passes on the launcher's feed, and returns a function that adds an item to it. */
export async function openFeed(page: Page): Promise<(what: string) => Promise<void>> {
  await page.context().addInitScript(() => {
    const real = window.fetch.bind(window);
    const open = new Set<(line: string) => void>();
    Object.assign(window, {
      kitListens: () => open.size > 0,
      kitTell: (line: string) => open.forEach((say) => void say(line)),
    });
    window.fetch = async (address, init) => {
      const answer = await real(address, init);
      if (!String(address).includes("/api/feed") || answer.body === null) return answer;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      // A page that has left this feed does not read it any more.
      open.add((line) => void writer.write(new TextEncoder().encode(line)).catch(() => undefined));
      const reader = answer.body.getReader();
      const pump = async (): Promise<void> => {
        const { done, value } = await reader.read();
        if (done) return await writer.close();
        await writer.write(value);
        return await pump();
      };
      pump().catch((error) => writer.abort(error));
      return new Response(readable, { status: answer.status, headers: answer.headers });
    };
  });
  return async (what) => {
    const line = `event: changed\ndata: ${JSON.stringify({ type: "changed", what })}\n\n`;
    await page.evaluate((says) => (window as unknown as { kitTell(line: string): void }).kitTell(says), line);
  };
}

/** Waits until the page reads the feed. It reloads its lists then, so later requests have another cause. */
export async function untilListening(page: Page): Promise<void> {
  await page.waitForFunction(() => (window as unknown as { kitListens(): boolean }).kitListens());
}

export function sharePostStage(skip: boolean, options: BrowserContextOptions = {}): Open {
  const answers = postAnswersWith();
  let stage: Stage | undefined;
  let tell: PostStage["tell"] = async () => undefined;
  const prepare = async (page: Page) => {
    tell = await openFeed(page);
    await answerFor(page, answersWith({ clips: [clipOf(1)] }));
    await answerPostsFor(page, answers);
  };
  beforeAll(async () => {
    if (skip === false) stage = await openStage({ ...options, prepare });
  });
  afterAll(async () => await stage?.[Symbol.asyncDispose]());
  return async (fragment, given = {}) => {
    if (stage === undefined) throw new Error("the stage was not opened");
    const { page, launcher, complaints } = stage;
    const go = async (hash: string) => void (await page.goto(`http://127.0.0.1:${launcher.port}/${hash}`));
    await clearPage(page);
    Object.assign(answers, postAnswersWith(given));
    complaints.length = 0;
    await go(fragment);
    return { page, launcher, complaints, answers, tell, go };
  };
}

/** The card of the post with this text. */
export const postWith = (page: Page, text: string) => page.locator(".post").filter({ hasText: text });

export const toast = (page: Page, text: string | RegExp) => page.locator(".toast").filter({ hasText: text });
